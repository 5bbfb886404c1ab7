import CropMetadata

/// Reads and writes text of XMP packets.
enum XMPText {
  /// The declaration of the RDF namespace.
  static var rdf: String {
    "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
  }

  /// A packet with this description.
  static func packet(_ description: String) -> [UInt8] {
    XMPPacket.packet(Array(description.utf8))
  }

  /// The packet with this description after its last one; nil if its end is not found.
  static func added(_ description: String, to xmp: [UInt8]) -> [UInt8]? {
    XMPPacket.added(Array(description.utf8), to: xmp)
  }

  /// The text escaped for an attribute; characters that XML can't contain become a replacement
  /// character.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "\u{FFFD}"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A value with its entities and character references decoded.
  static func plain(_ value: ArraySlice<UInt8>) -> String {
    var parts = String(decoding: value, as: UTF8.self)
      .split(separator: "&", omittingEmptySubsequences: false)
    var result = String(parts.removeFirst())
    for part in parts {
      guard let end = part.firstIndex(of: ";"), let scalar = scalar(part[..<end]) else {
        result += "&" + part
        continue
      }
      result.unicodeScalars.append(scalar)
      result += part[part.index(after: end)...]
    }
    return result
  }

  /// The character of an entity's name, or of a reference such as `#39` or `#x27`.
  private static func scalar(_ name: Substring) -> Unicode.Scalar? {
    switch name {
    case "quot": "\""
    case "apos": "'"
    case "lt": "<"
    case "gt": ">"
    case "amp": "&"
    case _ where name.hasPrefix("#x"):
      UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
    case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) }
    default: nil
    }
  }
}
