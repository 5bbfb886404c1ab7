import CropImaging
import FoundationEssentials
import Glibc

/// The galleries that photos are opened from and saved to. The server fetches nothing else.
public struct GallerySettings: Sendable {
  /// An Immich server.
  public var immich: ImmichSettings?
  /// A WebDAV server, such as Nextcloud.
  public var webDAV: WebDAVSettings?

  /// No gallery.
  public init() {}
}

/// The connection to an Immich server.
public struct ImmichSettings: Sendable {
  let place: GalleryAddress
  let key: GallerySecret

  /// Reads the key. Blocks.
  ///
  /// - Parameters:
  ///   - url: the address that browsers use, such as `https://photos.example.org`.
  ///   - keyFile: a file of mode 600 that contains an API key.
  ///   - authorities: the CA certificates for the server, in PEM; nil for the system's.
  /// - Throws: ``ServerSettings/Refusal``; `CropError` for an unreadable file.
  public init(url: String, keyFile: String, authorities: String?) throws {
    place = try GalleryAddress(url, option: "immich-url", authorities: authorities)
    key = try GallerySecret(inFile: keyFile)
  }
}

/// The connection to a WebDAV server.
public struct WebDAVSettings: Sendable {
  let place: GalleryAddress
  let user: String
  let password: GallerySecret
  let keepsVersions: Bool

  /// Reads the password. Blocks.
  ///
  /// - Parameters:
  ///   - url: the folder that paths start from.
  ///   - user: the user name.
  ///   - passwordFile: a file of mode 600 that contains the password.
  ///   - authorities: the CA certificates for the server, in PEM; nil for the system's.
  ///   - keepsVersions: whether the server keeps old versions of a replaced file.
  /// - Throws: ``ServerSettings/Refusal``; `CropError` for an unreadable file.
  public init(
    url: String, user: String, passwordFile: String, authorities: String?, keepsVersions: Bool
  ) throws {
    place = try GalleryAddress(url, option: "webdav-url", authorities: authorities)
    guard !user.isEmpty, !user.contains(":"), !user.contains(where: \.isNewline) else {
      throw ServerSettings.Refusal(words: "--webdav-user is a name without a colon")
    }
    self.user = user
    password = try GallerySecret(inFile: passwordFile)
    self.keepsVersions = keepsVersions
  }
}

/// The address of a gallery: an origin from the settings, and a path on it.
struct GalleryAddress: Sendable {
  /// The address without a slash at its end.
  let text: String
  /// Whether it is reached without TLS, which is only allowed on this machine or in a private
  /// network.
  let isPlain: Bool
  /// The file of its CA certificates; nil for the system's.
  let authorities: String?

  /// - Throws: ``ServerSettings/Refusal`` for an invalid server address.
  init(_ url: String, option: String, authorities: String?) throws(ServerSettings.Refusal) {
    guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      parts.query == nil, parts.fragment == nil
    else {
      throw ServerSettings.Refusal(
        words: "--\(option) is not a URL such as https://photos.example.org")
    }
    guard parts.user == nil, parts.password == nil else {
      throw ServerSettings.Refusal(
        words: "--\(option) holds a password; put it into a file of mode 600")
    }
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    let name = parts.percentEncodedHost ?? host
    text = "\(scheme)://\(name)" + (parts.port.map { ":\($0)" } ?? "") + path
    isPlain = scheme == "http"
    self.authorities = authorities
  }
}

/// A key or password. Its description never shows it in a log or message.
struct GallerySecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The secret itself.
  let value: String

  var description: String { "(secret)" }
  var debugDescription: String { "(secret)" }
  var customMirror: Mirror { Mirror(self, children: []) }

  /// The maximum length of a secret in bytes.
  private static let longest = 1024

  /// Reads the first line of a file. Blocks.
  ///
  /// - Throws: ``ServerSettings/Refusal`` for a file that others may read, or that contains no
  ///   secret; `CropError` for an unreadable file.
  init(inFile path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      if file >= 0 { close(file) }
      throw CropError.inputUnreadable(file: path, detail: reason)
    }
    defer { close(file) }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ServerSettings.Refusal(words: "\(path) belongs to another user, who knows the secret")
    }
    guard status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 == 0 else {
      throw ServerSettings.Refusal(
        words: "\(path) can be read or changed by other users; run: chmod 600 \(path)")
    }
    guard let bytes = PrivateFile.read(file, limit: Self.longest + 1) else {
      throw CropError.inputUnreadable(file: path, detail: String(cString: strerror(errno)))
    }
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
    let text = (line ?? "").trimmed
    guard !text.isEmpty, bytes.count <= Self.longest, text.utf8.allSatisfy({ $0 >= 0x20 }) else {
      throw ServerSettings.Refusal(words: "\(path) holds no secret in its first line")
    }
    value = text
  }
}
