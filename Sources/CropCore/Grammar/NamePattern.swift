/// A pattern for file names, with the placeholders `{name}`, `{ext}`, `{number}`, `{target}`,
/// `{width}` and `{height}`.
public struct NamePattern: Hashable, Sendable {
  /// A part of a pattern.
  public enum Part: Hashable, Sendable {
    /// Text between placeholders.
    case text([UInt8])
    /// The input's name without its extension.
    case name
    /// The extension of the result's format.
    case ext
    /// The position of the input or target in its list, counted from 1.
    case number
    /// The target's name.
    case target
    /// The result's width in pixels.
    case width
    /// The result's height in pixels.
    case height
  }

  /// The parts, in order.
  public let parts: [Part]

  /// A pattern with the given parts.
  public init(_ parts: [Part]) { self.parts = parts }

  /// Parses a pattern. Nil for an unknown placeholder or an unclosed brace, a slash or NUL, an
  /// empty pattern, `.` and `..`.
  public init?(_ text: [UInt8]) {
    var parts: [Part] = []
    var plain: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte != UInt8(ascii: "/"), byte != 0 else { return nil }
      guard byte == UInt8(ascii: "{") else {
        plain.append(byte)
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: "}")), let part = Self.part(rest[..<end])
      else { return nil }
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = []
      parts.append(part)
      rest = rest[(end + 1)...]
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    let dot = UInt8(ascii: ".")
    guard !text.isEmpty, text != [dot], text != [dot, dot] else { return nil }
    self.parts = parts
  }

  private static func part(_ word: ArraySlice<UInt8>) -> Part? {
    for (name, part) in [
      ("name", Part.name), ("ext", .ext), ("number", .number), ("target", .target),
      ("width", .width), ("height", .height),
    ] as [(StaticString, Part)] where word.count == name.utf8CodeUnitCount {
      if word.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: word.count)) {
        return part
      }
    }
    return nil
  }
}
