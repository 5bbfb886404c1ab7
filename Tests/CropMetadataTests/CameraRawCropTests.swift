import TestMaterial
import Testing

@testable import CropCore
@testable import CropMetadata

/// A packet of Camera Raw's settings as attributes.
func cameraRaw(_ attributes: String, elements: String = "") -> [UInt8] {
  Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
     xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
     \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
    """.utf8)
}

private func crop(
  _ top: Double, _ left: Double, _ bottom: Double, _ right: Double, _ angle: Double = 0
) -> String {
  """
  crs:HasCrop="True" crs:CropTop="\(top)" crs:CropLeft="\(left)" crs:CropBottom="\(bottom)" \
  crs:CropRight="\(right)" crs:CropAngle="\(angle)"
  """
}

@Suite struct `A crop of Camera Raw` {
  @Test(
    arguments: [
      (5616, 3744, crop(0, 0.098785, 1, 0.916953, 1.64721), 4700.56, 3610.37),
      (3888, 2592, crop(0.235849, 0, 0.919811, 0.683962), 2659.25, 1772.83),
      (3008, 2000, crop(0.089706, 0, 0.960907, 0.579256), 1742.40, 1742.40),
      (6240, 4160, crop(0.069159, 0.069159, 1, 1), 5808.45, 3872.30),
      (4288, 2848, crop(0.36916, 0.374965, 0.73084, 0.925035, -10), 2144.0, 1424.0),
    ])
  func `has the sides that its program showed`(
    width: Int, height: Int, settings: String, across: Double, down: Double
  ) throws {
    let found = try #require(try CameraRawCrop(xmp: cameraRaw(settings)))
    let area = found.area(of: BitmapSize(width: width, height: height), isSidecar: false)
    #expect(abs(area.width - across) < 0.05)
    #expect(abs(area.height - down) < 0.05)
    let made = try area.recipe(of: BitmapSize(width: width, height: height), shown: .up)
    let rect = try #require(made.recipe.rect)
    #expect(rect.width == across.rounded() && rect.height == down.rounded())
    #expect(made.recipe.tilt.degrees == -found.angle.degrees)
  }

  @Test func `without a turn is on whole pixels, in numbers worked out by hand`() throws {
    // 3888 · 0.235849 = 916.98; of 2592 from the top: 611.32; 0 from the left.
    let found = try #require(
      try CameraRawCrop(xmp: cameraRaw(crop(0.235849, 0, 0.919811, 0.683962))))
    let size = BitmapSize(width: 3888, height: 2592)
    let made = try found.area(of: size, isSidecar: false).recipe(of: size, shown: .up)
    #expect(made.recipe.rect == FrameRect(x: 0, y: 611, width: 2659, height: 1773))
    #expect(made.overhang == 0)
  }

  @Test func `of a photo that is displayed turned is where it is displayed`() throws {
    // Stored as 400 × 200: the upper part of the left half, 200 × 50 at 0,0. Turned clockwise, it
    // is 50 × 200 in the top right corner of 200 × 400.
    let found = try #require(try CameraRawCrop(xmp: cameraRaw(crop(0, 0, 0.25, 0.5))))
    let size = BitmapSize(width: 400, height: 200)
    let made = try found.area(of: size, isSidecar: false).recipe(of: size, shown: .right)
    #expect(made.recipe == CropRecipe(rect: FrameRect(x: 150, y: 0, width: 50, height: 200)))
  }

  @Test(arguments: Orientation.allCases)
  func `turns the other way where the pixels are mirrored`(shown: Orientation) throws {
    let found = try #require(try CameraRawCrop(xmp: cameraRaw(crop(0.4, 0.4, 0.6, 0.6, 3))))
    let size = BitmapSize(width: 400, height: 400)
    let made = try found.area(of: size, isSidecar: false).recipe(of: size, shown: shown)
    #expect(made.recipe.tilt.degrees == ([2, 4, 5, 7].contains(shown.rawValue) ? 3 : -3))
  }

  @Test func `on the border is moved inside by less than a pixel`() throws {
    let found = try #require(
      try CameraRawCrop(xmp: cameraRaw(crop(-0.000001, 0.5, 0.5, 1.0000004))))
    let size = BitmapSize(width: 4000, height: 3000)
    let made = try found.area(of: size, isSidecar: false).recipe(of: size, shown: .up)
    #expect(made.recipe.rect == FrameRect(x: 2000, y: 0, width: 2000, height: 1500))
    #expect(abs(made.overhang - 0.003) < 1e-9)
  }

  @Test func `that reaches past an edge by a pixel is refused`() throws {
    let found = try #require(try CameraRawCrop(xmp: cameraRaw(crop(0, 0.5, 0.5, 1.001))))
    let size = BitmapSize(width: 4000, height: 3000)
    #expect(throws: RecipeError.self) {
      try found.area(of: size, isSidecar: false).recipe(of: size, shown: .up)
    }
  }

  @Test func `only counts with HasCrop`() throws {
    let off = crop(0, 0, 0.5, 0.5).replacing("\"True\"", with: "\"False\"")
    #expect(try CameraRawCrop(xmp: cameraRaw(off)) == nil)
    let silent = crop(0, 0, 0.5, 0.5).replacing("crs:HasCrop=\"True\"", with: "")
    #expect(try CameraRawCrop(xmp: cameraRaw(silent)) == nil)
  }

  @Test func `is read from elements, and not from a snapshot inside another property`() throws {
    let elements = """
      <crs:HasCrop>True</crs:HasCrop><crs:CropTop> 0.1 </crs:CropTop><crs:CropLeft>0.2</crs:CropLeft>
      <crs:CropBottom>0.9</crs:CropBottom><crs:CropRight>+0.8</crs:CropRight>
      <crs:Look><rdf:Description crs:CropTop="0.5" crs:HasCrop="False"/></crs:Look>
      """
    let found = try #require(try CameraRawCrop(xmp: cameraRaw("", elements: elements)))
    #expect(found.top == 0.1 && found.left == 0.2 && found.bottom == 0.9 && found.right == 0.8)
    #expect(found.angle == .zero)
  }

  @Test func `states whether it is already applied, and by which program`() throws {
    let settings =
      crop(0, 0, 0.5, 0.5)
      + " crs:AlreadyApplied=\"True\" xmp:CreatorTool=\"Adobe Photoshop Lightroom 5.7 (Windows)\""
    let found = try #require(try CameraRawCrop(xmp: cameraRaw(settings)))
    #expect(found.isApplied && found.isOfLightroom)
  }

  @Test(
    arguments: [
      ("crs:PerspectiveVertical=\"-12\"", "crs:PerspectiveVertical"),
      ("crs:PerspectiveScale=\"90\"", "crs:PerspectiveScale"),
      ("crs:LensManualDistortionAmount=\"+12\"", "crs:LensManualDistortionAmount"),
      ("crs:LensProfileEnable=\"1\"", "crs:LensProfileEnable"),
      ("crs:PerspectiveUpright=\"3\"", "crs:PerspectiveUpright"),
      ("crs:UprightTransform_0=\"1,0,0,0.1,1,0,0,0,1\"", "crs:UprightTransform_"),
    ])
  func `of a distorted image is rejected by name`(setting: String, name: String) throws {
    do {
      _ = try CameraRawCrop(xmp: cameraRaw(crop(0, 0, 1, 0.5) + " " + setting))
      Issue.record("was read")
    } catch MarkProblem.unsupportedEdit(let field) {
      #expect(field.name == name)
    }
  }

  @Test func `of a picture whose perspective is neutral is read`() throws {
    let neutral = """
      crs:PerspectiveVertical="0" crs:PerspectiveHorizontal="0" crs:PerspectiveRotate="0.0" \
      crs:PerspectiveScale="100" crs:PerspectiveAspect="0" crs:PerspectiveX="0.00" \
      crs:LensManualDistortionAmount="0" crs:LensProfileEnable="1" \
      crs:LensProfileDistortionScale="0" \
      crs:PerspectiveUpright="0" crs:UprightTransform_0="1,0,0,0.1,1,0,0,0,1" \
      crs:UprightTransformCount="6"
      """
    #expect(try CameraRawCrop(xmp: cameraRaw(crop(0, 0, 1, 0.5) + " " + neutral)) != nil)
  }

  @Test(
    arguments: [
      "crs:HasCrop=\"True\" crs:CropTop=\"0\"",
      crop(0, 0, 1, 0.5).replacing("\"0.5\"", with: "\"0,5\""),
      crop(0, 0, 1, 0.5).replacing("\"0.5\"", with: "\"0x1p-1\""),
      crop(0, 0, 1, 0.5).replacing("\"0.5\"", with: "\"nan\""),
      crop(0, 0, 1, 0.5).replacing("\"True\"", with: "\"yes\""),
    ])
  func `with a value that is no number is refused`(settings: String) {
    #expect(throws: MarkProblem.self) { try CameraRawCrop(xmp: cameraRaw(settings)) }
  }

  @Test func `survives thousands of recipes`() throws {
    var random = Seeded(seed: 30)
    for _ in 0..<Thorough.count(10_000) {
      let shown = random.element(Orientation.allCases)
      let stored = BitmapSize(width: random.int(1...12_000), height: random.int(1...9_000))
      let image = OrientationMap<BitmapSpace, ImageSpace>(shown, of: stored).target
      var recipe = CropRecipe(
        quarterTurns: random.int(0...3), isMirrored: random.chance(0.5),
        tilt: CropAngle(degrees: random.chance(0.3) ? 0 : random.double(-45...45)))
      let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
      let picture = TiltedPicture(frame: frame, tilt: recipe.tilt)
      guard picture.hasRoom else { continue }
      let drawn = FrameRect(
        x: random.double(0...Double(frame.width)), y: random.double(0...Double(frame.height)),
        width: random.double(1...Double(frame.width)),
        height: random.double(1...Double(frame.height)))
      recipe.rect = SelectionRules(bounds: picture).quantized(drawn).rect
      guard let crop = try? recipe.resolved(for: image) else { continue }

      let written = CameraRawCrop(BitmapCrop(crop, shown: shown), of: stored)
      let packet = try written.written(into: nil, of: stored)
      let read = try #require(try CameraRawCrop(xmp: packet))
      let back = try read.area(of: stored, isSidecar: true).recipe(of: stored, shown: shown).recipe
      let rect = try #require(back.rect)
      #expect(back.orientation == recipe.orientation, "\(random.comment)")
      #expect(abs(back.tilt.degrees - recipe.tilt.degrees) < 1e-8, "\(random.comment)")
      #expect(
        rect.width == crop.rect.width && rect.height == crop.rect.height,
        "\(random.comment): \(crop.rect) became \(rect) of \(stored) under \(recipe.tilt)")
      #expect(abs(rect.x - crop.rect.x) <= 1.0 / 64 && abs(rect.y - crop.rect.y) <= 1.0 / 64)
    }
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
