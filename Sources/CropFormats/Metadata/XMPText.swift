import CropMetadata

/// Text of XMP packets.
enum XMPText {
  /// The declaration of the namespace of RDF.
  static var rdf: String {
    "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
  }

  /// A packet that holds this description.
  static func packet(_ description: String) -> [UInt8] {
    let head = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>\
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \(Self.rdf)>
      """
    let tail = "</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    return Array((head + description + tail).utf8)
  }

  /// The packet with this description behind its last; nil where its end is not found.
  static func added(_ description: String, to xmp: [UInt8]) -> [UInt8]? {
    endOfDescriptions(in: xmp).map { Array(xmp[..<$0]) + description.utf8 + xmp[$0...] }
  }

  /// Where the last description of a packet ends.
  private static func endOfDescriptions(in xmp: [UInt8]) -> Int? {
    var scanner = XMPScanner(xmp)
    var end: Int?
    while let token = scanner.next() {
      let isRDF = token == .endTag && scanner.line(of: scanner.tagName, in: "rdf:RDF\n") != nil
      if isRDF { end = scanner.start }
    }
    return end
  }

  /// The characters of an attribute; those that XML can't hold are shown as a replacement character.
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

  /// A value without its entities and references to characters.
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
