/// The description inside an ICC profile (ICC.1:2022, 9.2.41), as people see it in a list.
enum ProfileName {
  /// The most bytes of a profile that are looked at.
  static let mostBytes = 4 << 20
  private static let longest = 256

  /// The description, nil where there is none that can be read.
  static func read(_ profile: [UInt8]) -> String? {
    guard profile.count >= 132, let count = number(profile, 128, size: 4) else { return nil }
    for i in 0..<min(count, 200) {
      let entry = 132 + i * 12
      guard let signature = number(profile, entry, size: 4) else { return nil }
      guard signature == 0x6465_7363 else { continue }  // desc
      guard let offset = number(profile, entry + 4, size: 4),
        let kind = number(profile, offset, size: 4)
      else { return nil }
      switch kind {
      case 0x6465_7363:  // desc: ASCII
        guard let length = number(profile, offset + 8, size: 4) else { return nil }
        return text(profile, offset + 12, length: min(length, longest))
      case 0x6D6C_7563:  // mluc: UTF-16
        guard let length = number(profile, offset + 20, size: 4),
          let place = number(profile, offset + 24, size: 4)
        else { return nil }
        return wideText(profile, offset + place, length: min(length, 2 * longest))
      default: return nil
      }
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, size: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func text(_ bytes: [UInt8], _ offset: Int, length: Int) -> String? {
    guard offset >= 0, length >= 0, offset <= bytes.count - length else { return nil }
    return clean(
      String(decoding: bytes[offset..<offset + length].prefix { $0 != 0 }, as: UTF8.self))
  }

  private static func wideText(_ bytes: [UInt8], _ offset: Int, length: Int) -> String? {
    guard offset >= 0, length >= 0, offset <= bytes.count - length else { return nil }
    var units: [UInt16] = []
    for i in stride(from: offset, to: offset + length - 1, by: 2) {
      units.append(UInt16(bytes[i]) << 8 | UInt16(bytes[i + 1]))
    }
    return clean(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
  }

  /// Without control characters; nil if nothing is left.
  static func clean(_ text: String) -> String? {
    let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
  }
}
