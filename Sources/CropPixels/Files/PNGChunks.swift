import Foundation

/// The chunks of a PNG just written.
enum PNGChunks {
  /// `file` with the given metadata instead of its own, and with its gray samples, if there is a
  /// `palette`, made numbers of colours.
  static func written(
    into file: Data, exif: [UInt8]?, xmp: [UInt8]?, palette: Palette?, profile: [UInt8]?
  ) -> Data {
    guard exif != nil || xmp != nil || palette != nil else { return file }
    var result = Data(capacity: file.count + (exif?.count ?? 0) + (xmp?.count ?? 0) + 4096)
    result.append(file.prefix(8))
    var at = file.startIndex + 8
    var isBeforePixels = true
    while at + 12 <= file.endIndex {
      let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.endIndex - at - 12 else { break }
      let end = at + 12 + length
      switch String(decoding: file[at + 4..<at + 8], as: UTF8.self) {
      case "IHDR":
        if palette == nil {
          result.append(file[at..<end])
        } else {
          var header = [UInt8](file[at + 8..<at + 8 + length])
          // Colour type 3: each sample is the number of a colour.
          header[9] = 3
          append("IHDR", header, to: &result)
          if let profile {
            append("iCCP", Array("icc\0\0".utf8) + stored(profile), to: &result)
          }
        }
      case "eXIf", "tEXt", "zTXt", "iTXt", "tIME": break
      case "IDAT":
        if isBeforePixels {
          if let palette {
            append("PLTE", palette.plte, to: &result)
            if let alphas = palette.trns { append("tRNS", alphas, to: &result) }
          }
          if let exif { append("eXIf", exif, to: &result) }
          if let xmp {
            append("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp, to: &result)
          }
        }
        isBeforePixels = false
        result.append(file[at..<end])
      default: result.append(file[at..<end])
      }
      at = end
    }
    return result
  }

  private static func append(_ name: String, _ contents: [UInt8], to file: inout Data) {
    let body = Array(name.utf8) + contents
    file.append(contentsOf: bigEndian(UInt32(truncatingIfNeeded: contents.count)))
    file.append(contentsOf: body)
    file.append(contentsOf: bigEndian(checksum(body)))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// CRC-32 as PNG defines it (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { (table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8)) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  /// A zlib stream that holds `bytes` as they are (RFC 1950, RFC 1951 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var at = 0
    repeat {
      let count = min(bytes.count - at, 65_535)
      let isLast: UInt8 = at + count == bytes.count ? 1 : 0
      result += [isLast, UInt8(count & 255), UInt8(count >> 8)]
      result += [UInt8(~count & 255), UInt8((~count >> 8) & 255)]
      result += bytes[at..<at + count]
      at += count
    } while at < bytes.count
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return result + bigEndian(b << 16 | a)
  }
}
