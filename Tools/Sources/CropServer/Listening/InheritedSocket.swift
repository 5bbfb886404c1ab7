import Glibc

/// A socket that is already listening when the server starts, passed by its parent process, such as
/// systemd (sd_listen_fds(3)).
public struct InheritedSocket: Sendable, Equatable {
  let file: Int32
  /// Where it listens.
  public let place: ListenAddress

  /// The first inherited descriptor.
  private static let first: Int32 = 3

  /// Takes the inherited socket of this process; nil if there is none.
  ///
  /// Its variables are removed from the environment, so that child processes do not use them.
  ///
  /// - Throws: ``ServerSettings/Refusal`` for several sockets, or one that is not listening.
  public static func taken() throws -> InheritedSocket? {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
    guard number("LISTEN_PID") == Int(getpid()), let count = number("LISTEN_FDS"), count > 0 else {
      return nil
    }
    guard count == 1 else {
      throw ServerSettings.Refusal(
        words: "the server takes one inherited socket, not \(count)")
    }
    return try InheritedSocket(file: first)
  }

  /// A descriptor of a listening socket.
  init(file: Int32) throws {
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening == 1,
      let place = Self.place(of: file)
    else {
      throw ServerSettings.Refusal(
        words: "the inherited file descriptor is not a listening socket")
    }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    self.file = file
    self.place = place
  }

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  private static func place(of file: Int32) -> ListenAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isNamed = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(file, $0, &length) == 0
      }
    }
    guard isNamed else { return nil }
    if storage.ss_family == sa_family_t(AF_UNIX) {
      let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
      let path = withUnsafeBytes(of: storage) { bytes in
        String(decoding: bytes[start..<Int(length)].prefix { $0 != 0 }, as: UTF8.self)
      }
      // Its creator decides who may connect.
      return .socket(path: path, mode: 0)
    }
    return number(storage, length)
  }

  /// The address and port of an IP socket.
  private static func number(_ storage: sockaddr_storage, _ length: socklen_t) -> ListenAddress? {
    var storage = storage
    var host = [CChar](repeating: 0, count: 64)
    var port = [CChar](repeating: 0, count: 8)
    let isTold = withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getnameinfo(
          $0, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
          NI_NUMERICHOST | NI_NUMERICSERV) == 0
      }
    }
    func text(_ bytes: [CChar]) -> String {
      String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard isTold, let port = Int(text(port)) else { return nil }
    return .port(.init(text: text(host), number: text(host)), port)
  }
}
