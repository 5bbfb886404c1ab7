import CCurl
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird

/// A request to a gallery.
struct GalleryRequest {
  /// A part of a body.
  enum Part {
    case bytes([UInt8])
    /// The first `count` bytes of a file.
    case file(Int32, count: Int)

    fileprivate var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, let count): count
      }
    }
  }

  var method: String
  /// The path after the gallery's address, percent-encoded, with its leading slash.
  var path: String
  var fields: [String] = []
  /// The body's parts; nil for a request without a body.
  var body: [Part]?
  /// The maximum length of the response in bytes.
  var limit = 4 << 20

  /// A body of JSON.
  static func json(_ method: String, _ path: String, _ json: Data) -> Self {
    Self(
      method: method, path: path, fields: ["Content-Type: application/json"],
      body: [.bytes(Array(json))])
  }
}

/// A gallery's response, with any status.
struct GalleryResponse {
  let status: Int
  /// The header fields by lower-case name.
  let fields: [String: String]
  /// The body; empty if it was written to a file.
  let body: Data
  /// The length of the body in bytes.
  let count: Int
}

/// An HTTP client for a gallery: it only connects to the gallery's origin, limits size and time,
/// and follows no redirects.
///
/// A request blocks until the gallery responds. Each uses a new connection.
struct GalleryClient: Sendable {
  /// The gallery's name for users.
  let title: String
  let address: GalleryAddress
  /// How the client signs in.
  let credentials: Credentials
  /// The timeout in seconds while no data are transferred.
  var patience = 20
  /// The maximum number of seconds for a request, even if data are transferred.
  private static let longest = 600
  /// The minimum transfer in bytes per second.
  private static let slowest = 4096

  enum Credentials: Sendable {
    case key(GallerySecret)
    case password(user: String, GallerySecret)

    /// The secret in each form that a request or a response may contain.
    fileprivate var forms: [String] {
      switch self {
      case .key(let secret): [secret.value]
      case .password(let user, let secret):
        [secret.value, Data("\(user):\(secret.value)".utf8).base64EncodedString()]
      }
    }
  }

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Sends a request and receives the response. Blocks.
  ///
  /// - Parameters:
  ///   - file: receives the body of a response with status 200, instead of memory.
  ///   - stop: cancels the request.
  /// - Throws: `Problem` if the response was incomplete.
  func send(
    _ request: GalleryRequest, into file: Int32? = nil, until stop: CropStop? = nil
  ) throws(Problem) -> GalleryResponse {
    guard Self.isReady, let handle = curl_easy_init() else {
      throw Problem(.internalServerError, code: "internal", "no connection can be made")
    }
    defer { curl_easy_cleanup(handle) }
    let exchange = Exchange(request, isPlain: address.isPlain, file: file, stop: stop)
    var lines: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(lines) }
    for line in fields(of: request) { lines = curl_slist_append(lines, line) }
    prepare(handle, request)
    _ = ckc_curl_lines(handle, lines)
    let status = withExtendedLifetime(exchange) {
      exchange.attach(to: handle)
      return curl_easy_perform(handle)
    }
    guard status == CURLE_OK else { throw problem(status, exchange) }
    let code = ckc_curl_status(handle)
    guard !(300..<400).contains(code) || code == 304 else {
      throw Problem(
        .badGateway, code: Problem.galleryRedirect,
        "\(title) redirects to another URL, which is not followed; set its current URL")
    }
    return GalleryResponse(
      status: code, fields: exchange.fields, body: exchange.body, count: exchange.count)
  }

  private func fields(of request: GalleryRequest) -> [String] {
    var fields = request.fields + ["Expect:", "User-Agent: CropKit"]
    if case .key(let key) = credentials { fields.append("x-api-key: \(key.value)") }
    return fields
  }

  private func prepare(_ handle: UnsafeMutableRawPointer, _ request: GalleryRequest) {
    _ = ckc_curl_text(handle, CURLOPT_URL, address.text + request.path)
    _ = ckc_curl_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
    _ = ckc_curl_text(handle, CURLOPT_PROTOCOLS_STR, address.isPlain ? "http" : "https")
    _ = ckc_curl_long(handle, CURLOPT_FOLLOWLOCATION, 0)
    // A proxy from the environment would see the secret.
    _ = ckc_curl_text(handle, CURLOPT_PROXY, "")
    _ = ckc_curl_long(handle, CURLOPT_NETRC, 0)
    _ = ckc_curl_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
    _ = ckc_curl_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
    if let file = address.authorities { _ = ckc_curl_text(handle, CURLOPT_CAINFO, file) }
    _ = ckc_curl_long(handle, CURLOPT_NOSIGNAL, 1)
    _ = ckc_curl_long(handle, CURLOPT_PATH_AS_IS, 1)
    _ = ckc_curl_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    _ = ckc_curl_long(handle, CURLOPT_CONNECTTIMEOUT, 10)
    _ = ckc_curl_long(handle, CURLOPT_LOW_SPEED_TIME, patience)
    _ = ckc_curl_long(handle, CURLOPT_LOW_SPEED_LIMIT, Self.slowest)
    _ = ckc_curl_long(handle, CURLOPT_TIMEOUT, Self.longest)
    _ = ckc_curl_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limit))
    if request.method == "HEAD" { _ = ckc_curl_long(handle, CURLOPT_NOBODY, 1) }
    if let body = request.body {
      _ = ckc_curl_long(handle, CURLOPT_UPLOAD, 1)
      let count = body.reduce(0) { $0 + $1.count }
      _ = ckc_curl_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(count))
    }
    if case .password(let user, let password) = credentials {
      _ = ckc_curl_long(handle, CURLOPT_HTTPAUTH, 1)
      _ = ckc_curl_text(handle, CURLOPT_USERNAME, user)
      _ = ckc_curl_text(handle, CURLOPT_PASSWORD, password.value)
    }
  }
}

// Errors.
extension GalleryClient {
  private func problem(_ status: CURLcode, _ exchange: Exchange) -> Problem {
    if let failure = exchange.failure { return failure }
    if exchange.stop?.isCancelled == true {
      return Problem(.serviceUnavailable, code: "cancelled", "the client disconnected")
    }
    if exchange.isTooLong || status == CURLE_FILESIZE_EXCEEDED {
      return Problem(
        .contentTooLarge, code: "limit-bytes",
        "\(title) sends more than \(exchange.limit) bytes; see --limit-bytes")
    }
    if exchange.isPublic {
      return Problem(
        .badGateway, code: "gallery-insecure",
        "\(title) is outside this network; set a URL that starts with https://")
    }
    // The library's own message, which contains no address and no secret.
    let words = String(cString: curl_easy_strerror(status))
    switch status {
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST:
      return Problem(
        .badGateway, code: "gallery-down", "\(title) can't be reached: \(words)")
    case CURLE_OPERATION_TIMEDOUT:
      return Problem(
        .gatewayTimeout, code: "gallery-slow", "\(title) took too long; try again later")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
      return Problem(
        .badGateway, code: "gallery-certificate",
        "\(title) has no certificate that can be trusted: \(words)")
    default:
      return Problem(
        .badGateway, code: "gallery-broken", "the connection to \(title) broke: \(words)")
    }
  }

  /// The problem for an unsuccessful response.
  ///
  /// - Parameter right: the permission that the key or user needs for the request.
  func refusal(_ answer: GalleryResponse, right: String) -> Problem {
    let reason = message(in: answer).map { ": \($0)" } ?? ""
    switch answer.status {
    case 401:
      return Problem(
        .badGateway, code: "gallery-key",
        "\(title) rejected the key or password; correct its file, then restart")
    case 403:
      return Problem(.forbidden, code: "gallery-right", "\(title) refused it: \(right) is needed")
    case 404: return .galleryMissing(title)
    case 409, 412:
      return Problem(.conflict, code: "gallery-conflict", "\(title) refused it\(reason)")
    case 413:
      return Problem(
        .contentTooLarge, code: "gallery-limit", "\(title) does not accept files this large")
    case 423:
      return Problem(.conflict, code: "gallery-locked", "the photo is locked in \(title)")
    case 429: return .busy("\(title) is busy; try again soon")
    case 507:
      return Problem(
        .insufficientStorage, code: "gallery-full", "\(title) has no room left for this user")
    case 500...:
      return Problem(
        .badGateway, code: "gallery-error",
        "\(title) failed with status \(answer.status); try again later")
    default:
      return Problem(
        .badGateway, code: "gallery-refused",
        "\(title) responded with status \(answer.status)\(reason)")
    }
  }

  /// The gallery's error message; nil if there is none, or if it contains the secret.
  private func message(in answer: GalleryResponse) -> String? {
    struct Message: Decodable {
      let message: String
    }
    guard let text = try? JSONDecoder().decode(Message.self, from: answer.body).message,
      !credentials.forms.contains(where: text.contains)
    else { return nil }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : String(line.prefix(200))
  }

  /// The problem for a response that contradicts the gallery's documentation.
  func nonsense(_ what: String) -> Problem {
    Problem(.badGateway, code: "gallery-answer", "\(title) responded with \(what)")
  }
}

/// A request in progress.
private final class Exchange {
  let stop: CropStop?
  let limit: Int
  private let isPlain: Bool
  private let file: Int32?
  private var upload: [GalleryRequest.Part]
  /// How many bytes of the first remaining part were sent.
  private var sent = 0
  private var headerCount = 0
  private var status = 0
  private(set) var fields: [String: String] = [:]
  private(set) var body = Data()
  private(set) var count = 0
  private(set) var failure: Problem?
  private(set) var isTooLong = false
  /// Whether the gallery's address is on the public internet without encryption.
  private(set) var isPublic = false

  init(_ request: GalleryRequest, isPlain: Bool, file: Int32?, stop: CropStop?) {
    self.isPlain = isPlain
    self.file = file
    self.stop = stop
    limit = request.limit
    upload = request.body ?? []
  }

  func attach(to handle: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    ckc_curl_move(
      handle,
      { bytes, size, count, context in
        Exchange.of(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      { bytes, size, count, context in
        Exchange.of(context)?.note(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      { bytes, size, count, context in
        let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return Exchange.of(context)?.give(room) ?? Int(CURL_READFUNC_ABORT)
      }, context)
    ckc_curl_watch(
      handle,
      { context, _, _, _, _ in
        Exchange.of(context)?.stop?.isCancelled == true ? 1 : 0
      },
      { context, _, address in
        Exchange.of(context)?.connect(to: address) ?? CURL_SOCKET_BAD
      }, context)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    count += bytes.count
    guard count <= limit else {
      isTooLong = true
      return 0
    }
    guard let file, status == 200 else {
      body.append(contentsOf: bytes)
      return bytes.count
    }
    do throws(Problem) {
      try AnonymousFile.write(bytes, to: file)
      return bytes.count
    } catch {
      failure = error
      return 0
    }
  }

  /// The maximum total length of a response's header fields.
  private static let longestHead = 64 << 10

  private func note(_ bytes: UnsafeRawBufferPointer) -> Int {
    headerCount += bytes.count
    guard headerCount <= Self.longestHead else { return 0 }
    let line = String(decoding: bytes, as: UTF8.self).trimmed
    if line.hasPrefix("HTTP/") {
      // Interim responses are ignored.
      fields = [:]
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if let colon = line.firstIndex(of: ":") {
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmed
    }
    return bytes.count
  }

  private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    while let part = upload.first {
      guard sent < part.count else {
        upload.removeFirst()
        sent = 0
        continue
      }
      let length = min(room.count, part.count - sent)
      switch part {
      case .bytes(let bytes):
        room.copyBytes(from: bytes[sent..<sent + length])
        sent += length
        return length
      case .file(let file, _):
        let count = pread(file, room.baseAddress, length, off_t(sent))
        guard count > 0 else { return Int(CURL_READFUNC_ABORT) }
        sent += count
        return count
      }
    }
    return 0
  }

  private func connect(to address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
    guard let address else { return CURL_SOCKET_BAD }
    if isPlain {
      let isNear = withUnsafePointer(to: &address.pointee.addr) { NearAddress.isNear($0) }
      guard isNear else {
        isPublic = true
        return CURL_SOCKET_BAD
      }
    }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }
}

/// Detects addresses of this machine and its local network.
enum NearAddress {
  /// Whether an address belongs to this machine or to a private network.
  static func isNear(_ address: UnsafePointer<sockaddr>) -> Bool {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let number = raw.load(as: sockaddr_in.self).sin_addr.s_addr
      return isNear(withUnsafeBytes(of: number) { Array($0) })
    case AF_INET6:
      return isNear(withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) })
    default: return false
    }
  }

  /// The same for 4 or 16 bytes (RFC 1918, 6598, 3927, 4193, 4291).
  static func isNear(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 16 else {
      switch (bytes[0], bytes[1]) {
      case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31), (100, 64...127): return true
      default: return false
      }
    }
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
      return isNear(Array(bytes[12...]))
    }
    let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    return isLoopback || bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
  }
}
