import Foundation
import Glibc
import Testing

/// A running `cropkit batch --stream -`: a test writes lines and reads responses. All calls block,
/// for at most five minutes, so use a separate thread.
final class StreamedBatch: @unchecked Sendable {
  /// A response, and the bytes after it.
  struct Answer {
    let fields: [String: Any]
    let bytes: Data

    var line: Int? { fields["line"] as? Int }
    var isOK: Bool { fields["ok"] as? Bool ?? false }
    var code: String? { (fields["error"] as? [String: Any])?["code"] as? String }
    var message: String { (fields["error"] as? [String: Any])?["message"] as? String ?? "" }
  }

  let running: RunningProgram
  private let scratch: Folder
  private var input: Int32
  private var output: Int32
  private var unread: [UInt8] = []

  /// Starts it in a folder, to which paths are relative.
  init(_ options: String..., in folder: Folder) throws {
    // Makes writing to a program that has exited an error instead of killing the tests.
    signal(SIGPIPE, SIG_IGN)
    scratch = try Folder()
    let names = [scratch.path("in"), scratch.path("out")]
    // Opened for reading and writing first, so that neither side blocks.
    let held = try names.map { name in
      guard mkfifo(name, 0o600) == 0 else { throw POSIXError(.EIO) }
      return try Self.opened(name, O_RDWR)
    }
    defer { held.forEach { close($0) } }
    input = try Self.opened(names[0], O_WRONLY)
    output = try Self.opened(names[1], O_RDONLY)
    // The tests' caller may ignore signals, and ignored signals are inherited.
    var fresh = Program("env")
    fresh.path = "/usr/bin/env"
    let words =
      ["--default-signal", Program.cropkit.path, "batch", "--stream", "-"]
      + Program.patience + options
    running = try fresh.start(
      words, input: names[0], output: names[1],
      errors: scratch.path("errors"), folder: folder.path)
  }

  deinit {
    closeInput()
    closeOutput()
  }

  private static func opened(_ name: String, _ flags: Int32) throws -> Int32 {
    let raw = open(name, flags | O_CLOEXEC)
    guard raw >= 0 else { throw POSIXError(.EIO) }
    return raw
  }

  /// Writes a line, and bytes after it.
  func send(_ line: String, bytes: Data = Data()) throws {
    try write(Data("\(line)\n".utf8) + bytes)
  }

  /// Writes only these bytes.
  func write(_ bytes: Data) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try wait(for: POLLOUT, on: input)
      let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, min($0.count, 4096)) }
      guard count > 0 else { throw POSIXError(.EPIPE) }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes the line repeatedly until it would block; returns how often.
  func sendWhileTaken(_ line: String) -> Int {
    let bytes = Array("\(line)\n".utf8)
    var count = 0
    while takesMore, Glibc.write(input, bytes, bytes.count) > 0 {
      count += 1
    }
    return count
  }

  /// Whether the pipe of lines has space.
  var takesMore: Bool { isReady(POLLOUT, on: input, within: 0) }

  /// Whether there is an unread response.
  var isAnswering: Bool { !unread.isEmpty || isReady(POLLIN, on: output, within: 0) }

  /// The number of unread bytes of responses.
  var waitingBytes: Int {
    var count: Int32 = 0
    _ = ioctl(output, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// The next response; nil at the end.
  func answer() throws -> Answer? {
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let line = Data(unread[..<end])
        unread.removeSubrange(...end)
        let object = try JSONSerialization.jsonObject(with: line)
        let fields = try #require(object as? [String: Any])
        let count = (fields["output"] as? [String: Any])?["bytes"] as? Int ?? 0
        while unread.count < count { try #require(try readMore()) }
        defer { unread.removeFirst(count) }
        return Answer(fields: fields, bytes: Data(unread.prefix(count)))
      }
      guard try readMore() else { return nil }
    }
  }

  /// All responses until the end.
  func rest() throws -> [Answer] {
    var all: [Answer] = []
    while let answer = try answer() { all.append(answer) }
    return all
  }

  private func readMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    try wait(for: POLLIN, on: output)
    let count = read(output, &buffer, buffer.count)
    guard count >= 0 else { throw POSIXError(.EIO) }
    unread += buffer[..<count]
    return count > 0
  }

  private func wait(for event: Int32, on file: Int32) throws {
    guard isReady(event, on: file, within: 300_000) else { throw POSIXError(.ETIMEDOUT) }
  }

  private func isReady(_ event: Int32, on file: Int32, within milliseconds: Int32) -> Bool {
    var look = pollfd(fd: file, events: Int16(event), revents: 0)
    return poll(&look, 1, milliseconds) > 0
  }

  /// Closes the input.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Closes the pipe of responses.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Its standard error.
  var errors: String {
    (try? String(contentsOf: scratch.url("errors"), encoding: .utf8)) ?? ""
  }
}
