/// Reads the description in an ICC profile (ICC.1:2022, 9.2.41), for display.
enum ProfileName {
  /// The most bytes of a profile that are read.
  static let maxBytes = 4 << 20
  private static let longest = 256

  /// The description; nil if there is none or it can't be read.
  static func read(_ profile: [UInt8]) -> String? {
    guard profile.count >= 132, let count = profile.number(128, 4, .big) else { return nil }
    for i in 0..<min(count, 200) {
      let entry = 132 + i * 12
      guard let signature = profile.number(entry, 4, .big) else { return nil }
      guard signature == 0x6465_7363 else { continue }  // desc
      guard let offset = profile.number(entry + 4, 4, .big),
        let kind = profile.number(offset, 4, .big)
      else { return nil }
      switch kind {
      case 0x6465_7363:  // desc: ASCII
        guard let length = profile.number(offset + 8, 4, .big) else { return nil }
        return text(profile, offset + 12, length: min(length, longest))
      case 0x6D6C_7563:  // mluc: UTF-16
        guard let length = profile.number(offset + 20, 4, .big),
          let place = profile.number(offset + 24, 4, .big)
        else { return nil }
        return wideText(profile, offset + place, length: min(length, 2 * longest))
      default: return nil
      }
    }
    return nil
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
      units.append(UInt16(truncatingIfNeeded: bytes.number(i, 2, .big) ?? 0))
    }
    return clean(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
  }

  /// The text without control characters; nil if it is empty then.
  static func clean(_ text: String) -> String? {
    let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
  }
}
