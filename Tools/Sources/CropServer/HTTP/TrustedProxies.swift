import Glibc
import HTTPTypes
import Hummingbird

/// The proxies that are trusted to report the client's address and the host name it used.
public struct TrustedProxies: Sendable, Equatable {
  private struct Range: Equatable {
    let bytes: [UInt8]
    let bits: Int
  }

  private var ranges: [Range] = []
  private var trustsSocket = false

  /// No proxies.
  public init() {}

  /// Parses proxy addresses (`192.168.1.2`, `10.0.0.0/8`, `fd00::/8`); `socket` means any client of
  /// a Unix socket.
  ///
  /// - Throws: ``ServerSettings/Refusal`` for anything else.
  public init(_ texts: [String]) throws {
    for text in texts {
      if text == "socket" {
        trustsSocket = true
        continue
      }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let bytes = Self.bytes(of: String(parts[0])), parts.count <= 2,
        let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8,
        (0...bytes.count * 8).contains(bits)
      else {
        throw ServerSettings.Refusal(
          words:
            "--trusted-proxy \(text) is not an address such as 192.168.1.2, 10.0.0.0/8 or socket")
      }
      ranges.append(Range(bytes: bytes, bits: bits))
    }
  }

  private static func bytes(of text: String) -> [UInt8]? {
    let plain = ClientAddress(text).text
    return HostNames.bytes(of: plain, AF_INET) ?? HostNames.bytes(of: plain, AF_INET6)
  }

  func contains(_ address: ClientAddress) -> Bool {
    if address == .socket { return trustsSocket }
    guard let bytes = Self.bytes(of: address.text) else { return false }
    return ranges.contains { range in
      range.bytes.count == bytes.count
        && (0..<range.bits).allSatisfy { bit in
          (range.bytes[bit / 8] ^ bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }
  }

  /// The client that sent a request arriving from `address`: the last one in the chain that is not
  /// a trusted proxy.
  ///
  /// A client can send either field, and a proxy sets one of them and forwards the other. So if
  /// both exist and differ, neither is trusted.
  func client(of fields: HTTPFields, from address: ClientAddress) -> ClientAddress {
    guard contains(address) else { return address }
    let plain = way(fields.all(named: "X-Forwarded-For").joined(separator: ","))
    let standard = way(
      Self.parameters("for", in: fields.all(named: "Forwarded")).joined(separator: ","))
    if let plain, let standard, plain != standard { return address }
    return plain ?? standard ?? address
  }

  /// The host name that the client used, if it came through proxies that report it; otherwise nil.
  func host(of fields: HTTPFields, from address: ClientAddress) -> String? {
    guard contains(address) else { return nil }
    let plain = fields.all(named: "X-Forwarded-Host").flatMap { $0.split(separator: ",") }
      .last.map { String($0).trimmed.lowercased() }
    let standard = Self.parameters("host", in: fields.all(named: "Forwarded")).last?.lowercased()
    if let plain, let standard, plain != standard { return nil }
    return plain ?? standard
  }

  /// The last address of a list that is not a proxy's.
  private func way(_ list: String) -> ClientAddress? {
    var found: ClientAddress?
    for part in list.split(separator: ",").reversed() {
      guard let number = Self.number(in: String(part).trimmed) else { return found }
      let address = ClientAddress(number)
      found = address
      if !contains(address) { return found }
    }
    return found
  }

  /// The number in `1.2.3.4`, `1.2.3.4:5678`, `::1` and `[::1]:5678`.
  private static func number(in text: String) -> String? {
    var number = text
    if text.hasPrefix("[") {
      number = String(text.dropFirst().prefix { $0 != "]" })
    } else if text.count(where: { $0 == ":" }) == 1 {
      number = String(text.prefix { $0 != ":" })
    }
    return bytes(of: number) == nil ? nil : number
  }

  /// The values of a parameter in `Forwarded` fields (RFC 7239), without their quotes.
  private static func parameters(_ name: String, in fields: [String]) -> [String] {
    fields.flatMap { $0.split { $0 == "," || $0 == ";" } }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, String(parts[0]).trimmed.lowercased() == name else { return nil }
      return String(parts[1]).trimmed.replacing("\"", with: "")
    }
  }
}

/// Takes the client's address and host name from the header fields of trusted proxies.
struct ProxyMiddleware: RouterMiddleware {
  let live: LiveSettings

  func handle(
    _ request: Request, context: CropContext,
    next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    let proxies = live.now.proxies
    var request = request
    if let host = proxies.host(of: request.headers, from: context.address) {
      var head = request.head
      head.authority = host
      request = Request(head: head, body: request.body)
    }
    context.address = proxies.client(of: request.headers, from: context.address)
    return try await next(request, context)
  }
}
