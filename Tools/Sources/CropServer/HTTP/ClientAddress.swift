import Glibc
import NIOCore
import PhotoLibrary

/// The origin of a connection or request.
struct ClientAddress: Sendable, Hashable {
  /// The text for users: a number, or `socket` for a proxy's connection.
  let text: String
  /// The network that limits apply to: one IPv4 address, or 64 bits of IPv6.
  let network: String

  /// Any client of a Unix socket.
  static let socket = ClientAddress("socket")

  init(of channel: any Channel) {
    self = channel.remoteAddress?.ipAddress.map { ClientAddress($0) } ?? .socket
  }

  init(_ number: String) {
    // An IPv4 address on a socket that accepts both families.
    let mapped = "::ffff:"
    let isMapped = number.lowercased().hasPrefix(mapped) && number.contains(".")
    text = isMapped ? String(number.dropFirst(mapped.count)) : number
    network = Self.prefix(of: text)
  }

  private static func prefix(of text: String) -> String {
    guard text.contains(":"), let bytes = HostNames.bytes(of: text, AF_INET6) else { return text }
    return Digests.text(bytes.prefix(8))
  }
}
