import CropImaging
import FoundationEssentials
import Glibc

/// The outcome of opening files.
public struct OpenReply: Codable, Sendable {
  /// The file that redirects a browser to the photos, or to the page for choosing one if none were
  /// named; nil if none could be opened.
  public let file: String?
  /// The files that could not be opened.
  public let refused: [Refused]

  /// A file that could not be opened.
  public struct Refused: Codable, Sendable {
    /// A one-line message.
    public let message: String
    /// As in `CropError`.
    public let exitStatus: Int32
  }
}

extension InstanceLock {
  /// Asks the user's server to open files. Blocks.
  ///
  /// - Parameter paths: absolute paths; empty if the page should ask.
  /// - Returns: nil if no server is ready: it may be stopping or starting.
  public func open(_ paths: [PathBytes]) throws(CropError) -> OpenReply? {
    guard let server = try server(), let connection = LoopbackConnection(port: server.port) else {
      return nil
    }
    let body = Array(paths.map(\.bytes).joined(separator: [0]))
    let head = """
      POST \(OpenRoutes.path) HTTP/1.1\r
      Host: 127.0.0.1:\(server.port)\r
      Authorization: Bearer \(server.token)\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    guard connection.send(Array(head.utf8) + body) else { return nil }
    let answer = connection.readAll()
    guard answer.starts(with: "HTTP/1.1 200 ".utf8),
      let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
    else { return nil }
    return try? JSONDecoder().decode(OpenReply.self, from: Data(answer[end.upperBound...]))
  }
}

/// A connection to a server on this machine.
private final class LoopbackConnection {
  private let socket: Int32

  /// Connects; nil if nothing is listening.
  init?(port: Int) {
    socket = StreamSocket.open(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { return nil }
  }

  deinit { close(socket) }

  /// Sends bytes; false if the server has closed the connection.
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads everything until the server closes the connection.
  func readAll() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }
}
