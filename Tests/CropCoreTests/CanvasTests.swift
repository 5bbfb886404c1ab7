import TestMaterial
import Testing

@testable import CropCore

struct CanvasTests {
  private func layout(
    _ extent: CropCanvas.Extent, _ margin: CropLength = .pixels(0), _ gravity: Gravity = .center,
    of width: Int, _ height: Int
  ) -> [Int]? {
    CropCanvas(extent: extent, margin: margin, gravity: gravity)
      .layout(of: FrameSize(width: width, height: height))
      .map { [$0.size.width, $0.size.height, $0.crop.x, $0.crop.y, $0.crop.width, $0.crop.height] }
  }

  @Test func `a square around a wide crop is as wide as the crop`() {
    #expect(layout(.ratio(.square), of: 400, 300) == [400, 400, 0, 50, 400, 300])
    #expect(layout(.ratio(.square), of: 300, 401) == [401, 401, 50, 0, 300, 401])
  }

  @Test func `a ratio is met exactly by the least canvas that holds the crop`() throws {
    // 16 k × 9 k with 9 k ≥ 4000: k is 445.
    let wide = try #require(AspectRatio(16, 9))
    #expect(layout(.ratio(wide), of: 3000, 4000) == [7120, 4005, 2060, 2, 3000, 4000])
    // 9 k × 16 k with 9 k ≥ 900: an exact multiple is not rounded up a step.
    #expect(layout(.ratio(wide.swapped), of: 900, 10) == [900, 1600, 0, 795, 900, 10])
  }

  @Test func `a crop is made smaller for a size and never larger`() {
    let size = CropCanvas.Extent.size(FrameSize(width: 1080, height: 1080))
    #expect(layout(size, of: 4000, 3000) == [1080, 1080, 0, 135, 1080, 810])
    #expect(layout(size, of: 100, 80) == [1080, 1080, 490, 500, 100, 80])
    // 5 % of 1080 are 54 on each side: 972 remain.
    #expect(layout(size, .percent(5), of: 4000, 3000) == [1080, 1080, 54, 175, 972, 729])
  }

  @Test func `a margin in percent is a share of the canvas's shorter side`() {
    // 800 + 2 m, where m is a tenth of it: m is 100.
    #expect(layout(.crop, .percent(10), of: 1600, 800) == [1800, 1000, 100, 100, 1600, 800])
    // A square with side s and s - 2 s / 10 ≥ 800: s is 1000.
    #expect(
      layout(.ratio(.square), .percent(10), of: 800, 400) == [1000, 1000, 100, 300, 800, 400])
    #expect(layout(.crop, .pixels(7), of: 10, 20) == [24, 34, 7, 7, 10, 20])
  }

  @Test func `gravity places the crop in the area inside the margin`() {
    let size = CropCanvas.Extent.size(FrameSize(width: 100, height: 60))
    #expect(layout(size, .pixels(5), .northwest, of: 20, 10) == [100, 60, 5, 5, 20, 10])
    #expect(layout(size, .pixels(5), .southeast, of: 20, 10) == [100, 60, 75, 45, 20, 10])
    #expect(layout(size, .pixels(5), .north, of: 20, 10) == [100, 60, 40, 5, 20, 10])
  }

  @Test(arguments: [
    CropLength.percent(50), .percent(-1), .percent(.nan), .pixels(-1), .pixels(.infinity),
    .pixels(40_000),
  ])
  func `a margin that leaves no space is rejected`(margin: CropLength) {
    #expect(layout(.crop, margin, of: 100, 100) == nil)
    #expect(layout(.ratio(.square), margin, of: 100, 100) == nil)
    #expect(layout(.size(FrameSize(width: 60, height: 60)), margin, of: 100, 100) == nil)
  }

  @Test func `a canvas without pixels or beyond every format is refused`() {
    #expect(layout(.size(FrameSize(width: 0, height: 5)), of: 1, 1) == nil)
    #expect(layout(.size(FrameSize(width: .max, height: 5)), of: 1, 1) == nil)
    #expect(layout(.ratio(.square), of: 0, 4) == nil)
    let thin = AspectRatio(1, 1_000_000)
    #expect(thin.flatMap { layout(.ratio($0), of: 4000, 3000) } == nil)
  }

  @Test func `every layout contains the complete crop, and laying that out again changes nothing`()
  {
    var random = Seeded(seed: 28)
    for _ in 0..<20_000 {
      let crop = FrameSize(
        width: .random(in: 1...5000, using: &random), height: .random(in: 1...5000, using: &random))
      let extents: [CropCanvas.Extent] = [
        .crop,
        .ratio(
          AspectRatio(.random(in: 1...70, using: &random), .random(in: 1...70, using: &random))!),
        .size(
          FrameSize(
            width: .random(in: 1...3000, using: &random),
            height: .random(in: 1...3000, using: &random))),
      ]
      let margins: [CropLength] = [
        .pixels(.random(in: 0...40, using: &random)), .percent(.random(in: 0..<49, using: &random)),
      ]
      let canvas = CropCanvas(
        extent: extents.randomElement(using: &random)!,
        margin: margins.randomElement(using: &random)!,
        gravity: Gravity.allCases.randomElement(using: &random)!)
      guard let found = canvas.layout(of: crop) else { continue }
      let inner = found.crop
      #expect(inner.x >= 0 && inner.y >= 0)
      #expect(inner.x + inner.width <= found.size.width)
      #expect(inner.y + inner.height <= found.size.height)
      #expect(inner.width <= crop.width && inner.height <= crop.height)
      if case .size = canvas.extent {
        #expect(canvas.layout(of: inner.size) == found)
      } else {
        #expect(inner.size == crop)
      }
      if case .ratio(let ratio) = canvas.extent, ratio.isExact {
        #expect(found.size.width * ratio.height == found.size.height * ratio.width)
      }
    }
  }
}
