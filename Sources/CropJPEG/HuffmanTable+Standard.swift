extension HuffmanTable {
  /// The tables of ITU-T T.81, annex K.3: for luminance (0) and chrominance (1).
  ///
  /// Nearly every camera uses them, and where a file has none (frames of Motion JPEG) they are meant.
  static func standardDC(_ index: Int) -> Self? {
    let symbols: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    return index == 0
      ? Self(counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: symbols)
      : Self(counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: symbols)
  }

  /// The AC tables of the same place.
  static func standardAC(_ index: Int) -> Self? {
    index == 0
      ? Self(counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: luminanceAC)
      : Self(counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: chrominanceAC)
  }

  private static var luminanceAC: [UInt8] {
    completed([
      0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
      0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52,
      0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82,
    ])
  }

  private static var chrominanceAC: [UInt8] {
    completed([
      0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
      0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33,
      0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1,
    ])
  }

  /// The symbols with short codes, then all others of baseline in ascending order: runs of 0 to 15
  /// with sizes of 1 to 10.
  private static func completed(_ short: [UInt8]) -> [UInt8] {
    var symbols = short
    for symbol: UInt8 in 0x01...0xFA where (1...10).contains(symbol & 15) {
      if !short.contains(symbol) { symbols.append(symbol) }
    }
    return symbols
  }
}
