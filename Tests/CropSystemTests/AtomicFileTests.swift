import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropSystem

@Suite struct `Atomic saving` {
  let scratch: Scratch
  let bytes = Data("new".utf8)

  init() throws { scratch = try Scratch() }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    _ = stat_(scratch.file(name), &status)
    return status.st_mode & 0o7777
  }

  private func stat_(_ path: String, _ status: inout stat) -> Int32 { lstat(path, &status) }

  @Test func `a new file has the permissions of the mask and nothing else is left`() throws {
    _ = try scratch.write("any", to: "b")
    try AtomicFile.save(bytes, to: scratch.file("a"), replacing: .nothing)
    #expect(scratch.read("a") == "new")
    #expect(scratch.names == ["a", "b"])
    #expect(mode("a") == mode("b"))
  }

  @Test func `an existing file stays`() throws {
    let path = try scratch.write("old", to: "a")
    #expect(
      failure { () throws(CropError) in
        try AtomicFile.save(bytes, to: path, replacing: .nothing)
      } == .outputExists(path: path))
    #expect(scratch.read("a") == "old")
    #expect(scratch.names == ["a"])
  }

  @Test func `a replaced file keeps its permissions`() throws {
    let path = try scratch.write("old", to: "a")
    chmod(path, 0o640)
    try AtomicFile.save(bytes, to: path, replacing: .existing)
    #expect(scratch.read("a") == "new")
    #expect(mode("a") == 0o640)
    #expect(scratch.names == ["a"])
  }

  @Test(arguments: [false, true])
  func `a file gets the time of its input on request`(keepsTime: Bool) throws {
    func time(_ name: String) -> [Int] {
      var status = stat()
      _ = stat_(scratch.file(name), &status)
      return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
    let path = try scratch.write("old", to: "a")
    let old = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_234_567, tv_nsec: 89)]
    #expect(utimensat(AT_FDCWD, path, old, 0) == 0)
    let input = try ImageSource(path: path)
    try AtomicFile.save(
      bytes, to: PathBytes(scratch.file("b")), replacing: .nothing, input: input, note: "note",
      keepsTime: keepsTime)
    #expect((time("b") == [1_234_567, 89]) == keepsTime)
    // The note is valid for the time that the file has.
    #expect(FileNote.read(at: PathBytes(scratch.file("b")))?.text == "note")
    let pending = try PendingSave(
      to: PathBytes(path), replacing: .input, input: input, keepsTime: keepsTime)
    try pending.save(.memory(bytes))
    #expect(scratch.read("a") == "new" && (time("a") == [1_234_567, 89]) == keepsTime)
  }

  @Test(arguments: ["same", "hard link", "symbolic link", "dotted"])
  func `the input is not replaced under any name`(way: String) throws {
    let path = try scratch.write("old", to: "a")
    let input = try ImageSource(path: path)
    var other = path
    switch way {
    case "hard link":
      other = scratch.file("b")
      #expect(link(path, other) == 0)
    case "symbolic link":
      other = scratch.file("b")
      #expect(symlink("a", other) == 0)
    case "dotted": other = scratch.file("./a")
    default: break
    }
    for replacing in [AtomicFile.Replacing.nothing, .existing] {
      #expect(
        failure { () throws(CropError) in
          try AtomicFile.save(bytes, to: other, replacing: replacing, input: input)
        } == .outputIsInput(path: other))
    }
    #expect(scratch.read("a") == "old")
    try AtomicFile.save(bytes, to: other, replacing: .input, input: input)
    #expect(FileManager.default.contents(atPath: other) == bytes)
  }

  @Test func `a link is followed, so that it stays a link`() throws {
    _ = try scratch.write("old", to: "a")
    #expect(symlink("a", scratch.file("b")) == 0)
    try AtomicFile.save(bytes, to: scratch.file("b"), replacing: .existing)
    #expect(scratch.read("a") == "new")
    #expect(mode("b") == 0o777)
  }

  @Test func `creation errors give the reason`() throws {
    mkdir(scratch.file("folder"), 0o755)
    _ = try scratch.write("x", to: "file")
    for (name, words) in [
      ("none/a", "does not exist; create it first"), ("folder", "a folder has this name"),
      ("folder/", "add a file name"), ("file/a", "is not a folder"),
      (String(repeating: "n", count: 256), "File name too long"),
    ] {
      let path = scratch.file(name)
      let error = failure { () throws(CropError) in
        try AtomicFile.save(bytes, to: path, replacing: .existing)
      }
      #expect(error?.exitStatus == 73)
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
      #expect(
        failure { () throws(CropError) in
          try AtomicFile.check(PathBytes(path), replacing: .existing)
        }
          == error)
    }
    #expect(scratch.names == ["file", "folder"])
  }

  @Test func `any name works`() throws {
    for name in [" ", "a\nb", "\"'", "-x.jpg", "--", "🦜.jpg", String(repeating: "n", count: 255)] {
      try AtomicFile.save(bytes, to: scratch.file(name), replacing: .nothing)
      #expect(scratch.read(name) == "new")
    }
  }

  @Test func `a full device is a full disk`() {
    let error = failure { () throws(CropError) in
      try AtomicFile.save(bytes, to: "/dev/full", replacing: .nothing)
    }
    #expect(error == .diskFull(path: "/dev/full"))
    #expect(error?.exitStatus == 74)
    #expect(error?.httpStatus == 507)
  }

  @Test func `a full disk leaves the old file and nothing else`() throws {
    let folder = scratch.file("disk")
    mkdir(folder, 0o755)
    guard mount("none", folder, "tmpfs", 0, "size=64k") == 0 else {
      print("SKIPPED: a full disk: mounting a small disk takes root")
      return
    }
    defer { umount(folder) }
    _ = try scratch.write("old", to: "disk/a")
    let large = Data(count: 1 << 20)
    for (name, replacing) in [("a", AtomicFile.Replacing.existing), ("b", .nothing)] {
      let path = folder + "/" + name
      #expect(
        failure { () throws(CropError) in
          try AtomicFile.save(large, to: path, replacing: replacing)
        } == .diskFull(path: path))
    }
    #expect(scratch.read("disk/a") == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
  }

  @Test func `a read-only disk is reported`() throws {
    let folder = scratch.file("disk")
    mkdir(folder, 0o755)
    guard mount("none", folder, "tmpfs", UInt(MS_RDONLY), nil) == 0 else {
      print("SKIPPED: a disk that can only be read: mounting one takes root")
      return
    }
    defer { umount(folder) }
    let path = folder + "/a"
    let errors = [
      failure { () throws(CropError) in
        try AtomicFile.check(PathBytes(path), replacing: .nothing)
      },
      failure { () throws(CropError) in
        try AtomicFile.save(Data(), to: path, replacing: .nothing)
      },
    ]
    for error in errors {
      #expect(error?.exitStatus == 73)
      #expect(error?.description.contains("Read-only file system") == true)
    }
  }

  @Test func `of many that save one new file simultaneously, exactly one succeeds`() {
    let path = scratch.file("a")
    for _ in 0..<20 {
      unlink(path)
      let errors = atOnce(8) { number in
        failure { () throws(CropError) in
          try AtomicFile.save(Data("\(number)".utf8), to: path, replacing: .nothing)
        }
      }
      #expect(errors.count { $0 == nil } == 1)
    }
    #expect(scratch.names == ["a"])
  }

  @Test func `only files of killed processes are removed after an hour`() throws {
    let old = [".cropkit-0abc9z.tmp", ".cropkit-.tmp", ".cropkit-A.tmp", "cropkit-a.tmp", "a.tmp"]
    for name in old + ["target"] {
      let path = try scratch.write("left", to: name)
      let times = [timeval](repeating: timeval(tv_sec: time(nil) - 3700, tv_usec: 0), count: 2)
      #expect(utimes(path, times) == 0)
    }
    _ = try scratch.write("at work", to: ".cropkit-1.tmp")
    symlink("target", scratch.file(".cropkit-2.tmp"))
    try AtomicFile.save(bytes, to: scratch.file("target"), replacing: .existing)
    #expect(
      scratch.names == (old.dropFirst() + [".cropkit-1.tmp", ".cropkit-2.tmp", "target"]).sorted())
    #expect(scratch.read("target") == "new")
  }

  @Test func `a named pipe is opened as soon as it has a reader`() throws {
    let path = scratch.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let target = try SaveTarget(PathBytes(path), replacing: .existing, input: nil)
    var pauses = 0
    var reader: Int32 = -1
    let file = try AtomicFile.opened(target) {
      pauses += 1
      if pauses == 3 { reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }
    #expect(pauses == 3)
    try bytes.withEveryByte { all throws(CropError) in try file.writeAll(all, path: path) }
    var read = [UInt8](repeating: 0, count: 8)
    #expect(Glibc.read(reader, &read, 8) == 3 && Data(read.prefix(3)) == bytes)
    close(reader)
  }

  @Test func `a named pipe without a reader is an error after a while`() throws {
    let path = scratch.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let target = try SaveTarget(PathBytes(path), replacing: .existing, input: nil)
    var pauses = 0
    let error = failure { () throws(CropError) in
      _ = try AtomicFile.opened(target) { pauses += 1 }
    }
    #expect(error == .outputUncreatable(path: path, detail: "nothing reads from this pipe"))
    #expect(pauses == 199)
  }
}

@Suite struct `Notes beside files` {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func note(_ name: String) -> String? {
    FileNote.read(at: PathBytes(scratch.file(name)))?.text
  }

  @Test func `a note is saved with the file and ends with the first change`() throws {
    try AtomicFile.save(
      Data("new".utf8), to: PathBytes(scratch.file("a")), replacing: .nothing, note: "why")
    guard let reported = note("a") else {
      print("SKIPPED: notes, for the file system keeps no attributes")
      return
    }
    #expect(reported == "why")
    // Changed permissions don't change the bytes.
    chmod(scratch.file("a"), 0o600)
    #expect(note("a") == "why")
    symlink("a", scratch.file("link"))
    #expect(note("link") == nil)
    #expect(note("missing") == nil)
    let file = try #require(fopen(scratch.file("a"), "r+"))
    fputs("old", file)
    fclose(file)
    // Independent of the resolution of the file system's timestamps.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: scratch.file("a"))
    #expect(note("a") == nil)
  }

  @Test func `a save without a note leaves none`() throws {
    try AtomicFile.save(
      Data("new".utf8), to: PathBytes(scratch.file("a")), replacing: .nothing, note: "why")
    try AtomicFile.save(Data("new".utf8), to: scratch.file("a"), replacing: .existing)
    #expect(note("a") == nil)
  }

  @Test func `a note that is too long is left out`() throws {
    try AtomicFile.save(
      Data("new".utf8), to: PathBytes(scratch.file("a")), replacing: .nothing,
      note: String(repeating: "x", count: 5000))
    #expect(scratch.read("a") == "new")
    #expect(note("a") == nil)
  }
}
