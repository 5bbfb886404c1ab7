import Foundation
import TestMaterial

/// Generates images with details everywhere.
enum TestPicture {
  /// Smooth shapes and noise as PPM, or PGM if gray; the seed determines both.
  static func netpbm(width: Int, height: Int, isGray: Bool, random: inout Seeded) -> [UInt8] {
    var bytes = Array("\(isGray ? "P5" : "P6") \(width) \(height) 255\n".utf8)
    let channels = isGray ? 1 : 3
    let noise = random.element([0, 2, 30, 200])
    let period = random.int(5...60)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels {
          let shape = ((x * (c + 1) / period + y / (period + c)) % 7) * 36
          let grain = noise == 0 ? 0 : Int(random.next() % UInt64(noise))
          bytes.append(UInt8(clamping: shape + grain - noise / 2))
        }
      }
    }
    return bytes
  }

  /// A JPEG from cjpeg, with arguments chosen by the seed; nil without cjpeg.
  static func jpeg(
    width: Int, height: Int, isGray: Bool = false, arguments: [String], random: inout Seeded
  ) -> [UInt8]? {
    let picture = netpbm(width: width, height: height, isGray: isGray, random: &random)
    return Peer.run("cjpeg", arguments, on: picture)
  }
}

/// Short names for file operations.
enum Files {
  static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static func read(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
