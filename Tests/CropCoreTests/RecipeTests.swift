import CropCore
import Foundation
import Testing

@Suite struct RecipeTests {
  private let image = ImageSize(width: 640, height: 480)

  private func decoded(_ json: String) throws -> CropRecipe {
    try JSONDecoder().decode(CropRecipe.self, from: Data(json.utf8))
  }

  @Test func `an empty recipe is the whole picture`() throws {
    let crop = try decoded("{}").resolved(for: image)
    #expect(crop.rect == FrameRect(x: 0, y: 0, width: 640, height: 480))
    #expect(crop.isIdentity)
  }

  @Test func `every key of the JSON form is read and written`() throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 10, y: 20, width: 300, height: 200), quarterTurns: 3, isMirrored: true,
      tilt: CropAngle(degrees: -2.5), shape: .roundedRectangle(radius: 24),
      output: .exact(width: 600, height: 400))
    let json = """
      {"version": 1, "rect": {"x": 10, "y": 20, "width": 300, "height": 200}, "quarterTurns": 3,
       "mirrored": true, "tilt": -2.5, "shape": {"roundedRectangle": 24},
       "output": {"width": 600, "height": 400}}
      """
    #expect(try decoded(json) == recipe)
    let written = try JSONEncoder().encode(recipe)
    #expect(try JSONDecoder().decode(CropRecipe.self, from: written) == recipe)
    let keys = try #require(JSONSerialization.jsonObject(with: written) as? [String: Any]).keys
    #expect(
      Set(keys) == ["version", "rect", "quarterTurns", "mirrored", "tilt", "shape", "output"])
  }

  @Test(arguments: [
    #"{"rekt": null}"#, #"{"rect": {"x": 0, "y": 0, "width": 1, "height": 1, "z": 1}}"#,
    #"{"rect": {"x": 0, "y": 0, "width": 1}}"#, #"{"version": 3}"#, #"{"shape": "star"}"#,
    #"{"shape": {"roundedRectangle": "1"}}"#, #"{"output": {"maxSide": 10, "width": 1}}"#,
    #"{"output": {"width": 10}}"#, #"{"tilt": "1"}"#, #"{"quarterTurns": 1.5}"#, "[]", "null", "",
    #"{"rect": {"x": 1e999, "y": 0, "width": 1, "height": 1}}"#,
  ])
  func `a misspelt key or another type is an error`(json: String) {
    #expect(throws: (any Error).self) { try decoded(json) }
  }

  @Test(arguments: [
    (
      #"{"rect": {"x": 0, "y": 0, "width": 0, "height": 1}}"#,
      RecipeError.sizeNotWhole(width: 0, height: 1)
    ),
    (
      #"{"rect": {"x": 0, "y": 0, "width": 1.5, "height": 1}}"#,
      .sizeNotWhole(width: 1.5, height: 1)
    ),
    (#"{"rect": {"x": 0.5, "y": 0, "width": 1, "height": 1}}"#, .positionOffGrid(x: 0.5, y: 0)),
    (
      #"{"rect": {"x": -1, "y": 0, "width": 10, "height": 1}}"#,
      .outside(
        FrameRect(x: -1, y: 0, width: 10, height: 1), frame: FrameSize(width: 640, height: 480))
    ),
    (#"{"rect": {"x": 1e300, "y": 0, "width": 1, "height": 1}}"#, .positionOffGrid(x: 1e300, y: 0)),
    (
      #"{"rect": {"x": 0, "y": 0, "width": 4294967296, "height": 1}}"#,
      .sizeNotWhole(width: 4_294_967_296, height: 1)
    ),
    (#"{"tilt": 45.1}"#, .tiltOutOfRange(degrees: 45.1)),
    (#"{"shape": {"roundedRectangle": -1}}"#, .negativeRadius(-1)),
    (#"{"output": {"maxSide": 0}}"#, .maxSideTooSmall(0)),
    (
      #"{"output": {"width": 640, "height": 400}}"#,
      .outputRatio(width: 640, height: 400, rect: FrameSize(width: 640, height: 480))
    ),
    (
      #"{"tilt": 5, "rect": {"x": 0, "y": 0, "width": 640, "height": 480}}"#,
      .blankCorner(
        FrameRect(x: 0, y: 0, width: 640, height: 480), frame: FrameSize(width: 640, height: 480))
    ),
  ])
  func `invalid values are rejected with their numbers`(json: String, error: RecipeError) throws {
    let recipe = try decoded(json)
    #expect(throws: error) { try recipe.resolved(for: image) }
  }

  @Test func `recipes that mean the same are equal when normalized`() {
    let plain = CropRecipe(quarterTurns: 1)
    #expect(CropRecipe(quarterTurns: 5, tilt: CropAngle(degrees: -0.0)).normalized() == plain)
    #expect(CropRecipe(quarterTurns: -3).normalized() == plain)
    #expect(
      CropRecipe(shape: .roundedRectangle(radius: 0)).normalized().shape == .rectangle)
    func round(_ radius: Double) -> CropShape {
      CropRecipe(
        rect: FrameRect(x: 0, y: 0, width: 100, height: 120),
        shape: .roundedRectangle(radius: radius)
      ).normalized().shape
    }
    #expect(round(80) == round(50))
    #expect(round(50) == .roundedRectangle(radius: 50))
    #expect(round(20) == .roundedRectangle(radius: 20))
  }

  @Test func `a rectangle on a turned picture is found in the bitmap`() throws {
    // 640 × 480 turned clockwise is 480 × 640: its top-left pixel is the image's bottom-left one.
    let recipe = CropRecipe(
      rect: FrameRect(x: 0, y: 0, width: 10, height: 20), quarterTurns: 1)
    let crop = try recipe.resolved(for: image)
    #expect(crop.frame == FrameSize(width: 480, height: 640))
    #expect(crop.imageRect == ImageRect(x: 0, y: 470, width: 20, height: 10))
  }

  @Test func `a missing rectangle under a tilt has the frame's ratio and no blank corner`() throws {
    let crop = try CropRecipe(tilt: CropAngle(degrees: 10)).resolved(for: image)
    // 1 / (cos 10° + 640/480 · sin 10°) = 0.8222…, so 526.2 × 394.6, rounded inwards.
    #expect(crop.rectSize == FrameSize(width: 526, height: 394))
    #expect(crop.rect.center == FramePoint(x: 320, y: 240))
  }

  // 1600 × 900 limited to 512: 900 × 512 / 1600 = 288.
  @Test(
    arguments: [
      (nil, OutputSize.maxSide(512)), (.maxSide(300), .maxSide(300)),
      (.maxSide(900), .maxSide(512)),
      (.exact(width: 1600, height: 900), .exact(width: 512, height: 288)),
      (.exact(width: 300, height: 200), .exact(width: 300, height: 200)),
    ] as [(OutputSize?, OutputSize)])
  func `a limit makes an output smaller and never larger`(own: OutputSize?, limited: OutputSize) {
    #expect(CropRecipe(output: own).limited(toSide: 512).output == limited)
  }

  @Test(
    arguments: [
      ((-3.0, -2.5, 100.0, 50.0), (0.0, 0.0, 97.0, 48.0)),
      ((600.2, 470.7, 39.1, 9.3), (600.0, 470.0, 40.0, 10.0)),
      ((10.0, 20.0, 700.0, 10.0), (10.0, 20.0, 630.0, 10.0)),
      ((10.0, 20.0, 30.0, 40.0), (10.0, 20.0, 30.0, 40.0)),
      ((640.0, 0.0, 5.0, 5.0), (640.0, 0.0, 5.0, 5.0)),
      ((-9.0, 0.0, 9.0, 5.0), (-9.0, 0.0, 9.0, 5.0)),
    ] as [((Double, Double, Double, Double), (Double, Double, Double, Double))])
  func `a clamped rectangle is cut to the frame, unless nothing is in it`(
    asked: (Double, Double, Double, Double), kept: (Double, Double, Double, Double)
  ) {
    func rect(_ sides: (Double, Double, Double, Double)) -> FrameRect {
      FrameRect(x: sides.0, y: sides.1, width: sides.2, height: sides.3)
    }
    #expect(CropRecipe(rect: rect(asked)).clamped(to: image).rect == rect(kept))
  }

  @Test func `a rectangle is clamped to the turned frame, and not under a tilt`() {
    let rect = FrameRect(x: 0, y: 0, width: 640, height: 640)
    let turned = CropRecipe(rect: rect, quarterTurns: 1).clamped(to: image)
    #expect(turned.rect == FrameRect(x: 0, y: 0, width: 480, height: 640))
    let tilted = CropRecipe(rect: rect, tilt: CropAngle(degrees: 1))
    #expect(tilted.clamped(to: image) == tilted)
  }

  @Test func `an output is exact, or never larger than the rectangle`() throws {
    #expect(
      try CropRecipe(output: .maxSide(160)).resolved(for: image).output
        == FrameSize(width: 160, height: 120))
    #expect(
      try CropRecipe(output: .maxSide(5000)).resolved(for: image).output
        == FrameSize(width: 640, height: 480))
    // 640 : 480 scaled to a width of 101 is 75.75 high: 75 and 76 are both less than a pixel off.
    for height in [75, 76] {
      #expect(
        try CropRecipe(output: .exact(width: 101, height: height)).resolved(for: image).output
          == FrameSize(width: 101, height: height))
    }
    // 41 × 21 gives 1200 × 627 if the rectangle is rounded to pixels, though its ratio gives 1200 ×
    // 614.6.
    let small = FrameRect(x: 0, y: 0, width: 41, height: 21)
    #expect(
      try CropRecipe(rect: small, output: .exact(width: 1200, height: 627)).resolved(for: image)
        .output == FrameSize(width: 1200, height: 627))
    #expect(throws: RecipeError.self) {
      try CropRecipe(rect: small, output: .exact(width: 1200, height: 580)).resolved(for: image)
    }
  }
}
