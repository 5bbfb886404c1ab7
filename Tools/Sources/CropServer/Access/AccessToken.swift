import CropImaging
import Glibc

/// A token that signs in clients.
public struct AccessToken: Sendable, Equatable {
  /// The token as typed by users.
  public let text: String
  /// The file that stores it; nil for one that only lasts until the server stops.
  public let file: String?

  /// A random token of 24 letters and digits: 120 bits.
  public static func random() -> Self {
    // 32 characters, without those that look alike.
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789-")
    var generator = SystemRandomNumberGenerator()
    let chosen = (0..<24).compactMap { _ in letters.randomElement(using: &generator) }
    return Self(unchecked: String(chosen))
  }

  /// The tokens in a file, one per line. Blocks.
  ///
  /// - Parameter isCreating: whether a missing file is created with a random token.
  /// - Returns: the tokens, at least one. The first is the current one, the others are still
  ///   accepted.
  /// - Throws: ``ServerSettings/Refusal`` for an empty or guessable token, and for a file that
  ///   other users may read or change; `CropError` if the file can't be read or created.
  public static func all(
    inFile path: String, isCreating: Bool
  ) throws -> (first: Self, others: [Self]) {
    if isCreating, let new = try made(in: path) { return (new, []) }
    return try kept(in: path)
  }

  /// Creates the file; nil if it exists.
  private static func made(in path: String) throws(CropError) -> Self? {
    guard access(path, F_OK) != 0, errno == ENOENT else { return nil }
    let token = random()
    do throws(CropError) {
      try PrivateFile.write(token.text + "\n", to: path, isReplacing: false)
    } catch .outputExists {
      // Another server created it at the same moment.
      return nil
    }
    return Self(unchecked: token.text, file: path)
  }

  private static func kept(in path: String) throws -> (first: Self, others: [Self]) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(path) }
    if status.st_mode & S_IFMT == S_IFREG {
      guard status.st_uid == geteuid() || status.st_uid == 0 else {
        throw ServerSettings.Refusal(words: "\(path) belongs to another user, who knows the token")
      }
      // The owner may allow a group to read it: containers get secrets that way.
      guard status.st_mode & 0o037 == 0 else {
        throw ServerSettings.Refusal(
          words: "\(path) can be read or changed by other users; run: chmod 600 \(path)")
      }
    }
    guard let bytes = PrivateFile.read(file, limit: 4096) else { throw unreadable(path) }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(\.trimmed).filter { !$0.isEmpty }
    guard lines.count <= most else {
      throw ServerSettings.Refusal(words: "\(path) holds more than \(most) tokens")
    }
    let tokens = try (lines.isEmpty ? [""] : lines).map { try checked($0, path) }
    return (tokens[0], Array(tokens.dropFirst()))
  }

  private static func checked(_ text: String, _ path: String) throws -> Self {
    guard text.utf8.allSatisfy(isPlain), text.utf8.count <= longest else {
      throw ServerSettings.Refusal(
        words: "\(path) holds no token: lines of at most \(longest) letters, digits and -._~+/=")
    }
    guard text.utf8.count >= shortest else {
      throw ServerSettings.Refusal(
        words: "the token in \(path) is shorter than \(shortest) characters; "
          + "remove the file to have a strong one generated")
    }
    guard !isWeak(text) else {
      throw ServerSettings.Refusal(
        words:
          "the token in \(path) is easy to guess; remove the file to have a strong one generated")
    }
    return Self(unchecked: text, file: path)
  }

  /// Whether a token has few different characters, or few different steps from one character to the
  /// next, as in `aaaa…`, `abab…` and `1234…`.
  static func isWeak(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let steps = zip(bytes.dropFirst(), bytes).map { Int($0) - Int($1) }
    return Set(bytes).count < fewestDifferent || Set(steps).count < fewestDifferent
  }

  init(unchecked text: String, file: String? = nil) {
    self.text = text
    self.file = file
  }

  /// The maximum number of tokens in a file.
  private static let most = 16
  /// The minimum number of different characters. Of 16 random hexadecimal digits, one in 10,000 has
  /// fewer.
  private static let fewestDifferent = 6

  /// The minimum length of a token, to prevent guessing.
  static let shortest = 16
  static let longest = 256

  /// The characters allowed in `Authorization: Bearer` (RFC 6750, 2.1).
  private static func isPlain(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a)
      || "-._~+/=".utf8.contains(byte)
  }

  private static func unreadable(_ path: String) -> CropError {
    .inputUnreadable(file: path, detail: String(cString: strerror(errno)))
  }

  /// Compares a text with the token in constant time, which does not reveal where they differ.
  func matches(_ given: some StringProtocol) -> Bool {
    let (given, own) = (Array(given.utf8), Array(text.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
