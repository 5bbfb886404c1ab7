import Glibc
import NIOCore
import PhotoLibrary

/// Where a connection comes from.
struct ClientAddress: Sendable, Hashable {
  /// For a person to read: a number, or `socket` where a proxy connects.
  let text: String
  /// What one client may have all of: one address of IPv4, 64 bits of IPv6.
  let network: String

  /// Whoever connects to a Unix socket.
  static let socket = ClientAddress("socket")

  init(of channel: any Channel) {
    self = channel.remoteAddress?.ipAddress.map { ClientAddress($0) } ?? .socket
  }

  init(_ number: String) {
    // IPv4 through a socket that listens for both.
    let mapped = "::ffff:"
    let isMapped = number.lowercased().hasPrefix(mapped) && number.contains(".")
    text = isMapped ? String(number.dropFirst(mapped.count)) : number
    network = Self.prefix(of: text)
  }

  private static func prefix(of text: String) -> String {
    guard text.contains(":"), let bytes = OwnAddress.bytes(of: text, AF_INET6) else { return text }
    return Digests.text(bytes.prefix(8))
  }
}
