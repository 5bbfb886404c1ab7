import FoundationEssentials

/// The first position at which text is invalid JSON (RFC 8259) or ambiguous: a duplicate key in an
/// object, or a number so close to 0 that it would be read as 0.
public struct JSONSyntaxError: Error, Equatable {
  /// The line of the error, from 1.
  public let line: Int
  /// The column of the error in characters, from 1.
  public let column: Int
  /// The unexpected character, duplicate key or number at that position.
  public let what: String
  /// Whether the text is valid JSON and only ambiguous.
  private let isJSON: Bool
  /// Whether the text has more than one line.
  private let hasLines: Bool

  /// The error and its position; the line is left out if the text has only one.
  public var message: String {
    let place = "\(hasLines ? "line \(line), " : "")column \(column)"
    return isJSON ? "\(what) (\(place))" : "it is not JSON: \(what) at \(place)"
  }

  /// Searches `bytes` for an error; nil if they are valid and unambiguous JSON.
  public init?(in bytes: [UInt8]) {
    var scanner = JSONScanner(bytes)
    do throws(JSONScanner.Stop) {
      try scanner.document()
      guard let place = Self.endOfUTF8(bytes) else { return nil }
      self.init(at: place, in: bytes, what: "invalid UTF-8", isJSON: false)
    } catch {
      switch error {
      case .repeatedKey(let key, let place):
        self.init(at: place, in: bytes, what: "the key \"\(key)\" occurs twice", isJSON: true)
      case .tooCloseToZero(let number, let place):
        self.init(
          at: place, in: bytes, what: "the number \(number) is too close to 0", isJSON: true)
      case .tooDeep:
        self.init(at: scanner.place, in: bytes, what: "too many brackets", isJSON: false)
      case .unexpected:
        let rest = String(decoding: bytes[scanner.place...].prefix(8), as: UTF8.self)
        let next = rest.unicodeScalars.first.map { "an unexpected \"\($0)\"" }
        self.init(at: scanner.place, in: bytes, what: next ?? "an unexpected end", isJSON: false)
      }
    }
  }

  private init(at place: Int, in bytes: [UInt8], what: String, isJSON: Bool) {
    let before = bytes[..<place]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    line = 1 + before.count { $0 == 0x0A }
    column = 1 + String(decoding: before[start...], as: UTF8.self).unicodeScalars.count
    self.what = what
    self.isJSON = isJSON
    hasLines = bytes.contains(0x0A)
  }

  /// The index of the first byte that is not valid UTF-8.
  private static func endOfUTF8(_ bytes: [UInt8]) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): place += scalar.count
      case .error: return place
      case .emptyInput: return nil
      }
    }
  }
}

/// Validates JSON without storing values.
private struct JSONScanner {
  /// Why it stopped.
  enum Stop: Error {
    case unexpected
    case tooDeep
    /// A key that occurs twice in an object, and its position.
    case repeatedKey(String, at: Int)
    /// A number that is not 0 but would be read as 0, and its position.
    case tooCloseToZero(String, at: Int)
  }

  private let bytes: [UInt8]
  /// The current position.
  private(set) var place: Int
  /// The depth limit of the decoder.
  private static let deepest = 512

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func document() throws(Stop) {
    try value(depth: 0)
    skipSpace()
    guard place == bytes.count else { throw .unexpected }
  }

  private mutating func value(depth: Int) throws(Stop) {
    guard depth <= Self.deepest else { throw .tooDeep }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): try list(until: UInt8(ascii: "}"), named: true, depth: depth)
    case UInt8(ascii: "["): try list(until: UInt8(ascii: "]"), named: false, depth: depth)
    case UInt8(ascii: "\""): try text()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func list(until end: UInt8, named: Bool, depth: Int) throws(Stop) {
    place += 1
    skipSpace()
    if take(end) { return }
    var keys: Set<String> = []
    while true {
      if named {
        skipSpace()
        let start = place
        try text()
        let key = Self.text(bytes[start..<place])
        guard keys.insert(key).inserted else {
          throw .repeatedKey(String(key.prefix(40)), at: start)
        }
        skipSpace()
        try expect(UInt8(ascii: ":"))
      }
      try value(depth: depth + 1)
      skipSpace()
      if take(end) { return }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func text() throws(Stop) {
    try expect(UInt8(ascii: "\""))
    while let byte = next, byte >= 0x20 {
      if take(UInt8(ascii: "\"")) { return }
      place += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      if take(UInt8(ascii: "u")) {
        for _ in 0..<4 { try expect { Character(UnicodeScalar($0)).isHexDigit } }
      } else {
        try expect { "\"\\/bfnrt".utf8.contains($0) }
      }
    }
    throw .unexpected
  }

  /// The text of a quoted string, so that two spellings of a key are recognized as the same.
  private static func text(_ quoted: ArraySlice<UInt8>) -> String {
    let plain = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    guard quoted.contains(UInt8(ascii: "\\")) else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? plain
  }

  private mutating func number() throws(Stop) {
    let start = place
    try skipNumber()
    // Without an exponent, such a small number needs hundreds of digits.
    let digits = bytes[start..<place]
    guard digits.count > 300 || digits.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return
    }
    let number = String(decoding: digits, as: UTF8.self)
    let factor = digits.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    guard Double(number) == 0, factor.contains(where: { (0x31...0x39).contains($0) }) else {
      return
    }
    throw .tooCloseToZero(String(number.prefix(40)), at: start)
  }

  private mutating func skipNumber() throws(Stop) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "-")) || take(UInt8(ascii: "+"))
      try digits()
    }
  }

  private mutating func digits() throws(Stop) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    try expect(isDigit)
    while let byte = next, isDigit(byte) { place += 1 }
  }

  private mutating func word(_ word: String) throws(Stop) {
    for byte in word.utf8 { try expect(byte) }
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(Stop) { try expect { $0 == byte } }

  private mutating func expect(_ isRight: (UInt8) -> Bool) throws(Stop) {
    guard let byte = next, isRight(byte) else { throw .unexpected }
    place += 1
  }
}

/// Decodes JSON from untrusted sources: recipes, batch lines, target sets, request bodies.
///
/// Foundation's decoder accepts trailing commas, keeps one of two values for the same key, and
/// reads a number too close to 0 as 0. A crop must not depend on a value that its author did not
/// write, so these are errors here.
public enum StrictJSON {
  /// Decodes the JSON in `bytes`.
  ///
  /// - Throws: `DecodingError`, with an empty path and a ``JSONSyntaxError/message`` if the text is
  ///   not valid JSON.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    if let fault = JSONSyntaxError(in: Array(bytes)) {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: fault.message))
    }
    return try decoder.decode(type, from: bytes)
  }
}
