import CropCore

/// The decoded samples of a small sequential JPEG, a plane for each component.
final class JPEGPlanes {
  /// The samples of one component, row by row without padding.
  struct Plane {
    let samples: UnsafeMutablePointer<UInt8>
    let size: BitmapSize
  }

  let frame: JPEGFrame
  private(set) var planes: [Plane] = []

  /// The most samples of all planes together.
  private static var mostSamples: Int { 1 << 26 }

  /// Decodes the file in `input`, whose codes `JPEGCutter` has already checked.
  ///
  /// - Throws: `unsupported` for an image that is not in one scan, or too large; `corrupt`.
  init(_ input: JPEGInput) throws(JPEGError) {
    let header = try JPEGHeader(reading: input)
    frame = header.frame
    guard frame.obstacle == nil, header.firstScan.parts.count == frame.components.count,
      header.firstScan.restartInterval == 0
    else { throw .unsupported(.components) }
    let coded = try CodedScan(header.firstScan, frame: frame, tables: header.tables)
    let (width, height) = (frame.grid.cellWidth, frame.grid.cellHeight)
    let columns = (frame.size.width + width - 1) / width
    let rows = (frame.size.height + height - 1) / height
    var left = Self.mostSamples
    var strides: [Int] = []
    for component in frame.components {
      let stride = columns * component.horizontal * 8
      let (count, overflow) = stride.multipliedReportingOverflow(by: rows * component.vertical * 8)
      guard !overflow, count <= left else { throw .unsupported(.components) }
      left -= count
      strides.append(stride)
      planes.append(
        Plane(samples: .allocate(capacity: count), size: frame.size(of: component)))
    }
    try decode(coded, columns: columns, rows: rows, strides, ByteReader(input))
    for (plane, stride) in zip(planes, strides) {
      for row in 1..<max(1, plane.size.height) {
        (plane.samples + row * plane.size.width)
          .update(from: plane.samples + row * stride, count: plane.size.width)
      }
    }
  }

  deinit {
    for plane in planes { plane.samples.deallocate() }
  }

  private func decode(
    _ coded: CodedScan, columns: Int, rows: Int, _ strides: [Int], _ reader: ByteReader
  ) throws(JPEGError) {
    let window = ScanWindow(reader)
    let scan = ScanReader(reader, window: window, coded: coded)
    try window.start(at: coded.scan.dataOffset)
    for row in 0..<rows {
      for column in 0..<columns {
        if !window.isSegmentEnd, scan.position > (window.count - ScanWindow.margin) * 8 {
          let first = scan.position >> 3
          try window.advance(keepingFrom: first)
          scan.position -= first * 8
        }
        var (part, number) = (-1, 0)
        for block in scan.blocks {
          if let damage = scan.passDC(block) { throw scan.failure(damage) }
          let coefficients = scan.position
          if let damage = scan.passAC(block.ac) { throw scan.failure(damage) }
          if block.part != part { (part, number) = (block.part, 0) }
          let index = coded.scan.parts[part].component
          let component = frame.components[index]
          let x = column * component.horizontal + number % component.horizontal
          let y = row * component.vertical + number / component.horizontal
          coded.outputs[part].border.decode(
            dc: scan.predictors[part], window.bytes, at: coefficients,
            to: planes[index].samples + (y * strides[index] + x) * 8, stride: strides[index])
          number += 1
        }
        guard scan.position <= window.count * 8 else { throw scan.failure(.shortData) }
      }
    }
  }
}

extension JPEGFrame {
  /// The number of samples of a component across and down (ITU-T T.81, A.1.1).
  fileprivate func size(of component: JPEGComponent) -> BitmapSize {
    func share(_ length: Int, _ factor: Int, _ most: Int) -> Int {
      (length * factor + most - 1) / most
    }
    return BitmapSize(
      width: share(size.width, component.horizontal, maxHorizontal),
      height: share(size.height, component.vertical, maxVertical))
  }
}
