import CropCore

/// Encodes planes of samples as a baseline JPEG of quality 95, without subsampling.
struct PlaneEncoder {
  private let frame: JPEGFrame
  private let tables: TableStore
  private let coded: CodedScan

  /// An encoder of images of `size` with components of these identifiers.
  init(_ size: BitmapSize, components ids: [UInt8]) throws(JPEGError) {
    var components: [JPEGComponent] = []
    var parts: [JPEGScan.Part] = []
    for id in ids {
      parts.append(JPEGScan.Part(component: components.count, dcTable: 0, acTable: 0))
      components.append(JPEGComponent(id: id, horizontal: 1, vertical: 1, quantization: 0))
    }
    frame = JPEGFrame(
      process: .baseline, isArithmetic: false, precision: 8, size: size, components: components)
    tables = TableStore(quantization: Self.steps)
    coded = try CodedScan(
      JPEGScan(parts: parts, restartInterval: 0, dataOffset: 0), frame: frame, tables: tables)
  }

  /// The luminance table of ITU-T T.81, annex K.1, scaled to quality 95 as libjpeg does, in zigzag
  /// order. It is the finer one, so it serves all components.
  private static var steps: TableStore.Quantization {
    let luminance: [UInt16] = [
      16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35,
      37, 29, 40, 58, 51, 61, 60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109,
      81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
    ]
    return luminance.map { max(1, ($0 + 5) / 10) }
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - segments: its application segments; each is `new`.
  ///   - sink: receives the bytes.
  ///   - fill: writes a row of a component to memory.
  func encode(
    _ segments: [JPEGOutputSegment], into sink: JPEGSink,
    fill: (_ component: Int, _ row: Int, _ samples: UnsafeMutablePointer<UInt8>) -> Void
  ) throws(JPEGError) {
    let writer = BitWriter()
    var output = OutputTables(writer)
    try writer.raw16(0xFF00 | Int(JPEGMarker.startOfImage), sink)
    for segment in segments {
      guard case .new(let marker, let content) = segment else { continue }
      try writer.raw16(0xFF00 | Int(marker), sink)
      try writer.raw16(content.count + 2, sink)
      for byte in content { try writer.raw(byte, sink) }
    }
    try output.write(frame, size: frame.size, tables: tables, sink)
    try output.write(coded, frame: frame, sink)
    try encode(writer, sink, fill)
    try writer.align(sink)
    try writer.raw16(0xFF00 | Int(JPEGMarker.endOfImage), sink)
    try writer.flush(sink)
  }

  private func encode(
    _ writer: BitWriter, _ sink: JPEGSink,
    _ fill: (_ component: Int, _ row: Int, _ samples: UnsafeMutablePointer<UInt8>) -> Void
  ) throws(JPEGError) {
    let (width, height) = (frame.size.width, frame.size.height)
    let stride = (width + 7) & ~7
    let count = frame.components.count
    let band = UnsafeMutablePointer<UInt8>.allocate(capacity: count * 8 * stride)
    defer { band.deallocate() }
    var last = SIMD4<Int32>()
    for top in Swift.stride(from: 0, to: height, by: 8) {
      for row in 0..<count * 8 {
        let line = band + row * stride
        fill(row >> 3, min(top + row & 7, height - 1), line)
        // The border is repeated, so that it costs few bits.
        (line + width).update(repeating: line[width - 1], count: stride - width)
      }
      for left in Swift.stride(from: 0, to: width, by: 8) {
        for component in 0..<count {
          let output = coded.outputs[component]
          let value = output.border.encode(band + component * 8 * stride + left, stride: stride)
          guard let (bits, length) = output.dcCode.bits(for: value &- last[component]) else {
            throw .corrupt(.dcRange, offset: 0)
          }
          last[component] = value
          try writer.put(bits, count: length, sink)
          guard try output.border.write(writer, sink) else { throw .corrupt(.code, offset: 0) }
        }
      }
    }
  }
}
