import TestMaterial
import Testing

@testable import CropCore

/// An image without tilt.
private func flat(_ width: Int, _ height: Int) -> TiltedPicture {
  TiltedPicture(frame: FrameSize(width: width, height: height), tilt: .zero)
}

private func ratio(_ width: Int, _ height: Int) throws -> AspectRatio {
  try #require(AspectRatio(width, height))
}

@Suite struct QuantizedTests {
  @Test func `edges off a pixel line go outward`() {
    let rules = SelectionRules(bounds: flat(640, 480))
    let drawn = FrameRect(x: 10.2, y: 20.9, width: 30.3, height: 40)
    // From 10.2 to 40.5 → 10 to 41; from 20.9 to 60.9 → 20 to 61.
    #expect(rules.quantized(drawn).rect == FrameRect(x: 10, y: 20, width: 31, height: 41))
  }

  @Test func `an edge within a millionth of a pixel line is on it`() {
    let rules = SelectionRules(bounds: flat(640, 480))
    let drawn = FrameRect(x: 9.999_999_5, y: 20.000_000_4, width: 30, height: 40)
    #expect(rules.quantized(drawn).rect == FrameRect(x: 10, y: 20, width: 30, height: 40))
  }

  @Test func `three to two is exact and holds what was drawn`() throws {
    let rules = SelectionRules(bounds: flat(640, 480), ratio: try ratio(3, 2))
    let drawn = FrameRect(x: 100, y: 100, width: 100.5, height: 67)
    // 100.5 × 67 needs 34 steps of 3 × 2: 102 × 68.
    let result = rules.quantized(drawn, anchor: CropAnchor(x: 0, y: 0)).rect
    #expect(result == FrameRect(x: 100, y: 100, width: 102, height: 68))
  }

  @Test func `a ratio stays exact at the border by shrinking before the pinned corner moves`()
    throws
  {
    let rules = SelectionRules(bounds: flat(101, 101), ratio: try ratio(16, 9))
    let drawn = FrameRect(x: 50, y: 50, width: 80, height: 45)
    // 51 columns remain: three steps of 16.
    let result = rules.quantized(drawn, anchor: CropAnchor(x: 0, y: 0)).rect
    #expect(result == FrameRect(x: 50, y: 50, width: 48, height: 27))
  }

  @Test func `the maximum wins over the minimum, and the minimum over the ratio`() throws {
    var rules = SelectionRules(bounds: flat(640, 480), ratio: try ratio(1, 1))
    rules.minimum = FrameSize(width: 100, height: 50)
    rules.maximum = FrameSize(width: 300, height: 80)
    let drawn = FrameRect(x: 10, y: 10, width: 60, height: 60)
    let result = rules.quantized(drawn, anchor: CropAnchor(x: 0, y: 0))
    // A square with sides of 100 would be higher than 80, so the result is wider than high.
    #expect(result.rect == FrameRect(x: 10, y: 10, width: 100, height: 60))
    #expect(result.violatedRule == .ratio)
    rules.maximum = FrameSize(width: 60, height: 40)
    rules.ratio = nil
    let smaller = rules.quantized(drawn, anchor: CropAnchor(x: 0, y: 0))
    #expect(smaller.rect == FrameRect(x: 10, y: 10, width: 60, height: 40))
    #expect(smaller.violatedRule == .minimum)
  }

  @Test func `under a tilt, a minimum size applies if there is space for it`() {
    // At 45° width and height share 3000 · √2 = 4242.6 pixels.
    let picture = TiltedPicture(frame: .of(3000, 4000), tilt: CropAngle(degrees: 45))
    let drawn = FrameRect(x: 500, y: 900, width: 2200, height: 2139)
    var rules = SelectionRules(bounds: picture, minimum: .of(586, 2139))
    let result = rules.quantized(drawn)
    #expect(PixelLengths(result.rect) == PixelLengths(width: 2103, height: 2139))
    #expect(result.violatedRule == nil)
    // If it does not fit, the minimum yields to the image.
    rules.minimum = .of(2200, 2139)
    let smaller = rules.quantized(drawn)
    #expect(picture.contains(smaller.rect))
    #expect(smaller.violatedRule == .minimum)
  }

  @Test(arguments: [nil, FrameSize.of(150, 150)])
  func `a minimum that nothing meets is dropped, and the ratio stays`(maximum: FrameSize?) throws {
    var rules = SelectionRules(bounds: flat(227, 149), ratio: try ratio(1, 1))
    (rules.minimum, rules.maximum) = (.of(200, 200), maximum)
    let result = rules.quantized(rules.bounds.frame.bounds)
    #expect(result.rect == FrameRect(x: 39, y: 0, width: 149, height: 149))
    #expect(result.violatedRule == .minimum)
    // A pinned corner changes nothing about that.
    let drawn = FrameRect(x: 20, y: 30, width: 500, height: 400)
    let pinned = rules.quantized(drawn, anchor: CropAnchor(x: 0, y: 0))
    #expect(pinned.rect == FrameRect(x: 20, y: 30, width: 119, height: 119))
    #expect(pinned.violatedRule == .minimum)
  }

  @Test func `a ratio that does not fit the image is violated and reported`() throws {
    let rules = SelectionRules(bounds: flat(10, 10), ratio: try ratio(16, 9))
    let result = rules.quantized(FrameRect(x: 0, y: 0, width: 10, height: 10))
    #expect(result.violatedRule == .ratio)
    #expect(rules.bounds.contains(result.rect))
  }

  @Test func `a picture's own odd ratio is met to the nearest pixel`() throws {
    // 4001 : 2999 has terms far above 64.
    let rules = SelectionRules(bounds: flat(4001, 2999), ratio: try ratio(4001, 2999))
    let drawn = FrameRect(x: 100, y: 100, width: 1000, height: 700)
    let result = rules.quantized(drawn, anchor: CropAnchor(x: 0, y: 0))
    // 1000 / 4001 · 2999 = 749.56…
    #expect(result.rect == FrameRect(x: 100, y: 100, width: 1000, height: 750))
    #expect(result.violatedRule == nil)
    let whole = rules.quantized(rules.bounds.frame.bounds)
    #expect(whole.rect == FrameRect(x: 0, y: 0, width: 4001, height: 2999))
  }

  @Test func `a move keeps the size and stops at the edge`() {
    let rules = SelectionRules(bounds: flat(640, 480))
    let rect = FrameRect(x: 10, y: 10, width: 33, height: 44)
    #expect(
      rules.moved(rect, to: FramePoint(x: 12.4, y: -7))
        == FrameRect(x: 12, y: 0, width: 33, height: 44))
    #expect(
      rules.moved(rect, to: FramePoint(x: 1e6, y: 1e6))
        == FrameRect(x: 607, y: 436, width: 33, height: 44))
  }

  @Test func `random rectangles obey the rules in their order`() throws {
    var random = Seeded(seed: 20_260_714)
    for _ in 0..<20_000 {
      let frame = FrameSize(width: random.int(1...3000), height: random.int(1...3000))
      let tilt = CropAngle(degrees: random.chance(0.5) ? 0 : random.double(-45...45))
      let picture = TiltedPicture(frame: frame, tilt: tilt)
      // A strip one pixel high contains no upright pixel when tilted: there are no rules for it.
      guard picture.hasRoom else { continue }
      var rules = SelectionRules(bounds: picture)
      if random.chance(0.6) {
        rules.ratio = AspectRatio(random.int(1...80), random.int(1...80))
      }
      if random.chance(0.3) {
        rules.minimum = FrameSize(width: random.int(1...400), height: random.int(1...400))
      }
      if random.chance(0.3) {
        rules.maximum = FrameSize(width: random.int(1...400), height: random.int(1...400))
      }
      let drawn = FrameRect(
        x: random.double(-500...3500), y: random.double(-500...3500),
        width: random.double(0...3500), height: random.double(0...3500))
      let anchor = CropAnchor(x: random.element([0, 0.5, 1]), y: random.element([0, 0.5, 1]))
      let result = rules.quantized(drawn, anchor: anchor)
      let comment: Comment = "\(random.comment): \(drawn) \(rules) \(anchor) → \(result)"
      try #require(picture.contains(result.rect), comment)
      try #require(result.rect.width >= 1 && result.rect.height >= 1, comment)
      let recipe = CropRecipe(rect: result.rect, tilt: tilt)
      let image = ImageSize(width: frame.width, height: frame.height)
      try #require((try? recipe.resolved(for: image)) != nil, comment)
      if let maximum = rules.maximum {
        try #require(
          result.rect.width <= Double(maximum.width)
            && result.rect.height <= Double(maximum.height), comment)
      }
      if result.violatedRule == nil {
        try #require(
          result.rect.width >= Double(rules.minimum.width)
            && result.rect.height >= Double(rules.minimum.height), comment)
        if let ratio = rules.ratio, ratio.isExact {
          try #require(
            result.rect.width * Double(ratio.height) == result.rect.height * Double(ratio.width),
            comment)
        }
      }
    }
  }
}
