import Glibc

/// The names of this machine in its network.
enum HostNames {
  /// The first IPv4 address at which other machines reach this one; nil without a network.
  static var network: String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = Int(entry.ifa_flags)
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        flags & Int(IFF_UP) != 0, flags & Int(IFF_LOOPBACK) == 0
      else { continue }
      var number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        $0.pointee.sin_addr
      }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      guard inet_ntop(AF_INET, &number, &text, socklen_t(text.count)) != nil else { continue }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return nil
  }

  /// The machine's name and its name in the local network, in lower case.
  static var names: [String] {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return [] }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    ).lowercased()
    guard !text.isEmpty else { return [] }
    return [text, "\(text).local"]
  }

  /// Whether a text is a complete numeric address of the family `AF_INET` or `AF_INET6`.
  static func isNumber(_ text: String, _ family: Int32) -> Bool {
    bytes(of: text, family) != nil
  }

  /// The bytes of an address in network order: 4 for the family `AF_INET`, 16 for `AF_INET6`; nil
  /// for an invalid address.
  static func bytes(of text: String, _ family: Int32) -> [UInt8]? {
    var number = in6_addr()
    guard inet_pton(family, text, &number) == 1 else { return nil }
    return withUnsafeBytes(of: number) { Array($0.prefix(family == AF_INET ? 4 : 16)) }
  }
}
