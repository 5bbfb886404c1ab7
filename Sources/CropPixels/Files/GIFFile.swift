import CropImaging
import FoundationEssentials

/// Writes the parts of a GIF (89a).
enum GIFFile {
  /// A color table: red, green, blue and alpha, eight bits each, red highest.
  struct Table {
    var colors: [UInt32]
    /// The index of the transparent color.
    var transparent: UInt8?

    /// The number of bits of an index, 1 to 8.
    var bits: Int {
      var bits = 1
      while 1 << bits < colors.count { bits += 1 }
      return bits
    }

    /// Adds a transparent color after the others, unless there is one.
    mutating func addTransparent() {
      guard transparent == nil, colors.count < 256 else { return }
      transparent = UInt8(colors.count)
      colors.append(0)
    }

    /// The bytes of the table in the file, padded with black.
    fileprivate var bytes: [UInt8] {
      colors.flatMap(GrowingPalette.rgb)
        + [UInt8](repeating: 0, count: 3 * ((1 << bits) - colors.count))
    }
  }

  /// The start of a file, without a background and with square pixels.
  static func header(width: Int, height: Int, table: Table?) -> Data {
    var file = Data("GIF89a".utf8)
    file.append(contentsOf: littleEndian(width) + littleEndian(height))
    // 8 bits per channel; 2 to the power of `bits` colors.
    file.append(contentsOf: [0x70 | (table.map { 0x80 | UInt8($0.bits - 1) } ?? 0), 0, 0])
    if let table { file.append(contentsOf: table.bytes) }
    return file
  }

  /// The number of repetitions, 0 for endless.
  static func repeats(_ count: Int) -> Data {
    Data([0x21, 0xFF, 11]) + Data("NETSCAPE2.0".utf8)
      + Data([3, 1] + littleEndian(min(count, 65_535)) + [0])
  }

  /// The control block for the next image: its delay, in hundredths of a second, and whether its
  /// area is cleared afterwards. Empty if not needed.
  static func control(delay: Int, clears: Bool, transparent: UInt8?) -> Data {
    guard delay > 0 || clears || transparent != nil else { return Data() }
    let disposal: UInt8 = clears ? 2 : 1
    return Data(
      [0x21, 0xF9, 4, disposal << 2 | (transparent == nil ? 0 : 1)] + littleEndian(delay)
        + [transparent ?? 0, 0])
  }

  /// The pixels of `box`, each an index of at most `bits` bits; `table` is left out if it is the
  /// file's.
  static func picture(_ box: FrameBox, indexes: [UInt8], bits: Int, table: Table?) -> Data {
    var coder = LZWCoder(bits: max(2, bits))
    return place(box, table: table) + Data([UInt8(max(2, bits))])
      + Data(coder.blocks(of: indexes)) + Data([0])
  }

  /// The header of an image.
  static func place(_ box: FrameBox, table: Table?) -> Data {
    let numbers = [box.x, box.y, box.width, box.height].flatMap(littleEndian)
    return Data([0x2C] + numbers + [table.map { 0x80 | UInt8($0.bits - 1) } ?? 0])
      + Data(table?.bytes ?? [])
  }

  /// The file with an ICC profile after its color table, if there is one (ICC.1:2022, annex B).
  static func written(_ profile: [UInt8]?, into file: Data) -> Data {
    guard let profile, file.count > 13 else { return file }
    let flags = file[file.startIndex + 10]
    let start = 13 + (flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7))
    var result = Data("GIF89a".utf8) + file.dropFirst(6).prefix(start - 6)
    result.append(contentsOf: [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8))
    var rest = profile[...]
    while !rest.isEmpty {
      result.append(contentsOf: [UInt8(min(255, rest.count))] + rest.prefix(255))
      rest = rest.dropFirst(255)
    }
    result.append(0)
    return result + file.dropFirst(start)
  }

  static let end = Data([0x3B])

  private static func littleEndian(_ value: Int) -> [UInt8] {
    ByteOrder.little.bytes(value, 2)
  }
}
