import CropImaging
import Foundation

/// The metadata of a source as its decoder found it.
struct SourceMetadata {
  /// EXIF, XMP and IPTC.
  let found: EditedMetadata.Found

  /// What `picture`, just opened, brings along.
  init(_ picture: Picture) {
    let texts = RawProfiles(picture)
    found = EditedMetadata.Found(
      exif: picture.bytes(Field.exif) ?? texts.exif, xmp: picture.bytes(Field.xmp) ?? texts.xmp,
      iptc: (picture.bytes(Field.iptc) ?? texts.iptc).flatMap(IPTCRecords.unwrapped))
  }
}

/// Metadata that older programs write into the text chunks of a PNG: a line with its kind, one with
/// its length, then hexadecimal digits.
private struct RawProfiles {
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var iptc: [UInt8]?

  init(_ picture: Picture) {
    for field in picture.fields where field.hasPrefix("png-comment-") {
      guard let mark = field.range(of: "Raw profile type ") else { continue }
      let kind = field[mark.upperBound...]
      guard ["exif", "APP1", "xmp", "iptc"].contains(kind),
        let bytes = picture.text(field).flatMap(Self.bytes)
      else { continue }
      switch kind {
      case "xmp": xmp = bytes
      case "iptc": iptc = bytes
      case "APP1" where !bytes.starts(with: "Exif".utf8): continue
      default: exif = bytes
      }
    }
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let lines = text.split(separator: "\n", maxSplits: 2)
    guard lines.count == 3, Int(lines[1].trimmingCharacters(in: .whitespaces)) != nil else {
      return nil
    }
    var result: [UInt8] = []
    var high: UInt8?
    for character in lines[2].utf8 {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "): continue
      default: return nil
      }
      if let first = high {
        result.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return result.isEmpty ? nil : result
  }
}
