import CropImaging
import Glibc

/// Where a server listens.
public enum ListeningPlace: Sendable, Equatable {
  /// A port of an address; port 0 takes a free one.
  case port(Host, Int)
  /// A Unix socket, and who may connect to it, as the bits of a file's mode.
  case socket(path: String, mode: UInt32)

  /// The usual port of this machine alone.
  public static let loopback = port(.loopback, 8080)

  /// An address to listen on.
  public struct Host: Sendable, Equatable {
    /// A name as it was given, or a number in its usual form: `0` is `0.0.0.0`, `127.1` is `127.0.0.1`.
    public let text: String
    /// What is listened on: a number.
    let number: String

    /// This machine alone.
    public static let loopback = Host(text: "127.0.0.1", number: "127.0.0.1")

    init(text: String, number: String) {
      self.text = text
      self.number = number
    }

    /// The address of a name or a number in any notation. Blocks.
    ///
    /// - Throws: ``ServerSettings/Refusal`` for what is none.
    public init(_ text: String) throws {
      if let number = Self.number(of: text, AI_NUMERICHOST) {
        self.init(text: number, number: number)
      } else if let number = Self.number(of: text, 0), !text.isEmpty {
        self.init(text: text, number: number)
      } else {
        throw ServerSettings.Refusal(words: "\"\(text)\" is no address of this machine")
      }
    }

    private static func number(of text: String, _ flags: Int32) -> String? {
      var hints = addrinfo()
      hints.ai_flags = flags
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
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

    /// Whether all addresses of this machine are meant.
    public var isEverything: Bool { number == "0.0.0.0" || number == "::" }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
      let plain = ClientAddress(number).text
      if let bytes = OwnAddress.bytes(of: plain, AF_INET) { return bytes[0] == 127 }
      return OwnAddress.bytes(of: plain, AF_INET6) == Array(repeating: 0, count: 15) + [1]
    }

    /// As part of an address of the web.
    var authority: String { text.contains(":") ? "[\(text)]" : text.lowercased() }
  }
}

/// What browsers call a server: a scheme, a name and a port.
public struct Origin: Sendable, Equatable {
  /// `http` or `https`.
  let scheme: String
  /// The name, and the port where it is not the usual one, in lower case.
  let authority: String

  /// Reads `https://photos.example.org`; nil for anything else but such an address without a path.
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

  /// As browsers write it.
  public var text: String { "\(scheme)://\(authority)" }
}
