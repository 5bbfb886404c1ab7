/// The first place where bytes stop being JSON (RFC 8259): the decoder does not report it.
struct JSONFault: Error, Equatable {
  /// Both from 1; columns are characters.
  let line: Int
  let column: Int
  /// What is there.
  let what: String

  /// Nil where all of it is JSON.
  init?(in bytes: [UInt8]) {
    var scanner = JSONScanner(bytes)
    do throws(JSONScanner.Stop) {
      try scanner.document()
      guard let place = Self.endOfUTF8(bytes) else { return nil }
      self.init(at: place, in: bytes, what: "what is not UTF-8")
    } catch {
      let rest = String(decoding: bytes[scanner.place...].prefix(8), as: UTF8.self)
      let next = rest.unicodeScalars.first.map { "an unexpected \"\($0)\"" }
      self.init(
        at: scanner.place, in: bytes,
        what: error == .tooDeep ? "too many brackets" : next ?? "an early end")
    }
  }

  private init(at place: Int, in bytes: [UInt8], what: String) {
    let before = bytes[..<place]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    line = 1 + before.count { $0 == 0x0A }
    column = 1 + String(decoding: before[start...], as: UTF8.self).unicodeScalars.count
    self.what = what
  }

  /// The first byte that is not part of UTF-8.
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

/// Goes through JSON and keeps nothing.
private struct JSONScanner {
  /// Why it goes no further.
  enum Stop: Error {
    case unexpected
    case tooDeep
  }

  private let bytes: [UInt8]
  /// The byte that is looked at.
  private(set) var place: Int
  /// As deep as the decoder goes.
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
    while true {
      if named {
        skipSpace()
        try text()
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

  private mutating func number() throws(Stop) {
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
