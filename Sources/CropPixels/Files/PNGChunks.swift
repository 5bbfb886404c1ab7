import CropImaging
import FoundationEssentials

/// Reads and writes the chunks of a new PNG.
enum PNGChunks {
  /// The file with its gray samples replaced by color indexes, if there is a `palette`, and with
  /// the color information.
  static func written(
    into file: Data, palette: Palette?, profile: [UInt8]?, coding: ColorCoding?
  ) -> Data {
    guard palette != nil || coding != nil else { return file }
    var result = Data(capacity: file.count + 4096)
    result.append(file.prefix(8))
    var at = file.startIndex + 8
    var isBeforePixels = true
    while at + 12 <= file.endIndex {
      let length = file[at...].number(0, 4, .big) ?? 0
      guard length <= file.endIndex - at - 12 else { break }
      let end = at + 12 + length
      switch String(decoding: file[at + 4..<at + 8], as: UTF8.self) {
      case "IHDR":
        if palette == nil {
          result.append(file[at..<end])
        } else {
          var header = [UInt8](file[at + 8..<at + 8 + length])
          // Color type 3: samples are palette indices.
          header[9] = 3
          append("IHDR", header, to: &result)
          if let stream = profile.flatMap(Zlib.stored) {
            append("iCCP", Array("icc\0\0".utf8) + stream, to: &result)
          }
        }
        if let coding { append(coding, to: &result) }
      case "IDAT":
        if isBeforePixels {
          if let palette {
            append("PLTE", palette.plte, to: &result)
            if let alphas = palette.trns { append("tRNS", alphas, to: &result) }
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

  /// Appends the chunks that describe the color space.
  private static func append(_ coding: ColorCoding, to file: inout Data) {
    func thousandths(_ value: Double) -> [UInt8] {
      ByteOrder.big.bytes(Int(min(max((value * 100_000).rounded(), 0), 0x7FFF_FFFF)), 4)
    }
    switch coding {
    case .sRGB: append("sRGB", [0], to: &file)
    case .codePoints(let points):
      let numbers = [points.primaries, points.transfer, points.matrix, points.isFullRange ? 1 : 0]
      append("cICP", numbers.map { UInt8(clamping: $0) }, to: &file)
    case .measured(let color):
      if let gamma = color.gamma { append("gAMA", thousandths(gamma), to: &file) }
      if let all = color.primaries {
        let places = [all.white, all.red, all.green, all.blue]
        append(
          "cHRM", places.flatMap { thousandths($0.x) + thousandths($0.y) }, to: &file)
      }
    }
  }

  /// The chunks of a file written by this program.
  static func all(of file: Data) -> [(name: String, contents: Data)] {
    var all: [(name: String, contents: Data)] = []
    var at = file.startIndex + 8
    while at + 12 <= file.endIndex {
      let length = file[at...].number(0, 4, .big) ?? 0
      guard length <= file.endIndex - at - 12 else { break }
      all.append(
        (String(decoding: file[at + 4..<at + 8], as: UTF8.self), file[at + 8..<at + 8 + length]))
      at += 12 + length
    }
    return all
  }

  static func append(_ name: String, _ contents: [UInt8], to file: inout Data) {
    file.append(contentsOf: PNGChunk.encoded(name, contents))
  }

  /// A number of four bytes.
  static func bigEndian(_ value: Int) -> [UInt8] {
    ByteOrder.big.bytes(value, 4)
  }
}
