import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropSystem

/// Another program saves a file at the worst moment: its file is never lost.
@Suite struct `Replacing a file that others save` {
  let scratch: Scratch
  let folder: ConfinedFolder
  private let fresh = PathBytes(".cropkit-x.tmp")
  private let name = PathBytes("a")

  init() throws {
    scratch = try Scratch()
    folder = try ConfinedFolder(path: PathBytes(scratch.path))
  }

  /// The file to replace, and the new one.
  private func prepare() throws -> (stat) -> Bool {
    _ = try scratch.write("new", to: fresh.name)
    let path = try scratch.write("old", to: name.name)
    var old = stat()
    #expect(lstat(path, &old) == 0)
    return { [old] in $0.st_ino == old.st_ino && $0.st_size == old.st_size }
  }

  /// Saves a file as programs usually do, atomically.
  private func save(_ text: String) throws {
    _ = try scratch.write(text, to: "other")
    #expect(rename(scratch.file("other"), scratch.file(name.name)) == 0)
  }

  private func replace(_ way: String, _ isExpected: (stat) -> Bool) -> CropError? {
    failure { () throws(CropError) in
      if way == "exchange" {
        let isDone = try FileReplacement.exchange(
          fresh, with: name, in: folder.descriptor, isExpected: isExpected)
        #expect(isDone)
      } else {
        try FileReplacement.moveAside(
          fresh, with: name, in: folder.descriptor, isExpected: isExpected)
      }
    }
  }

  @Test(arguments: ["exchange", "aside"])
  func `the expected file is replaced and nothing else is left`(way: String) throws {
    let isExpected = try prepare()
    #expect(replace(way, isExpected) == nil)
    #expect(scratch.read("a") == "new" && scratch.names == ["a"])
  }

  @Test(arguments: ["exchange", "aside"], ["save", "write", "remove"])
  func `another program's file stays`(way: String, what: String) throws {
    let isExpected = try prepare()
    switch what {
    case "save": try save("theirs")
    case "write": try Data("more".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
    default: #expect(unlink(scratch.file("a")) == 0)
    }
    let before = scratch.read("a")
    #expect(replace(way, isExpected) == .outputChanged(path: "a", kept: nil))
    #expect(scratch.read("a") == before)
    #expect(scratch.names.filter { $0 != fresh.name } == (before == nil ? [] : ["a"]))
  }

  @Test(arguments: ["exchange", "aside"])
  func `of two files that others save both are kept, the newer one in its place`(way: String) throws
  {
    let isExpected = try prepare()
    try save("first")
    // Tested while the first file is moved away.
    let error = replace(way) { status in
      #expect(throws: Never.self) { try save("second") }
      return isExpected(status)
    }
    #expect(error == .outputChanged(path: "a", kept: "a.kept"))
    #expect(scratch.read("a") == "second" && scratch.read("a.kept") == "first")
  }

  @Test
  func `a file that appears where the old one was moved aside stays, and so does the old one`()
    throws
  {
    let isExpected = try prepare()
    let error = replace("aside") { status in
      #expect(throws: Never.self) { try save("theirs") }
      return isExpected(status)
    }
    #expect(error == .outputChanged(path: "a", kept: "a.kept"))
    #expect(scratch.read("a") == "theirs" && scratch.read("a.kept") == "old")
  }

  @Test func `the kept file gets a separate name, however long the first one is`() throws {
    let long = PathBytes(String(repeating: "x", count: 255))
    for number in 1...3 {
      let path = try scratch.write("\(number)", to: fresh.name)
      _ = try scratch.write("there", to: long.name)
      let kept = FileReplacement.putBack(
        fresh, of: folder.descriptor, as: long, in: folder.descriptor)
      let ending = ".kept" + (number == 1 ? "" : "\(number)")
      #expect(kept == String(repeating: "x", count: 255 - ending.count) + ending)
      #expect(scratch.read(kept ?? "") == "\(number)" && access(path, F_OK) != 0)
    }
  }

  private static let picture = ResultContent.memory(Data("new".utf8))

  @Test(arguments: ["save", "write"])
  func `saving in place of the input yields to another program`(what: String) throws {
    let path = try scratch.write("old", to: "a")
    let input = try ImageSource(path: path)
    let pending = try PendingSave(to: PathBytes(path), replacing: .input, input: input)
    if what == "save" { try save("theirs") } else { _ = try scratch.write("theirs", to: "a") }
    #expect(
      failure { () throws(CropError) in try pending.save(Self.picture) }
        == .outputChanged(path: path, kept: nil))
    #expect(scratch.read("a") == "theirs" && scratch.names == ["a"])
    #expect(
      failure { () throws(CropError) in
        _ = try PendingSave(
          to: PathBytes(path), replacing: .input, input: ImageSource(path: path)
        ).save(Self.picture)
      } == nil)
    #expect(scratch.read("a") == "new" && scratch.names == ["a"])
  }

  @Test func `a file saved by another program before the save is not replaced either`() throws {
    let path = try scratch.write("old", to: "a")
    let input = try ImageSource(path: path)
    try save("theirs")
    #expect(
      failure { () throws(CropError) in
        _ = try PendingSave(to: PathBytes(path), replacing: .input, input: input)
      } == .outputChanged(path: path, kept: nil))
    #expect(scratch.read("a") == "theirs")
  }

  @Test func `a file saved while the old one is kept elsewhere stays`() throws {
    let path = try scratch.write("old", to: "a")
    let pending = try PendingSave(
      as: name, in: folder, replacing: .input, input: ImageSource(path: path))
    #expect(throws: CropError.outputChanged(path: "a", kept: nil)) {
      try pending.replaceInput(with: Self.picture) { new in
        #expect(new.st_size == 3)
        try save("theirs")
      }
    }
    #expect(scratch.read("a") == "theirs" && scratch.names == ["a"])
  }

  @Test(arguments: [(0o600, 0o600), (0o440, 0o640), (0o755, 0o644)])
  func `users who can't read the input can't read a new file`(mode: Int, wanted: Int) throws {
    let path = try scratch.write("old", to: "a")
    // What the umask leaves; it can't be read without changing it for all tests.
    var plain = stat()
    #expect(stat(path, &plain) == 0)
    #expect(chmod(path, mode_t(mode)) == 0)
    let pending = try PendingSave(
      to: PathBytes(scratch.file("b")), replacing: .nothing, input: ImageSource(path: path))
    try pending.save(Self.picture)
    var status = stat()
    #expect(stat(scratch.file("b"), &status) == 0)
    #expect(status.st_mode & 0o777 == mode_t(wanted) & plain.st_mode)
  }
}
