/// An XMP packet, edited as text: properties are removed or replaced.
///
/// A packet that can't be parsed is dropped completely.
package struct XMPPacket {
  /// The edited packet, without the padding that lets programs edit it in place.
  package let bytes: [UInt8]
  /// The largest packet that is read, in bytes.
  package static var maxBytes: Int { 1 << 20 }
  /// Removed metadata that users may miss.
  package let lost: MetadataLoss

  /// The packet after the crop; nil if it can't be kept, because it is not UTF-8, may contain an
  /// image, or is implausibly large.
  package init?(_ bytes: [UInt8], edit: MetadataEdit) {
    guard bytes.count <= Self.maxBytes, Self.isUTF8(bytes) else { return nil }
    var editor = XMPEditor(bytes, edit: edit)
    guard editor.run(), editor.sawDescription, !Self.mayHoldPicture(editor.result) else {
      return nil
    }
    self.bytes = editor.result
    lost = editor.lost
  }

  /// The content of a JPEG's segment with an XMP packet, without the properties of a density; nil
  /// if it has none, or is not such a segment.
  package static func withoutDensity(inSegment content: [UInt8]) -> [UInt8]? {
    let mark: StaticString = "http://ns.adobe.com/xap/1.0/\0"
    let start = mark.utf8CodeUnitCount
    guard content.has(mark),
      let packet = withoutDensity(content.part(from: start, to: content.count))
    else { return nil }
    var result = content.part(from: 0, to: start)
    result.append(packet, from: 0, to: packet.count)
    return result
  }

  /// A packet without the properties of a density; nil if it has none, or can't be parsed.
  package static func withoutDensity(_ packet: [UInt8]) -> [UInt8]? {
    var statesDensity = false
    for index in packet.indices where packet.has(":XResolution", at: index) {
      statesDensity = true
      break
    }
    guard statesDensity, packet.count <= maxBytes else { return nil }
    var editor = XMPEditor(
      packet, edit: MetadataEdit(width: 0, height: 0, policy: .keep, density: .dropped),
      changesOnlyDensity: true)
    return editor.run() && editor.sawDescription ? editor.result : nil
  }

  /// Whether a packet states a latitude or longitude.
  package static func hasPosition(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= maxBytes else { return false }
    var scanner = XMPScanner(bytes)
    while let token = scanner.next() {
      guard token == .startTag || token == .emptyTag else { continue }
      if scanner.isCoordinate(scanner.tagName) { return true }
      var at = scanner.nameEnd
      while let attribute = scanner.attribute(from: at) {
        if scanner.isCoordinate(scanner.name(of: attribute)) { return true }
        at = attribute.valueEnd + 1
      }
    }
    return false
  }

  /// Whether there is a run of 512 Base64 characters, ignoring line breaks (also as entities). No
  /// property of users or cameras needs one, but an image may.
  private static func mayHoldPicture(_ text: [UInt8]) -> Bool {
    var run = 0
    var at = 0
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        run += 1
        if run >= 512 { return true }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "&") where text.has("&#xA;", at: at): at += 4
      default: run = 0
      }
      at += 1
    }
    return false
  }

  /// Whether the bytes are UTF-8 (RFC 3629, 4: no overlong forms, no surrogates).
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    var at = 0
    while at < bytes.count {
      let first = bytes[at]
      at += 1
      if first < 0x80 { continue }
      let more: Int
      // The range of the second byte.
      var low: UInt8 = 0x80
      var high: UInt8 = 0xBF
      switch first {
      case 0xC2...0xDF: more = 1
      case 0xE0...0xEF:
        more = 2
        if first == 0xE0 { low = 0xA0 }
        if first == 0xED { high = 0x9F }
      case 0xF0...0xF4:
        more = 3
        if first == 0xF0 { low = 0x90 }
        if first == 0xF4 { high = 0x8F }
      default: return false
      }
      guard more <= bytes.count - at, bytes[at] >= low, bytes[at] <= high else { return false }
      for index in at + 1..<at + more where bytes[index] & 0xC0 != 0x80 { return false }
      at += more
    }
    return true
  }
}
