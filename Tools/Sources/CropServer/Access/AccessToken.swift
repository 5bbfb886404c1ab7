import CropImaging
import Glibc

/// What somebody must know to sign in.
public struct AccessToken: Sendable, Equatable {
  /// The token as a person types it.
  public let text: String

  /// A token of 24 letters and digits that nobody can guess: 120 bits.
  public static func random() -> Self {
    // 32 characters, without those that are taken for others.
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789-")
    var generator = SystemRandomNumberGenerator()
    let chosen = (0..<24).compactMap { _ in letters.randomElement(using: &generator) }
    return Self(unchecked: String(chosen))
  }

  /// The token in a file, its only line; where there is no file, one is made with a random token. Blocks.
  ///
  /// - Throws: ``ServerSettings/Refusal`` for a token that is empty or can be guessed, and for a file that
  ///   other users may read or change; `CropError` where the file can't be read or made.
  public init(file path: String) throws {
    self = try Self.made(in: path) ?? Self.kept(in: path)
  }

  /// Makes the file; nil where there is one.
  private static func made(in path: String) throws(CropError) -> Self? {
    guard access(path, F_OK) != 0, errno == ENOENT else { return nil }
    let token = random()
    do throws(CropError) {
      try PrivateFile.write(token.text + "\n", to: path, isReplacing: false)
    } catch .outputExists {
      // Another server made it at the same moment.
      return nil
    }
    return token
  }

  private static func kept(in path: String) throws -> Self {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(path) }
    if status.st_mode & S_IFMT == S_IFREG {
      guard status.st_uid == geteuid() || status.st_uid == 0 else {
        throw ServerSettings.Refusal(words: "\(path) belongs to another user, who knows the token")
      }
      // A group may be let in on purpose; containers are given secrets that way.
      guard status.st_mode & 0o037 == 0 else {
        throw ServerSettings.Refusal(
          words: "\(path) can be read or changed by other users; run: chmod 600 \(path)")
      }
    }
    guard let bytes = PrivateFile.read(file, limit: 4096) else { throw unreadable(path) }
    let text = String(decoding: bytes, as: UTF8.self).trimmed
    guard text.utf8.allSatisfy(isPlain), text.utf8.count <= longest else {
      throw ServerSettings.Refusal(
        words: "\(path) holds no token: one line of at most \(longest) letters, digits and "
          + "-._~+/=")
    }
    guard text.utf8.count >= shortest else {
      throw ServerSettings.Refusal(
        words: "the token in \(path) is shorter than \(shortest) characters; "
          + "remove the file and a good one is made")
    }
    return Self(unchecked: text)
  }

  init(unchecked text: String) {
    self.text = text
  }

  /// The fewest characters of a token, so that it can't be found by trying.
  static let shortest = 16
  static let longest = 256

  /// What `Authorization: Bearer` may hold (RFC 6750, 2.1).
  private static func isPlain(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a)
      || "-._~+/=".utf8.contains(byte)
  }

  private static func unreadable(_ path: String) -> CropError {
    .inputUnreadable(file: path, detail: String(cString: strerror(errno)))
  }

  /// Whether a text is the token, in a time that does not reveal where it differs.
  func matches(_ given: some StringProtocol) -> Bool {
    let (given, own) = (Array(given.utf8), Array(text.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension StringProtocol {
  /// Without white space at its ends.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
