import CPage
import FoundationEssentials
import Glibc
import Hummingbird

/// The web page and its resources, as embedded in the program.
struct Page: Sendable {
  private struct Asset {
    let mediaType: String
    let bytes: ByteBuffer
    let compressed: ByteBuffer?
    let hash: String
  }

  private let assets: [String: Asset]
  private let signInPage: SignInPage

  /// The page this program was built with.
  init() {
    self.init(Archive(UnsafeRawBufferPointer(start: ckc_page_bytes(), count: ckc_page_count())))
  }

  /// The files of an archive; `name.gz` next to `name` is its compressed form.
  init(_ archive: Archive) {
    let files = Dictionary(archive.files.map { ($0.path, $0.bytes) }) { first, _ in first }
    var assets: [String: Asset] = [:]
    for (path, bytes) in files where !path.hasSuffix(".gz") {
      assets[path] = Asset(
        mediaType: Self.mediaType(of: path), bytes: ByteBuffer(bytes: bytes),
        compressed: files["\(path).gz"].map { ByteBuffer(bytes: $0) },
        hash: String(bytes.hash, radix: 16))
    }
    self.assets = assets
    signInPage = SignInPage(
      SignInPage.files.compactMapValues { assets[$0].map { String(buffer: $0.bytes) } })
  }

  /// Whether the requested resource does not require signing in.
  static func isOpen(_ request: Request) -> Bool {
    (request.method == .get || request.method == .head)
      && SignInPage.parts.contains(request.uri.path)
  }

  /// The sign-in page with the reason why the client is refused; nil if the program was built
  /// without it.
  func signIn(_ reason: Access.Refusal, for request: Request) -> ByteBuffer? {
    signInPage.text(reason, for: request)
  }

  /// Whether a file exists at a path.
  func has(_ path: String) -> Bool { assets[Self.name(of: path)] != nil }

  private static func name(of path: String) -> String {
    String(path.dropFirst()) + (path.hasSuffix("/") ? "index.html" : "")
  }

  /// The element's documentation, if the program was built with it.
  private static let documentation = "/docs"

  /// The response to a request for `path`; nil if there is no such file.
  ///
  /// - Throws: `Problem` if the request requires another version of it.
  func response(to request: Request, path: String) throws(Problem) -> Response? {
    if path == Self.documentation, has("\(path)/") {
      return Response(status: .movedPermanently, headers: [.location: "\(path.dropFirst())/"])
    }
    guard let asset = assets[Self.name(of: path)] else {
      return path == "/" && assets.isEmpty ? Self.unbuilt : nil
    }
    let compressed = request.headers.acceptsGzip ? asset.compressed : nil
    // The compressed form has a different tag.
    let tag = "\"\(asset.hash)\(compressed == nil ? "" : "-gzip")\""
    var headers: HTTPFields = [
      .contentType: asset.mediaType, .eTag: tag, .cacheControl: "no-cache",
      .vary: "Accept-Encoding",
    ]
    if path.hasPrefix("\(Self.documentation)/") {
      headers[.contentSecurityPolicy] = ResponseHeaders.documentationPolicy
    }
    if try request.headers.isUnchanged(tag: tag) {
      return Response(status: .notModified, headers: headers)
    }
    if compressed != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed ?? asset.bytes))
  }

  /// The response if the program was built without the page.
  private static var unbuilt: Response {
    let text = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>CropKit</title>
      <h1>CropKit</h1>
      <p>This server was built without its page. Run <code>make build</code> in CropKit's folder, \
      then start it again.</p>
      """
    return Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private static func mediaType(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "wasm": "application/wasm"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg": "image/jpeg"
    case "webp": "image/webp"
    case "ico": "image/x-icon"
    case "wav": "audio/wav"
    case "woff2": "font/woff2"
    case "txt": "text/plain; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}

extension HTTPFields {
  /// Whether the client accepts gzip.
  fileprivate var acceptsGzip: Bool {
    self[values: .acceptEncoding].joined(separator: ",").split(separator: ",").contains { item in
      let parts = item.split(separator: ";").map { $0.trimmed(" \t") }
      return parts.first?.lowercased() == "gzip" && !parts.dropFirst().contains("q=0")
    }
  }
}

extension Sequence<UInt8> {
  /// FNV-1a, 64 bits, the same in every run.
  var hash: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}

/// A POSIX ustar archive: 512-byte headers, each followed by its file's bytes, padded to 512.
struct Archive {
  /// The regular files, in the archive's order.
  let files: [(path: String, bytes: UnsafeRawBufferPointer)]

  /// Reads the table of an archive, up to its end or to the first invalid header.
  init(_ bytes: UnsafeRawBufferPointer) {
    var files: [(path: String, bytes: UnsafeRawBufferPointer)] = []
    var position = 0
    while position + Self.block <= bytes.count {
      let header = UnsafeRawBufferPointer(rebasing: bytes[position..<position + Self.block])
      guard header[257..<262].elementsEqual("ustar".utf8),
        let size = Int(Self.text(header[124..<136]), radix: 8)
      else { break }
      position += Self.block
      guard size >= 0, size <= bytes.count - position else { break }
      let kind = header[156]
      if kind == 0 || kind == UInt8(ascii: "0") {
        let prefix = Self.text(header[345..<500])
        let name = Self.text(header[0..<100])
        let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
        files.append(
          (
            path.hasPrefix("./") ? String(path.dropFirst(2)) : path,
            UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
          ))
      }
      position += (size + Self.block - 1) / Self.block * Self.block
    }
    self.files = files
  }

  private static let block = 512

  /// The text of a field, up to the first zero or space.
  private static func text(_ field: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}
