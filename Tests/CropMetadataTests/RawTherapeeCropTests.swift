import TestMaterial
import Testing

@testable import CropCore
@testable import CropMetadata

private func pp3(_ lines: String) -> [UInt8] { Array(lines.utf8) }

@Suite struct `A crop of RawTherapee` {
  @Test func `is the recipe's rectangle, turned the other way`() throws {
    let found = try #require(
      try RawTherapeeCrop(
        pp3: pp3(
          """
          [Version]
          AppVersion=5.9

          [Crop]
          Enabled=true
          X=250
          Y=200
          W=700
          H=400
          FixRatio=true

          [Rotation]
          Degree=5

          [Common Properties for Transformations]
          AutoFill=false
          """)))
    let made = try found.recipe(for: ImageSize(width: 1200, height: 800), shown: .up)
    #expect(
      made.recipe
        == CropRecipe(
          rect: FrameRect(x: 250, y: 200, width: 700, height: 400), tilt: CropAngle(degrees: -5)))
  }

  /// RawTherapee turns before it mirrors: if both are set, a quarter turn is the opposite one here.
  @Test(
    arguments: [
      ("90", "false", "false", Orientation.right), ("90", "true", "false", .leftMirrored),
      ("90", "false", "true", .rightMirrored), ("0", "true", "true", .down),
      ("270", "false", "false", .left),
    ])
  func `is turned before it is mirrored`(
    turn: String, across: String, down: String, expected: Orientation
  ) throws {
    let text =
      "[Crop]\r\nEnabled=true\r\nX=0\r\nY=0\r\nW=5\r\nH=6\r\n[Coarse Transformation]\r\n"
      + "Rotate=\(turn)\r\nHorizontalFlip=\(across)\r\nVerticalFlip=\(down)\r\n"
    #expect(try RawTherapeeCrop(pp3: pp3(text))?.orientation == expected)
  }

  @Test func `only counts if it is enabled`() throws {
    #expect(try RawTherapeeCrop(pp3: pp3("[Crop]\nEnabled=false\nX=1\nY=1\nW=2\nH=2\n")) == nil)
    #expect(try RawTherapeeCrop(pp3: pp3("[Exposure]\nAuto=false\n")) == nil)
  }

  @Test(
    arguments: [
      ("[Perspective]\nHorizontal=3\n", "[Perspective] Horizontal"),
      (
        "[Perspective]\nProjectionShiftHorizontal=20\n", "[Perspective] ProjectionShiftHorizontal"
      ),
      ("[Perspective]\nProjectionShiftVertical=-1\n", "[Perspective] ProjectionShiftVertical"),
      ("[Perspective]\nCameraShiftHorizontal=20\n", "[Perspective] CameraShiftHorizontal"),
      ("[Perspective]\nCameraShiftVertical=10\n", "[Perspective] CameraShiftVertical"),
      (
        "[Rotation]\nDegree=2\n[Common Properties for Transformations]\nAutoFill=true\n",
        "[Common Properties for Transformations] AutoFill"
      ),
    ])
  func `of a distorted or enlarged image is rejected by name`(
    more: String, name: String
  ) throws {
    do {
      _ = try RawTherapeeCrop(pp3: pp3("[Crop]\nEnabled=true\nX=1\nY=1\nW=2\nH=2\n" + more))
      Issue.record("was read")
    } catch MarkProblem.unsupportedEdit(let field) {
      #expect(field.name == name)
    }
  }

  @Test func `is set in a sidecar that keeps everything else byte for byte`() throws {
    let old =
      "[Version]\r\nAppVersion=5.9\r\n\r\n[Exposure]\r\nX=7\r\n\r\n[Crop]\r\nEnabled=false\r\n"
      + "X=1\r\nFixRatio=true\r\n\r\n[Exif]\r\nArtist=\u{E9}"
    let crop = try CropRecipe(
      rect: FrameRect(x: 10, y: 20, width: 30, height: 40), quarterTurns: 1, isMirrored: true,
      tilt: CropAngle(degrees: 0)
    ).resolved(for: ImageSize(width: 100, height: 200))
    let new = try RawTherapeeCrop(crop, shown: .up).written(into: Array(old.utf8))
    #expect(
      String(decoding: new, as: UTF8.self)
        == "[Version]\r\nAppVersion=5.9\r\n\r\n[Exposure]\r\nX=7\r\n\r\n[Crop]\r\nH=40\r\nW=30\r\n"
        + "Y=20\r\nEnabled=true\r\nX=10\r\nFixRatio=true\r\n\r\n[Exif]\r\nArtist=\u{E9}\r\n\r\n"
        + "[Coarse Transformation]\r\nVerticalFlip=false\r\nHorizontalFlip=true\r\nRotate=270\r\n"
        + "\r\n[Rotation]\r\nDegree=0\r\n\r\n[Common Properties for Transformations]\r\n"
        + "AutoFill=false\r\n")
    #expect(try RawTherapeeCrop(pp3: new) == RawTherapeeCrop(crop, shown: .up))
  }

  @Test func `survives a thousand recipes`() throws {
    var random = Seeded(seed: 31)
    for _ in 0..<1000 {
      let image = ImageSize(width: random.int(2...9000), height: random.int(2...9000))
      let (width, height) = (random.int(1...image.width), random.int(1...image.height))
      var recipe = CropRecipe(quarterTurns: random.int(0...3), isMirrored: random.chance(0.5))
      let isTransposing = recipe.orientation.isTransposing
      recipe.rect = FrameRect(
        x: 0, y: 0, width: Double(isTransposing ? height : width),
        height: Double(isTransposing ? width : height))
      let shown = random.element(Orientation.allCases)
      let crop = RawTherapeeCrop(try recipe.resolved(for: image), shown: shown)
      let read = try #require(try RawTherapeeCrop(pp3: try crop.written(into: nil)))
      #expect(try read.recipe(for: image, shown: shown).recipe == recipe, "\(random.comment)")
    }
  }
}

@Suite struct `Properties set in XMP` {
  @Test func `change in place, and everything else stays byte for byte`() throws {
    let crop = CameraRawCrop(
      BitmapCrop(
        from: BitmapPoint(x: 10, y: 20), to: BitmapPoint(x: 60, y: 70), angle: .zero),
      of: BitmapSize(width: 100, height: 100))
    let old = cameraRaw(
      "crs:HasCrop='False' tiff:ImageWidth = \"1\" xmp:Rating=\"5\"",
      elements:
        "<crs:CropTop>0.5</crs:CropTop><crs:CropLeft />\n<crs:Exposure2012>+1</crs:Exposure2012>"
    )
    let new = String(
      decoding: try crop.written(into: old, of: BitmapSize(width: 100, height: 100)), as: UTF8.self)
    let expected = cameraRaw(
      "crs:HasCrop='True' tiff:ImageWidth = \"100\" xmp:Rating=\"5\"",
      elements: "<crs:CropTop>0.2</crs:CropTop><crs:CropLeft >0.1</crs:CropLeft>\n"
        + "<crs:Exposure2012>+1</crs:Exposure2012>")
    let added = """
       <rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about=""
          xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          crs:CropBottom="0.7"
          crs:CropRight="0.6"
          crs:CropAngle="0"
          crs:AlreadyApplied="False"
          tiff:Orientation="1"
          tiff:ImageLength="100"/>

      """
    let parts = String(decoding: expected, as: UTF8.self).split(separator: "</rdf:RDF>")
    #expect(new == "\(parts[0])\(added) </rdf:RDF>\(parts[1])")
  }

  @Test func `are refused where they hold other properties`() {
    let old = cameraRaw("", elements: "<crs:CropTop><rdf:Bag/></crs:CropTop>")
    let crop = CameraRawCrop(
      BitmapCrop(center: BitmapPoint(x: 1, y: 1), width: 1, height: 1),
      of: BitmapSize(width: 2, height: 2))
    #expect(throws: MarkProblem.notUnderstood) {
      try crop.written(into: old, of: BitmapSize(width: 2, height: 2))
    }
  }
}
