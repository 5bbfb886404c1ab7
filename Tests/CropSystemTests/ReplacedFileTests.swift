import CSystemCalls
import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropSystem

@Suite struct `A file that is replaced` {
  private let scratch: Scratch
  private let bytes = Data("new".utf8)

  init() throws { scratch = try Scratch() }

  /// Sets an extended attribute; false if the file system does not support it.
  private func set(_ name: String, _ value: [UInt8], of file: String) throws -> Bool {
    let raw = open(scratch.file(file), O_RDONLY)
    defer { close(raw) }
    if ckc_system_set_attribute(raw, name, value, value.count) == 0 { return true }
    print("SKIPPED: \(name), for the file system keeps no such attributes")
    return false
  }

  private func get(_ name: String, of file: String) -> [UInt8]? {
    let raw = open(scratch.file(file), O_RDONLY)
    defer { close(raw) }
    var value = [UInt8](repeating: 0, count: 1 << 16)
    let count = ckc_system_get_attribute(raw, name, &value, value.count)
    return count < 0 ? nil : Array(value[..<count])
  }

  private func replaceInput(_ name: String, note: String? = nil) throws {
    let path = scratch.file(name)
    let input = try ImageSource(path: path)
    try AtomicFile.save(bytes, to: PathBytes(path), replacing: .input, input: input, note: note)
    #expect(scratch.read(name) == "new")
  }

  @Test(arguments: [mode_t(0o644), 0o400])
  func `keeps the attributes of users where it is the input`(mode: mode_t) throws {
    let path = try scratch.write("old", to: "a")
    let long = [UInt8](repeating: 7, count: 1000)
    guard try set("user.comment", Array("mine".utf8), of: "a"), try set("user.empty", [], of: "a"),
      try set("user.long", long, of: "a"), try set("user.cropkit", Array("stale".utf8), of: "a")
    else { return }
    chmod(path, mode)
    try replaceInput("a")
    #expect(get("user.comment", of: "a") == Array("mine".utf8))
    #expect(get("user.empty", of: "a") == [])
    #expect(get("user.long", of: "a") == long)
    // A note belongs to the previous bytes.
    #expect(get("user.cropkit", of: "a") == nil)
    var status = stat()
    stat(path, &status)
    #expect(status.st_mode & 0o777 == mode)
  }

  @Test func `does not hand on the attributes of another picture`() throws {
    let path = try scratch.write("old", to: "a")
    guard try set("user.comment", Array("mine".utf8), of: "a") else { return }
    try AtomicFile.save(bytes, to: path, replacing: .existing)
    #expect(get("user.comment", of: "a") == nil)
  }

  /// Permissions of the owner, user 1234, the group, the mask and all others (acl(5)).
  private func accessList(user: UInt8, group: UInt8, mask: UInt8) -> [UInt8] {
    func entry(_ tag: UInt8, _ rights: UInt8, _ id: UInt32 = .max) -> [UInt8] {
      [tag, 0, rights, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> ($0 * 8)) }
    }
    return [2, 0, 0, 0] + entry(1, 6) + entry(2, user, 1234) + entry(4, group) + entry(16, mask)
      + entry(32, 0)
  }

  @Test(arguments: [AtomicFile.Replacing.existing, .input])
  func `keeps its access control list`(replacing: AtomicFile.Replacing) throws {
    let path = try scratch.write("old", to: "a")
    let list = accessList(user: 6, group: 0, mask: 6)
    guard try set("system.posix_acl_access", list, of: "a") else { return }
    try AtomicFile.save(bytes, to: path, replacing: replacing)
    #expect(get("system.posix_acl_access", of: "a") == list)
  }

  @Test func `without a list gets none from its folder`() throws {
    _ = try scratch.write("old", to: "a")
    chmod(scratch.file("a"), 0o640)
    let list = accessList(user: 7, group: 0, mask: 7)
    guard try set("system.posix_acl_default", list, of: ".") else { return }
    try replaceInput("a")
    #expect(get("system.posix_acl_access", of: "a") == nil)
    var status = stat()
    stat(scratch.file("a"), &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test(arguments: [EIO, ENOSPC], [AtomicFile.Replacing.existing, .input])
  func `is reported, though its folder can't be flushed`(
    error: Int32, replacing: AtomicFile.Replacing
  ) throws {
    let path = try scratch.write("old", to: "a")
    let reported = TemporaryFile.$flush.withValue({ _ in
      errno = error
      return -1
    }) {
      failure { () throws(CropError) in
        try AtomicFile.save(bytes, to: path, replacing: replacing)
      }
    }
    #expect(reported == .notFlushed(path: path, detail: String(cString: strerror(error))))
    #expect(reported?.exitStatus == 74)
    #expect(reported?.description.contains("the new file is in place") == true)
    #expect(scratch.read("a") == "new")
    #expect(scratch.names == ["a"])
  }

  @Test(arguments: [(EIO, "write-failed"), (ENOSPC, "disk-full")])
  func `a new file is removed if its folder can't be flushed`(error: Int32, code: String) throws {
    let path = scratch.file("a")
    let reported = TemporaryFile.$flush.withValue({ _ in
      errno = error
      return -1
    }) {
      failure { () throws(CropError) in
        try AtomicFile.save(bytes, to: path, replacing: .nothing)
      }
    }
    #expect(reported?.code == code)
    #expect(scratch.names.isEmpty)
  }
}
