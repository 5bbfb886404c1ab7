import CropCore
import CropImaging
import CropPixels
import Foundation
import TestMaterial
import Testing

/// A saved crop says in its own XMP what it was cut from, in every format.
@Suite(.enabled(if: !SharedPictures.rows.isEmpty, "no pictures; see CROPKIT_IMAGES"))
struct ProvenanceTests {
  private let engine = CropEngine(backend: JPEGPath(before: VipsBackend()))

  @Test(arguments: PictureFormat.allCases)
  func `a crop in any format tells its recipe and its source`(format: PictureFormat) throws {
    let source = try picture("jpeg-444-icc-xmp.jpg")
    let provenance = Provenance(
      recipe: CropRecipe(rect: FrameRect(x: 8, y: 9, width: 100, height: 80), quarterTurns: 1),
      sourceName: "a \"b\" <c> & d's\u{1F4F7}.jpg", sourceBytes: 12_345,
      checksum: String(repeating: "0f", count: 32))
    let result = try engine.crop(
      source, recipe: provenance.recipe,
      options: ResultOptions(format: format, provenance: provenance))
    let made = PictureSource(bytes: result.bytes, name: "made")
    #expect(Provenance(in: made) == provenance)
    #expect(try engine.info(made).metadata.contains(.xmp))
  }

  @Test func `a lossless crop and a whole copy tell it too`() throws {
    let source = try picture("jpeg-420-227x149.jpg")
    for rect in [FrameRect(x: 16, y: 16, width: 64, height: 48), nil] {
      let provenance = Provenance(
        recipe: CropRecipe(rect: rect), sourceName: "x.jpg", sourceBytes: 9,
        checksum: String(repeating: "a", count: 64))
      let result = try engine.crop(
        source, recipe: provenance.recipe,
        options: ResultOptions(metadata: .stripAll, provenance: provenance))
      #expect(result.isLossless)
      #expect(Provenance(in: PictureSource(bytes: result.bytes, name: "made")) == provenance)
    }
  }

  @Test func `a crop of a crop tells of the last one alone`() throws {
    func told(_ name: String) -> ResultOptions {
      ResultOptions(
        provenance: Provenance(
          recipe: CropRecipe(), sourceName: name, sourceBytes: 9,
          checksum: String(repeating: "b", count: 64)))
    }
    let recipe = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 100, height: 80))
    let first = try engine.crop(
      picture("jpeg-444-icc-xmp.jpg"), recipe: recipe, options: told("first.jpg"))
    let second = try engine.crop(
      PictureSource(bytes: first.bytes, name: "first"), recipe: recipe, options: told("second.jpg"))
    let source = PictureSource(bytes: second.bytes, name: "second")
    #expect(Provenance(in: source)?.sourceName == "second.jpg")
    #expect(second.bytes.range(of: Data("first.jpg".utf8)) == nil)
    let third = try engine.crop(
      source, recipe: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 50, height: 40)))
    #expect(Provenance(in: PictureSource(bytes: third.bytes, name: "third")) == nil)
  }

  private func picture(_ name: String) throws -> PictureSource {
    try PictureSource(path: "\(SharedPictures.folder)/\(name)")
  }
}
