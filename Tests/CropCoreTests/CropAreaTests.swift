import CropCore
import Testing

struct CropAreaTests {
  private func picture(_ width: Int, _ height: Int, tilt: Double = 0) -> TiltedPicture {
    TiltedPicture(frame: FrameSize(width: width, height: height), tilt: CropAngle(degrees: tilt))
  }

  private func rect(
    _ area: CropArea, in picture: TiltedPicture
  ) -> FrameRect { area.rect(in: picture) }

  @Test func `pixels are taken as they are`() {
    let area = CropArea.rectangle(
      x: .pixels(-10), y: .pixels(20.5), width: .pixels(300), height: .pixels(0))
    #expect(
      area.rect(in: picture(100, 100)) == FrameRect(x: -10, y: 20.5, width: 300, height: 0))
  }

  @Test func `a negative size is a distance from the far edge`() {
    let area = CropArea.rectangle(
      x: .pixels(10), y: .percent(10.5), width: .pixels(-20), height: .percent(-9.5))
    #expect(rect(area, in: picture(100, 100)) == FrameRect(x: 10, y: 10, width: 70, height: 81))
    let all = CropArea.rectangle(
      x: .pixels(90), y: .pixels(0), width: .pixels(-20), height: .pixels(100))
    #expect(rect(all, in: picture(100, 100)).width == -10)
  }

  @Test func `an inset is cut off on each side`() {
    let area = CropArea.inset(
      left: .pixels(1), top: .percent(2.5), right: .pixels(3), bottom: .percent(4.5))
    #expect(rect(area, in: picture(100, 100)) == FrameRect(x: 1, y: 2, width: 96, height: 94))
    let whole = CropArea.inset(
      left: .pixels(0), top: .pixels(0), right: .percent(0), bottom: .percent(0))
    #expect(rect(whole, in: picture(100, 60)) == FrameRect(x: 0, y: 0, width: 100, height: 60))
  }

  @Test func `percentages go outward to whole pixels`() {
    // 10 % of 227 is 22.7, 90 % is 204.3; 10 % of 149 is 14.9, 90 % is 134.1.
    let area = CropArea.rectangle(
      x: .percent(10), y: .percent(10), width: .percent(80), height: .percent(80))
    #expect(area.rect(in: picture(227, 149)) == FrameRect(x: 22, y: 14, width: 183, height: 121))
  }

  @Test(arguments: [1, 7, 10, 100, 1000, 4032, 65_535])
  func `a percentage that is a whole pixel stays there`(side: Int) {
    for share in 0..<100 {
      let area = CropArea.rectangle(
        x: .percent(Double(share)), y: .percent(0), width: .percent(Double(100 - share)),
        height: .percent(100))
      let rect = area.rect(in: picture(side * 100, side))
      let left = Double(share * side)
      #expect(
        rect == FrameRect(x: left, y: 0, width: Double(side * 100) - left, height: Double(side)))
    }
  }

  @Test func `a percentage of pixels may be mixed with pixels`() {
    let area = CropArea.rectangle(
      x: .pixels(5), y: .percent(50), width: .percent(33), height: .pixels(10))
    // The right edge is at 5 + 33 = 38; the lower edge at 49.5 + 10 = 59.5 is rounded out to 60.
    #expect(area.rect(in: picture(100, 99)) == FrameRect(x: 5, y: 49, width: 33, height: 11))
  }

  @Test func `a percentage of nothing stays nothing and is refused`() {
    let area = CropArea.rectangle(
      x: .percent(0.5), y: .percent(0), width: .percent(0), height: .percent(10))
    let recipe = CropRecipe(rect: area.rect(in: picture(99, 99)))
    #expect(throws: RecipeError.self) {
      try recipe.resolved(for: ImageSize(width: 99, height: 99))
    }
  }

  @Test func `an odd remainder goes to the right and to the bottom`() throws {
    let square = try #require(AspectRatio(1, 1))
    #expect(
      rect(.ratio(square, .center), in: picture(105, 100))
        == FrameRect(x: 2, y: 0, width: 100, height: 100))
    #expect(
      rect(.ratio(square, .center), in: picture(100, 105))
        == FrameRect(x: 0, y: 2, width: 100, height: 100))
  }

  @Test func `a ratio of small terms is exact`() throws {
    let ratio = try #require(AspectRatio(3, 2))
    // 333 steps of 3 × 2 fit into 1000 × 1000.
    #expect(
      rect(.ratio(ratio, .northwest), in: picture(1000, 1000))
        == FrameRect(x: 0, y: 0, width: 999, height: 666))
    #expect(
      rect(.ratio(ratio, .southeast), in: picture(1000, 1000))
        == FrameRect(x: 1, y: 334, width: 999, height: 666))
  }

  @Test func `a ratio of large terms is met to the nearest pixel`() throws {
    let ratio = try #require(AspectRatio(1201, 630))
    // 1000 / 1201 × 630 = 524.56
    #expect(
      rect(.ratio(ratio, .north), in: picture(1000, 1000))
        == FrameRect(x: 0, y: 0, width: 1000, height: 525))
  }

  @Test func `a picture smaller than the terms gives the nearest rectangle`() throws {
    let ratio = try #require(AspectRatio(16, 9))
    #expect(
      rect(.ratio(ratio, .center), in: picture(5, 5))
        == FrameRect(x: 0, y: 1, width: 5, height: 3))
    #expect(
      rect(.ratio(ratio, .center), in: picture(1, 1))
        == FrameRect(x: 0, y: 0, width: 1, height: 1))
  }

  @Test(arguments: Gravity.allCases, [0.0, 0.1, -7, 30, 45])
  func `a ratio under a tilt leaves no blank corner`(gravity: Gravity, tilt: Double) throws {
    for (width, height) in [(1, 1), (16, 9), (2, 3), (1201, 630)] {
      let ratio = try #require(AspectRatio(width, height))
      for size in [ImageSize(width: 640, height: 480), ImageSize(width: 51, height: 300)] {
        let picture = picture(size.width, size.height, tilt: tilt)
        let recipe = CropRecipe(
          rect: rect(.ratio(ratio, gravity), in: picture), tilt: CropAngle(degrees: tilt))
        _ = try recipe.resolved(for: size)
      }
    }
  }

  @Test func `a rectangle of a frame into which the picture is stretched is met in its pixels`() {
    let frame = ViewSize(width: 300, height: 100)
    let picture = TiltedPicture(frame: FrameSize(width: 600, height: 400), tilt: .zero)
    func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FrameRect? {
      CropArea.stretched(ViewRect(x: x, y: y, width: width, height: height), in: frame)?
        .rect(in: picture)
    }
    #expect(part(30, 10, 60, 20) == FrameRect(x: 60, y: 40, width: 120, height: 80))
    // Between pixels: rounded outward.
    #expect(part(0.2, 0, 0.5, 0.1) == FrameRect(x: 0, y: 0, width: 2, height: 1))
    // Beyond the frame: clipped.
    #expect(part(-10, 90, 400, 20) == FrameRect(x: 0, y: 360, width: 600, height: 40))
    #expect(part(300, 0, 10, 10) == nil)
    #expect(part(0, 0, .nan, 10) == nil)
  }
}
