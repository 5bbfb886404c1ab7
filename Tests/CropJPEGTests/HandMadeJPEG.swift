/// A gray JPEG written bit by bit.
struct HandMadeJPEG {
  /// Blocks across and down.
  var columns = 1
  var rows = 1
  /// The quantization step of all coefficients.
  var step: UInt8 = 1
  /// MCUs between restart markers; 0 for none.
  var interval = 0
  /// The numbers of DC codes of each length, and their symbols: here 00 is category 0, 01 is 3.
  var dc: (counts: [UInt8], symbols: [UInt8]) = ([0, 2], [0, 3])
  /// The same for AC codes: here 0 is the end of a block.
  var ac: (counts: [UInt8], symbols: [UInt8]) = ([1], [0])

  /// The file of some restart intervals, each padded with ones; `tail` is inserted before the end
  /// marker.
  func file(_ intervals: [String], tail: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: step, count: 64)
    let (height, width) = (8 * rows, 8 * columns)
    bytes += [0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255)]
    bytes += [UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0]
    for (slot, table) in [(0 as UInt8, dc), (0x10, ac)] {
      bytes += [0xFF, 0xC4, 0, UInt8(19 + table.symbols.count), slot]
      bytes += table.counts + [UInt8](repeating: 0, count: 16 - table.counts.count)
      bytes += table.symbols
    }
    if interval > 0 { bytes += [0xFF, 0xDD, 0, 4, 0, UInt8(interval)] }
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    for (index, bits) in intervals.enumerated() {
      if index > 0 { bytes += [0xFF, 0xD0 + UInt8((index - 1) & 7)] }
      bytes += Self.packed(bits)
    }
    return bytes + tail + [0xFF, 0xD9]
  }

  /// The bytes of bits, with stuffed zeros; spaces are ignored.
  private static func packed(_ bits: String) -> [UInt8] {
    var padded = Array(bits.filter { $0 != " " })
    while padded.count % 8 != 0 { padded.append("1") }
    return stride(from: 0, to: padded.count, by: 8).flatMap { start -> [UInt8] in
      let byte = UInt8(String(padded[start..<start + 8]), radix: 2) ?? 0
      return byte == 0xFF ? [0xFF, 0] : [byte]
    }
  }
}
