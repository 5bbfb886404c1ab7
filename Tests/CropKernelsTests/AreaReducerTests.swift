import CropCore
import TestMaterial
import Testing

@testable import CropKernels

@Suite struct AreaReducerTests {
  /// Reduces an image of gray values, `most` rows at a time.
  private func reduced(
    _ values: [UInt8], _ source: FrameSize, to size: FrameSize, rows most: Int
  ) -> [UInt8] {
    var reducer = AreaReducer(source, to: size)
    let bytes = values.flatMap { value -> [UInt8] in [value, value, value, 255] }
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      let layout = SampleLayout(depth: .eight, channels: 4)
      let rowBytes = 4 * source.width
      for row in stride(from: 0, to: source.height, by: most) {
        reducer.add(
          SampleRows(start + row * rowBytes, rowBytes: rowBytes, layout),
          count: min(most, source.height - row))
      }
    }
    #expect(reducer.isComplete)
    return stride(from: 0, to: reducer.pixels.count, by: 3).map { reducer.pixels[$0] }
  }

  @Test func `a pixel is the mean of what it covers`() {
    // Each covers both rows and 5/3 columns: the first one all of one column and 2/3 of the next.
    let values: [UInt8] = [0, 30, 60, 90, 120, 30, 60, 90, 120, 150]
    let size = FrameSize(width: 3, height: 1)
    let wanted: [UInt8] = [27, 75, 123]
    for rows in 1...2 {
      let made = reduced(values, FrameSize(width: 5, height: 2), to: size, rows: rows)
      #expect(made == wanted)
    }
  }

  @Test func `an image of the same size is copied, and a fine pattern becomes its mean`() {
    let size = FrameSize(width: 7, height: 5)
    let values = (0..<35).map { UInt8($0 * 7) }
    #expect(reduced(values, size, to: size, rows: 2) == values)
    let stripes = (0..<64 * 48).map { UInt8($0 % 2 == 0 ? 0 : 200) }
    let small = FrameSize(width: 8, height: 6)
    #expect(
      reduced(stripes, FrameSize(width: 64, height: 48), to: small, rows: 11)
        == [UInt8](repeating: 100, count: 48))
  }

  @Test func `the mean stays the same`() {
    var random = Seeded(seed: 55)
    for _ in 0..<100 {
      let source = FrameSize(
        width: Int(random.double(1...90)), height: Int(random.double(1...90)))
      let size = FrameSize(
        width: Int(random.double(1...Double(source.width))),
        height: Int(random.double(1...Double(source.height))))
      let values = (0..<source.width * source.height).map { _ in UInt8(random.double(0...255)) }
      let made = reduced(values, source, to: size, rows: 16)
      func mean(_ values: [UInt8]) -> Double {
        values.reduce(0) { $0 + Double($1) } / Double(values.count)
      }
      #expect(abs(mean(made) - mean(values)) <= 0.5, "\(random.comment)")
    }
  }
}
