import CropImaging
import Glibc

/// Where a server listens.
public enum ListenAddress: Sendable, Equatable {
  /// A port of an address; port 0 takes a free one.
  case port(Host, Int)
  /// A Unix socket, and who may connect to it, as the bits of a file mode.
  case socket(path: String, mode: UInt32)

  /// The default port, for this machine only.
  public static let loopback = port(.loopback, 8080)

  /// The address to listen on.
  public struct Host: Sendable, Equatable {
    /// The name as given, or the number in its usual form: `0` is `0.0.0.0`, `127.1` is
    /// `127.0.0.1`.
    public let text: String
    /// The numeric address that is bound.
    let number: String

    /// This machine only.
    public static let loopback = Host(text: "127.0.0.1", number: "127.0.0.1")

    init(text: String, number: String) {
      self.text = text
      self.number = number
    }

    /// Resolves a name, or a number in any notation. Blocks.
    ///
    /// - Throws: ``ServerSettings/Refusal`` for an invalid address.
    public init(_ text: String) throws {
      if let number = Self.number(of: text, AI_NUMERICHOST) {
        self.init(text: number, number: number)
      } else if let number = Self.number(of: text, 0), !text.isEmpty {
        self.init(text: text, number: number)
      } else {
        throw ServerSettings.Refusal(words: "\"\(text)\" is not an address of this machine")
      }
    }

    private static func number(of text: String, _ flags: Int32) -> String? {
      var hints = addrinfo()
      hints.ai_flags = flags
      hints.ai_socktype = StreamSocket.type
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(text, nil, &hints, &list) == 0, let first = list else { return nil }
      defer { freeaddrinfo(list) }
      var name = [CChar](repeating: 0, count: 64)
      guard
        getnameinfo(
          first.pointee.ai_addr, first.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
          NI_NUMERICHOST) == 0
      else { return nil }
      return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether it means all addresses of this machine.
    public var isEverything: Bool { number == "0.0.0.0" || number == "::" }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
      let plain = ClientAddress(number).text
      if let bytes = HostNames.bytes(of: plain, AF_INET) { return bytes[0] == 127 }
      return HostNames.bytes(of: plain, AF_INET6) == Array(repeating: 0, count: 15) + [1]
    }

    /// The form for URLs.
    var authority: String { text.contains(":") ? "[\(text)]" : text.lowercased() }
  }
}

/// A server's origin in browsers: a scheme, a name and a port.
public struct Origin: Sendable, Equatable {
  /// `http` or `https`.
  let scheme: String
  /// The name, and the port if it is not the default one, in lower case.
  let authority: String

  /// Parses `https://photos.example.org`; nil for anything but such an address without a path.
  public init?(_ text: String) {
    let text = text.hasSuffix("/") ? text.lowercased().dropLast() : text.lowercased()[...]
    let parts = text.split(separator: "://", omittingEmptySubsequences: false)
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-._:[]"
    guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty,
      parts[1].allSatisfy(allowed.contains)
    else { return nil }
    scheme = String(parts[0])
    authority = String(parts[1])
  }

  /// The form that browsers send.
  public var text: String { "\(scheme)://\(authority)" }
}
