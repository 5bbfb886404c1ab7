import CropCore

extension JPEGFrame {
  /// Reads a frame header of `count` bytes, behind its length.
  init(reading reader: ByteReader, marker: UInt8, count: Int) throws(JPEGError) {
    let start = reader.offset
    let precision = Int(try reader.byte())
    let height = try reader.big16()
    let width = try reader.big16()
    let channels = Int(try reader.byte())
    guard count == 6 + 3 * channels, channels > 0, width > 0 else {
      throw .corrupt(.frameHeader, offset: start)
    }
    guard height > 0 else { throw .unsupported(.heightAtEnd) }
    guard channels <= 4 else { throw .unsupported(.components) }
    guard precision == 8 || (precision == 12 && marker != 0xC0) else {
      throw .corrupt(.frameHeader, offset: start)
    }
    var components: [JPEGComponent] = []
    for _ in 0..<channels {
      let id = try reader.byte()
      let factors = try reader.byte()
      let quantization = Int(try reader.byte())
      let horizontal = Int(factors >> 4)
      let vertical = Int(factors & 15)
      guard (1...4).contains(horizontal), (1...4).contains(vertical), quantization < 4,
        !components.contains(where: { $0.id == id })
      else { throw .corrupt(.frameHeader, offset: start) }
      components.append(
        JPEGComponent(
          id: id, horizontal: channels == 1 ? 1 : horizontal,
          vertical: channels == 1 ? 1 : vertical,
          quantization: quantization))
    }
    self.init(
      process: marker == 0xC0
        ? .baseline : marker == 0xC2 || marker == 0xCA ? .progressive : .extended,
      isArithmetic: marker == 0xC9 || marker == 0xCA, precision: precision,
      size: BitmapSize(width: width, height: height), components: components)
  }
}

extension JPEGScan {
  /// Reads a scan header of `count` bytes, behind its length.
  init(
    reading reader: ByteReader, count: Int, frame: JPEGFrame, restartInterval: Int
  ) throws(JPEGError) {
    let start = reader.offset
    let channels = Int(try reader.byte())
    guard (1...4).contains(channels), channels <= frame.components.count, count == 4 + 2 * channels
    else { throw .corrupt(.scanHeader, offset: start) }
    var parts: [Part] = []
    for _ in 0..<channels {
      let id = try reader.byte()
      let tables = try reader.byte()
      guard let component = frame.components.firstIndex(where: { $0.id == id }),
        !parts.contains(where: { $0.component == component }), tables >> 4 < 4, tables & 15 < 4
      else { throw .corrupt(.scanHeader, offset: start) }
      parts.append(
        Part(component: component, dcTable: Int(tables >> 4), acTable: Int(tables & 15)))
    }
    // First and last coefficient and their bits matter to progressive files only; sequential ones
    // are read as if they said 0, 63, 0, as every decoder does.
    for _ in 0..<3 { _ = try reader.byte() }
    self.init(parts: parts, restartInterval: restartInterval, dataOffset: reader.offset)
  }
}
