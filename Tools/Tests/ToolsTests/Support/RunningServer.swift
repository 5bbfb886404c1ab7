import Foundation
import Glibc
import Testing

/// A server of a test's own, on a free port. Whatever becomes of the test, it ends with it.
final class RunningServer: Sendable {
  let port: UInt16
  /// What the server printed when it listened.
  let greeting: String
  private let program: RunningProgram
  /// Holds the token and what the server says; its data and caches unless the test says otherwise.
  let folder: Folder

  /// What lets the tests in.
  static let token = "correct-horse-battery"
  /// The line of a request that lets it in.
  static let credentials = "Authorization: Bearer \(token)\r\n"
  /// The lines of a request that is let in.
  var ownFields: String { "Host: 127.0.0.1:\(port)\r\n\(Self.credentials)" }

  var process: pid_t { program.process }

  /// Starts a server and waits until it listens.
  convenience init(_ options: String...) async throws {
    try await self.init(options: options)
  }

  /// Starts a server with more in its environment and waits until it listens.
  init(
    options: [String], environment: [String: String] = [:], hasTokenFile: Bool = true,
    in workingFolder: String? = nil, log: String? = nil
  ) async throws {
    let folder = try Folder()
    self.folder = folder
    // Never the pictures of whoever runs the tests.
    let library = options.contains("--library") ? [] : ["--library", "none"]
    let patience = options.contains("--limit-seconds") ? [] : Program.patience
    var program = Program.server
    // Nor do their devices and settings count.
    let own = ["XDG_DATA_HOME": folder.path("data"), "XDG_CONFIG_HOME": folder.path("config")]
    let environment = own.merging(environment) { $1 }
    let words = environment.map { "\($0.key)=\($0.value)" } + [program.path]
    program.path = "/usr/bin/env"
    do {
      let access =
        hasTokenFile ? ["--token-file", try folder.write(Self.token.utf8, as: "token")] : []
      let choice = options.contains { ["--port", "--socket"].contains($0) } ? [] : ["--port", "0"]
      chmod(folder.path("token"), 0o600)
      self.program = try program.start(
        bytes: (words + choice + access + library + patience + options).map { Array($0.utf8) },
        output: folder.path("output"), errors: log ?? folder.path("log"),
        folder: workingFolder)
      greeting = try await Self.greeting(in: folder.url("output"))
      let digits = greeting.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst()
      try #require(greeting.hasPrefix("CropKit is at "), "\(greeting)")
      port = UInt16(digits.prefix { $0.isNumber }) ?? 0
    } catch {
      folder.remove()
      throw error
    }
  }

  deinit { folder.remove() }

  /// What a server says when it listens, as soon as it is there; it ends with the token.
  private static func greeting(in file: URL) async throws -> String {
    var text = ""
    try await eventually("a greeting") {
      text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n") && text.contains("token")
    }
    return text
  }

  /// What was written to standard output and to the log so far.
  var output: String { (try? String(contentsOf: folder.url("output"), encoding: .utf8)) ?? "" }
  var log: String { (try? String(contentsOf: folder.url("log"), encoding: .utf8)) ?? "" }

  /// Lets the server have so many more bytes of memory than it has now; it ends when it wants more.
  func allowMemory(more bytes: Int) async throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData") })
    let held = try #require(Int(line.filter(\.isNumber))) << 10
    let outcome = try await Program.shell(
      "prlimit --pid \(process) --data=\(held + bytes)", folder: folder.path)
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// Sends the signal to stop and waits for the end.
  @discardableResult
  func stop(signal: Int32 = SIGTERM) async -> Int32 {
    program.send(signal)
    return await program.end()
  }

  /// Sends a request with the fields of an honest client and returns the answer.
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

  /// Sends bytes as they are and returns all that comes back until the server closes.
  func exchange(_ bytes: Data) async throws -> Answer {
    let connection = try Connection(port: port)
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        connection.send(bytes)
        continuation.resume(with: Result { try Answer(connection.readAll()) })
      }
    }
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

  /// Connects to a port; one that keeps little takes no more than it reads.
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

  /// Sends bytes; false when the server has closed.
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

  /// Says that nothing more will be sent.
  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// For how many seconds nothing may come: as long as a machine that builds something else may need.
  private static let patience = 300

  /// All that comes until the server closes, or until `timeout` seconds of silence.
  func readAll(timeout: Int = patience) -> Data {
    var all = Data()
    while true {
      let more = read(timeout: timeout)
      if more.isEmpty { return all }
      all.append(more)
    }
  }

  /// Whether the server has not closed the connection; asked for when all was read that came.
  var isOpen: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
  }

  /// Whether the server has not closed the connection, whatever may still be there to read.
  var isStillThere: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) != 0
  }

  /// What comes up to some text, and what came along with that; less when the server closes.
  func read(until end: String) -> String {
    var text = ""
    while !text.contains(end) {
      let more = read()
      if more.isEmpty { return text }
      text += String(decoding: more, as: UTF8.self)
    }
    return text
  }

  /// What comes next; nothing when the server closes, or after `timeout` seconds of silence.
  func read(timeout: Int = patience) -> Data {
    var time = timeval(tv_sec: timeout, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    return Data(buffer[..<max(0, count)])
  }
}

/// What a server answered.
struct Answer: CustomStringConvertible {
  let status: Int
  /// The fields by their names in lower case.
  let fields: [String: String]
  let body: Data

  /// - Throws: for what is no answer.
  init(_ bytes: Data) throws {
    let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)), "\(bytes.count) bytes")
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    var lines = head.components(separatedBy: "\r\n")[...]
    status = try #require(Int(lines.removeFirst().split(separator: " ")[1]))
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
  /// The code of a problem, nil for any other answer.
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
