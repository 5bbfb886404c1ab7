import Foundation

/// An XMP packet, edited as text: properties are removed or replaced by their usual names.
///
/// XMP is XML, but is not parsed as such: entities, foreign document types and megabytes of nesting
/// never come into it. What is not understood leads to the packet being dropped as a whole.
struct XMPPacket {
  private(set) var text: String

  /// The packet after the crop; nil where it can't be kept, because it is no UTF-8, may hold a picture,
  /// or is implausibly large.
  init?(_ bytes: [UInt8], edit: EXIFBlock.Edit) {
    guard bytes.count <= 1 << 20, let text = String(validating: bytes, as: UTF8.self),
      text.contains("rdf:RDF"), !text.contains("<!DOCTYPE"), !text.contains("<!ENTITY")
    else { return nil }
    self.text = text
    for name in Self.removed { remove(name) }
    if edit.dropsLocation { for name in Self.places { remove(name) } }
    replace("tiff:Orientation", with: "1")
    for name in ["tiff:ImageWidth", "exif:PixelXDimension"] {
      replace(name, with: "\(edit.width)")
    }
    for name in ["tiff:ImageLength", "exif:PixelYDimension"] {
      replace(name, with: "\(edit.height)")
    }
    if edit.isSRGB { replace("exif:ColorSpace", with: "1") }
    guard !Self.mayHoldPicture(self.text) else { return nil }
  }

  /// Thumbnails, gain and depth maps, and lists of pictures that no longer follow in the file; a
  /// panorama's geometry, which no longer holds.
  private static let removed = [
    "xmp:Thumbnails", "xap:Thumbnails", "xmpGImg:", "xapGImg:", "hdrgm:", "HDRGainMap:", "hdr:",
    "Container:", "GContainer:", "GCamera:", "GDepth:", "GImage:", "Device:", "Camera:", "GPano:",
    "apdi:", "MicroVideo:", "MotionPhoto:", "xmpNote:HasExtendedXMP", "photoshop:DocumentAncestors",
    "mwg-rs:", "MPRI:", "MPReg:", "tiff:NativeDigest", "exif:NativeDigest",
  ]

  private static let places = [
    "exif:GPS", "photoshop:City", "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location",
    "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationCreated", "Iptc4xmpExt:LocationShown",
  ]

  /// Removes every attribute and element whose name begins with `name`.
  private mutating func remove(_ name: String) {
    guard text.contains(name) else { return }
    let pattern = NSRegularExpression.escapedPattern(for: name) + "[A-Za-z0-9_.-]*"
    substitute("\\s\(pattern)\\s*=\\s*(\"[^\"]*\"|'[^']*')", with: "")
    substitute("<(\(pattern))(\\s[^<>]*)?/>", with: "")
    substitute("<(\(pattern))(\\s[^<>]*)?>[\\s\\S]*?</\\1\\s*>", with: "")
  }

  /// Gives the property `name`, where there is one, another value.
  private mutating func replace(_ name: String, with value: String) {
    guard text.contains(name) else { return }
    let name = NSRegularExpression.escapedPattern(for: name)
    substitute("(\\s\(name)\\s*=\\s*)(\"[^\"]*\"|'[^']*')", with: "$1\"\(value)\"")
    substitute("(<\(name)(?:\\s[^<>]*)?>)[^<>]*(</\(name)\\s*>)", with: "$1\(value)$2")
  }

  private mutating func substitute(_ pattern: String, with template: String) {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return }
    text = expression.stringByReplacingMatches(
      in: text, range: NSRange(text.startIndex..., in: text), withTemplate: template)
  }

  /// Whether there is a run of 512 characters of Base64, line breaks (also written as entities) not
  /// counted: no property that people or cameras write needs one.
  private static func mayHoldPicture(_ text: String) -> Bool {
    var run = 0
    for byte in text.replacingOccurrences(of: "&#xA;", with: "").utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        run += 1
        if run >= 512 { return true }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      default: run = 0
      }
    }
    return false
  }

  /// The packet without the padding that lets programs edit it in place.
  var bytes: [UInt8] {
    guard let end = text.range(of: "</x:xmpmeta>") else { return Array(text.utf8) }
    let rest = text[end.upperBound...]
    let trailer = rest.range(of: "<?xpacket").map { String(rest[$0.lowerBound...]) } ?? ""
    return Array((text[..<end.upperBound] + (trailer.isEmpty ? "" : "\n" + trailer)).utf8)
  }
}
