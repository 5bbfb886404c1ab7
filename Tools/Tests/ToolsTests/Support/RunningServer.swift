import Foundation
import Glibc
import Testing

/// A server for one test, on a free port. It is stopped with the test, whatever happens.
final class RunningServer: Sendable {
  let port: UInt16
  /// The server's output when it started to listen.
  let greeting: String
  private let program: RunningProgram
  /// Contains the token and the server's output; its data and caches too, unless the test sets
  /// another folder.
  let folder: Folder

  /// The tests' access token.
  static let token = "correct-horse-battery"
  /// The header field with the token.
  static let credentials = "Authorization: Bearer \(token)\r\n"
  /// The header fields of a request with access.
  var ownFields: String { "Host: 127.0.0.1:\(port)\r\n\(Self.credentials)" }

  var process: pid_t { program.process }

  /// Starts a server and waits until it listens.
  convenience init(_ options: String...) async throws {
    try await self.init(options: options)
  }

  /// Starts a server with additional environment variables, and waits until it listens.
  init(
    options: [String], environment: [String: String] = [:], hasTokenFile: Bool = true,
    in workingFolder: String? = nil, log: String? = nil
  ) async throws {
    let folder = try Folder()
    self.folder = folder
    // Never the images of the user who runs the tests.
    let library = options.contains("--library") ? [] : ["--library", "none"]
    let patience = options.contains("--limit-seconds") ? [] : Program.patience
    var program = Program.server
    // Nor that user's devices and settings.
    let own = ["XDG_DATA_HOME": folder.path("data"), "XDG_CONFIG_HOME": folder.path("config")]
    let environment = own.merging(environment) { $1 }
    let words = environment.map { "\($0.key)=\($0.value)" } + [program.path]
    program.path = "/usr/bin/env"
    let access =
      hasTokenFile ? ["--token-file", try folder.write(Self.token.utf8, as: "token")] : []
    let choice = options.contains { ["--port", "--socket"].contains($0) } ? [] : ["--port", "0"]
    chmod(folder.path("token"), 0o600)
    self.program = try program.start(
      words + choice + access + library + patience + options,
      output: folder.path("output"), errors: log ?? folder.path("log"), folder: workingFolder)
    greeting = try await Self.greeting(in: folder.url("output"))
    let digits = greeting.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst()
    try #require(greeting.hasPrefix("CropKit is at "), "\(greeting)")
    port = UInt16(digits.prefix { $0.isNumber }) ?? 0
  }

  /// The server's output when it starts to listen, as soon as it is complete; it ends with the
  /// token.
  private static func greeting(in file: URL) async throws -> String {
    var text = ""
    try await eventually("a greeting") {
      text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n") && text.contains("token")
    }
    return text
  }

  /// The standard output and the log so far.
  var output: String { (try? String(contentsOf: folder.url("output"), encoding: .utf8)) ?? "" }
  var log: String { (try? String(contentsOf: folder.url("log"), encoding: .utf8)) ?? "" }

  /// Limits the server's memory to this many bytes more than it has now; it exits when it needs
  /// more.
  func allowMemory(more bytes: Int) async throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData") })
    let held = try #require(Int(line.filter(\.isNumber))) << 10
    let outcome = try await Program.shell(
      "prlimit --pid \(process) --data=\(held + bytes)", folder: folder.path)
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// Sends the signal to stop and waits for the exit.
  @discardableResult
  func stop(signal: Int32 = SIGTERM) async -> Int32 {
    program.send(signal)
    return await program.end()
  }

  /// Sends a request with the usual fields and returns the response.
  func send(
    _ line: String, _ fields: [String: String] = [:], body: Data? = nil, knowsToken: Bool = true
  ) async throws -> Answer {
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if knowsToken { all["Authorization"] = "Bearer \(Self.token)" }
    if let body { all["Content-Length"] = "\(body.count)" }
    all.merge(fields) { _, new in new }
    var head = "\(line) HTTP/1.1\r\n"
    for (name, value) in all.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    return try await exchange(Data("\(head)\r\n".utf8) + (body ?? Data()))
  }

  /// Sends bytes unchanged and returns everything until the server closes the connection.
  func exchange(_ bytes: Data) async throws -> Answer {
    try await Connection(port: port).exchange(bytes)
  }
}

/// A connection to a server on this machine.
final class Connection: Sendable {
  private let socket: Int32

  /// Connects to a Unix socket.
  init(path: String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// Connects to a port; with `keepsLittle`, it buffers hardly more than it reads.
  init(port: UInt16, keepsLittle: Bool = false) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if keepsLittle {
      var size: Int32 = 4096
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(socket) }

  /// Sends bytes; false if the server has closed the connection.
  @discardableResult
  func send(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count = Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if count <= 0 { return false }
        done += count
      }
      return true
    }
  }

  /// Closes the sending side.
  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// The timeout in seconds: long enough for a machine that is building something else.
  private static let patience = 300

  /// Sends bytes and returns the response; the server closes the connection after it.
  ///
  /// - Throws: ``NoAnswer``.
  func exchange(_ bytes: Data) async throws -> Answer {
    let all = await onOwnThread {
      send(bytes)
      return rest(timeout: Self.patience)
    }
    return try Answer(all)
  }

  /// The response; the server closes the connection after it.
  ///
  /// - Throws: ``NoAnswer``.
  func answer() async throws -> Answer { try Answer(await readAll()) }

  /// Everything until the server closes the connection, or until `timeout` seconds of silence.
  func readAll(timeout: Int = patience) async -> Data {
    await onOwnThread { rest(timeout: timeout) }
  }

  private func rest(timeout: Int) -> Data {
    var all = Data()
    while true {
      let more = next(timeout: timeout)
      if more.isEmpty { return all }
      all.append(more)
    }
  }

  /// Whether the server has not closed the connection; call this after reading everything.
  var isOpen: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
  }

  /// Whether the server has not closed the connection, even if there is unread data.
  var isStillThere: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) != 0
  }

  /// Everything up to a text, and the data that arrived with it; less if the server closes the
  /// connection.
  func read(until end: String) async -> String {
    await onOwnThread {
      var text = ""
      while !text.contains(end) {
        let more = next(timeout: Self.patience)
        if more.isEmpty { return text }
        text += String(decoding: more, as: UTF8.self)
      }
      return text
    }
  }

  /// The next data; empty if the server closes the connection, or after the timeout.
  func read() async -> Data {
    await onOwnThread { next(timeout: Self.patience) }
  }

  private func next(timeout: Int) -> Data {
    var time = timeval(tv_sec: timeout, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    return Data(buffer[..<max(0, count)])
  }
}

/// The bytes received instead of a response; none if the server closed the connection without responding.
struct NoAnswer: Error, CustomStringConvertible {
  let bytes: Data

  var description: String {
    "no response, but \(bytes.count) bytes: \(String(decoding: bytes.prefix(200), as: UTF8.self))"
  }
}

/// A server's response.
struct Answer: CustomStringConvertible {
  let status: Int
  /// The fields by their lower-case names.
  let fields: [String: String]
  let body: Data

  init(_ bytes: Data) throws(NoAnswer) {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { throw NoAnswer(bytes: bytes) }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    var lines = head.components(separatedBy: "\r\n")[...]
    let words = lines.removeFirst().split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { throw NoAnswer(bytes: bytes) }
    self.status = status
    fields = Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2
          ? (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)) : nil
      }
    ) { first, _ in first }
    body = bytes[end.upperBound...]
  }

  var text: String { String(decoding: body, as: UTF8.self) }
  /// The code of an error; nil for any other response.
  var problem: String? {
    struct Body: Decodable { let code: String }
    guard fields["content-type"] == "application/problem+json" else { return nil }
    return try? JSONDecoder().decode(Body.self, from: body).code
  }
  var description: String { "\(status) \(fields) \(text.prefix(400))" }
}

extension String {
  /// The text as part of a query.
  var query: String {
    addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
