import CropCore
import Testing

/// Recipes in the notations of other programs. For programs that run here, `Tests/Peers` tests the
/// results; the others' texts follow their documentation: sharp 0.34, imgproxy 3.30, CSS.
struct CropExporterTests {
  private let image = ImageSize(width: 600, height: 400)

  private func text(
    _ recipe: CropRecipe, for name: String, stored: Orientation = .up
  ) throws -> String {
    try #require(CropExporter(name: name)).text(for: recipe.resolved(for: image), stored: stored)
  }

  @Test(arguments: [
    ("sharp", "sharp(input).autoOrient().extract({ left: 10, top: 20, width: 300, height: 200 })"),
    ("imgproxy", "auto_rotate:1/crop:300:200:nowe:10:20"),
    ("thumbor", "10x20:310x220"),
    ("vips", "vips autorot INPUT 1.v && vips crop 1.v OUTPUT 10 20 300 200"),
    ("imagemagick", "magick INPUT -auto-orient +repage -crop 300x200+10+20 +repage OUTPUT"),
    (
      "css",
      ".crop { position: relative; overflow: hidden; width: 300px; height: 200px; "
        + "} .crop > img { position: absolute; left: 0; top: 0; max-width: none; "
        + "width: 600px; height: 400px; transform-origin: 0 0; "
        + "transform: matrix(1, 0, 0, 1, -10, -20); }"
    ),
    (
      "sanity",
      #"{"_type": "image", "crop": {"_type": "sanity.imageCrop", "top": 0.05, "bottom": 0.45, "#
        + #""left": 0.016667, "right": 0.483333}, "hotspot": {"_type": "sanity.imageHotspot", "#
        + #""x": 0.266667, "y": 0.3, "height": 0.5, "width": 0.5}}"#
    ),
    (
      "typo3",
      #"{"cropArea": {"x": 0.016667, "y": 0.05, "width": 0.5, "height": 0.5}, "#
        + #""selectedRatio": "3:2", "focusArea": null}"#
    ),
    (
      "immich",
      #"{"edits": [{"action": "crop", "parameters": {"x": 10, "y": 20, "width": 300, "height": 200}}]}"#
    ),
  ])
  func `a part of a picture`(name: String, wanted: String) throws {
    let rect = FrameRect(x: 10, y: 20, width: 300, height: 200)
    #expect(try text(CropRecipe(rect: rect), for: name) == wanted)
  }

  // Mirrored and turned by 90°, the frame is 400 × 600. Its column x is the upright row 399 − x, its row y
  // the upright column 599 − y: columns 30 to 230 are rows 170 to 370, rows 40 to 340 columns 260 to 560.
  @Test(arguments: [
    (
      "sharp",
      "sharp(input).autoOrient().extract({ left: 260, top: 170, width: 300, height: 200 })"
        + ".resize({ width: 150, height: 100, fit: 'fill' }).flop().rotate(90)"
    ),
    ("thumbor", "260x170:560x370/-150x100/filters:stretch():rotate(270)"),
    (
      "vips",
      "vips autorot INPUT 1.v && vips crop 1.v 2.v 260 170 300 200 && "
        + "vips flip 2.v 3.v horizontal && vips rot 3.v 4.v d90 && "
        + "vips thumbnail_image 4.v OUTPUT 100 --height 150 --size force"
    ),
    (
      "imagemagick",
      "magick INPUT -auto-orient +repage -crop 300x200+260+170 +repage -flop -rotate 90 "
        + "-resize '100x150!' OUTPUT"
    ),
  ])
  func `a part that is mirrored, turned and made smaller`(name: String, wanted: String) throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 30, y: 40, width: 200, height: 300), quarterTurns: 1, isMirrored: true,
      output: .exact(width: 100, height: 150))
    #expect(try text(recipe, for: name) == wanted)
  }

  @Test func `imgproxy gets the rectangle after the turn`() throws {
    let rect = FrameRect(x: 30, y: 40, width: 200, height: 300)
    let recipe = CropRecipe(rect: rect, quarterTurns: 1, output: .maxSide(150))
    let wanted = "auto_rotate:1/rotate:90/crop:200:300:nowe:30:40/resize:force:100:150:1"
    #expect(try text(recipe, for: "imgproxy") == wanted)
  }

  @Test(arguments: CropExporter.all.map(\.name))
  func `the complete picture is only oriented`(name: String) throws {
    let written = try text(CropRecipe(), for: name)
    for part in ["crop:", "extract", "{out}"] { #expect(!written.contains(part)) }
  }

  // The same rectangle of the same turned frame as above.
  @Test func `Immich crops, mirrors and turns, in this order`() throws {
    let rect = FrameRect(x: 30, y: 40, width: 200, height: 300)
    let crop =
      #"{"action": "crop", "parameters": {"x": 260, "y": 170, "width": 300, "height": 200}}"#
    let mirror = #"{"action": "mirror", "parameters": {"axis": "horizontal"}}"#
    let turn = #"{"action": "rotate", "parameters": {"angle": 90}}"#
    let all = CropRecipe(rect: rect, quarterTurns: 1, isMirrored: true)
    #expect(try text(all, for: "immich") == #"{"edits": [\#(crop), \#(mirror), \#(turn)]}"#)
    let turned = CropRecipe(quarterTurns: 1)
    #expect(try text(turned, for: "immich") == #"{"edits": [\#(turn)]}"#)
    let both = CropRecipe(quarterTurns: 1, isMirrored: true)
    #expect(try text(both, for: "immich") == #"{"edits": [\#(mirror), \#(turn)]}"#)
    #expect(try text(CropRecipe(), for: "immich") == #"{"edits": []}"#)
    let smaller = CropRecipe(output: .maxSide(100))
    let error = #expect(throws: CropExporterError.self) { try text(smaller, for: "immich") }
    #expect(error?.what == "set the size of the result")
  }

  @Test(arguments: [
    "sharp", "imgproxy", "thumbor", "vips", "imagemagick", "sanity", "typo3", "immich",
  ])
  func `impossible crops are rejected`(name: String) throws {
    let tilted = CropRecipe(tilt: CropAngle(degrees: 3))
    for recipe in [
      tilted, CropRecipe(shape: .ellipse), CropRecipe(shape: .roundedRectangle(radius: 9)),
    ] {
      #expect(throws: CropExporterError.self) { try text(recipe, for: name) }
    }
  }

  @Test func `imgproxy refuses mirrors, and turns of a picture that is stored mirrored`() throws {
    let error = #expect(throws: CropExporterError.self) {
      try text(CropRecipe(isMirrored: true), for: "imgproxy")
    }
    #expect(error?.exporter == "imgproxy" && error?.what == "mirror")
    let turned = CropRecipe(quarterTurns: 1)
    #expect(throws: CropExporterError.self) {
      try text(turned, for: "imgproxy", stored: .leftMirrored)
    }
    #expect(try text(turned, for: "imgproxy", stored: .right) == "auto_rotate:1/rotate:90")
    let half = CropRecipe(quarterTurns: 2)
    #expect(
      try text(half, for: "imgproxy", stored: .leftMirrored) == "auto_rotate:1/rotate:180")
  }

  @Test func `css tilts and masks`() throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 200, y: 100, width: 200, height: 200), tilt: CropAngle(degrees: 30),
      shape: .roundedRectangle(radius: 20), output: .maxSide(100))
    let written = try text(recipe, for: "css")
    #expect(written.contains("border-radius: 10px / 10px;"))
    // Half of the cosine and the sine of 30°; the center, (300, 200), is mapped to (50, 50).
    #expect(written.contains("matrix(0.433013, 0.25, -0.25, 0.433013, -29.903811, -111.60254)"))
    #expect(try text(CropRecipe(shape: .ellipse), for: "css").contains("border-radius: 50%;"))
  }

  @Test func `an unknown name is not an exporter`() {
    #expect(CropExporter(name: "photoshop") == nil)
  }
}
