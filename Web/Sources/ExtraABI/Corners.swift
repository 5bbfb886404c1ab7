import CropCore
import CropKernels

// Four corners of an image with 8 bits each of red, green, blue and alpha.

func pixels(_ size: FrameSize) -> UnsafeMutableRawPointer {
  .allocate(byteCount: 4 * size.width * size.height, alignment: 8)
}

/// A sampler with its input and output memory.
struct Straightening: ~Copyable {
  let sampler: QuadSampler
  let source: UnsafeMutableRawPointer
  let averages: UnsafeMutableRawPointer?
  let result: UnsafeMutableRawPointer

  init(_ sampler: QuadSampler) {
    self.sampler = sampler
    source = pixels(sampler.part.size)
    averages = sampler.shrink > 1 ? pixels(sampler.samples) : nil
    result = pixels(sampler.size)
  }

  deinit {
    source.deallocate()
    averages?.deallocate()
    result.deallocate()
  }

  func straighten(hasAlpha: Bool) {
    let layout = SampleLayout(depth: .eight, channels: 4, hasAlpha: hasAlpha)
    var rows = SampleRows(source, rowBytes: 4 * sampler.part.width, layout)
    if let averages {
      let rowBytes = 4 * sampler.samples.width
      for row in 0..<sampler.samples.height {
        sampler.average(row, of: rows, from: 0, into: averages + row * rowBytes)
      }
      rows = SampleRows(averages, rowBytes: rowBytes, layout)
    }
    let rowBytes = 4 * sampler.size.width
    for row in 0..<sampler.size.height {
      sampler.fill(
        row: row, columns: 0..<sampler.size.width, from: rows, into: result + row * rowBytes)
    }
  }
}

/// An image in which a sheet is searched for. It is written a few rows at a time, so that it need not
/// fit into the memory.
struct SheetSearch: ~Copyable {
  /// How many rows are written at a time.
  let rows: Int
  let source: UnsafeMutableRawPointer
  private var reducer: AreaReducer

  init(_ size: FrameSize) {
    rows = max(1, min(size.height, (1 << 20) / size.width))
    source = pixels(FrameSize(width: size.width, height: rows))
    reducer = AreaReducer(size, to: SheetFinder.reducedSize(of: size))
  }

  deinit { source.deallocate() }

  mutating func add(_ count: Int) {
    let layout = SampleLayout(depth: .eight, channels: 4)
    reducer.add(
      SampleRows(source, rowBytes: 4 * reducer.source.width, layout),
      count: min(max(count, 0), rows))
  }

  var sheet: Quad? { SheetFinder.quad(in: reducer) }
}

extension Bridge {
  mutating func openCorners(
    width: Int, height: Int, outputWidth: Int, outputHeight: Int, corners quad: Quad
  ) -> Int? {
    corners = nil
    let sizes = [
      FrameSize(width: width, height: height), FrameSize(width: outputWidth, height: outputHeight),
    ]
    for size in sizes {
      guard !size.isEmpty, Double(size.width) * Double(size.height) < 500e6 else { return nil }
    }
    guard quad.fault(in: sizes[0]) == nil else { return nil }
    let part = PixelRect<FrameSpace>(x: 0, y: 0, width: width, height: height)
    let made = Straightening(QuadSampler(quad, in: part, to: sizes[1]))
    let address = made.source
    corners = consume made
    return Int(bitPattern: address)
  }

  mutating func straightenCorners(hasAlpha: Bool) -> Int? {
    guard corners != nil else { return nil }
    corners?.straighten(hasAlpha: hasAlpha)
    return (corners?.result).map { Int(bitPattern: $0) }
  }

  mutating func closeCorners() -> Bool {
    corners = nil
    return true
  }

  mutating func openSheet(width: Int, height: Int) -> Int? {
    sheet = nil
    guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
    let made = SheetSearch(FrameSize(width: width, height: height))
    let address = made.source
    sheet = consume made
    return Int(bitPattern: address)
  }

  mutating func sheetRows() -> Int { sheet?.rows ?? 0 }

  mutating func addSheetRows(count: Int) -> Bool {
    sheet?.add(count)
    return sheet != nil
  }

  mutating func findSheet() -> Quad? {
    defer { sheet = nil }
    return sheet?.sheet ?? nil
  }
}
