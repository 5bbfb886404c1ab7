import CropImaging
import Foundation

/// The text chunks (tEXt) of a PNG.
enum PNGText {
  /// What the chunks before the pixels say, by their keywords; the first counts.
  static func read(_ png: Data) -> [String: String] {
    var text: [String: String] = [:]
    var at = png.startIndex + 8
    while at + 12 <= png.endIndex {
      let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= png.endIndex - at - 12 else { break }
      let name = String(decoding: png[at + 4..<at + 8], as: UTF8.self)
      let body = png[at + 8..<at + 8 + length]
      if name == "IDAT" { break }
      if name == "tEXt", let end = body.firstIndex(of: 0) {
        let key = String(decoding: body[..<end], as: UTF8.self)
        if text[key] == nil { text[key] = String(decoding: body[(end + 1)...], as: UTF8.self) }
      }
      at += 12 + length
    }
    return text
  }

  /// The PNG with text after its header; the words are ASCII.
  static func written(_ text: [(String, String)], into png: Data) -> Data {
    // The signature, and the header: 13 bytes and what every chunk has.
    let end = png.startIndex + 8 + 25
    guard png.count > 33 else { return png }
    var result = Data(png[..<end])
    for (key, value) in text {
      result.append(contentsOf: PNGChunk.encoded("tEXt", Array("\(key)\0\(value)".utf8)))
    }
    result.append(png[end...])
    return result
  }

  /// A PNG of one black pixel.
  static var onePixel: Data {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
    let pixel: [UInt8] = [0x78, 1, 1, 2, 0, 0xFD, 0xFF, 0, 0, 0, 2, 0, 1]
    return Data(
      signature + PNGChunk.encoded("IHDR", header) + PNGChunk.encoded("IDAT", pixel)
        + PNGChunk.encoded("IEND", []))
  }
}
