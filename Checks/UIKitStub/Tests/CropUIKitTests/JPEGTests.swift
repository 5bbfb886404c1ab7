import CropCore
import CropJPEG
import Foundation
import Testing

@testable import CheckedCropUIKit

/// JPEG files, processed by the same code as on all other faces, without stand-ins.
struct JPEGTests {
  private func sample(_ name: String) throws -> Data {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { folder.deleteLastPathComponent() }
    return try Data(contentsOf: folder.appendingPathComponent("Samples/\(name).jpg"))
  }

  private func sizeAndFlag(_ data: Data) throws -> (ImageSize, CropCore.Orientation) {
    try data.withUnsafeBytes { bytes in
      let file = try JPEGFile(JPEGInput(bytes))
      return (file.imageSize, file.orientation)
    }
  }

  @Test func `a recipe on the block grid is cut without decoding, rotations and all`() throws {
    let data = try sample("lake-at-dusk")
    let file = PictureFile(data)
    let whole = try sizeAndFlag(data)
    let recipe = CropRecipe(rect: FrameRect(x: 32, y: 64, width: 320, height: 160))
    let cut = try #require(file.losslessCut(by: recipe, .keep))
    #expect(cut.count < data.count)
    #expect(try sizeAndFlag(cut) == (ImageSize(width: 320, height: 160), whole.1))
    // A turn of the complete image only changes the flag.
    let turned = try #require(file.losslessCut(by: CropRecipe(quarterTurns: 1), .keep))
    let flag = try sizeAndFlag(turned)
    #expect(flag.0 == whole.0.transposed && flag.1 == whole.1.followed(by: .right))
  }

  @Test func `snapping edges move outward to the grid of the view's session`() async throws {
    let file = PictureFile(try sample("lake-at-dusk"))
    let stored = try #require(await file.storedJPEG())
    let recipe = CropRecipe(rect: FrameRect(x: 33, y: 65, width: 320, height: 160))
    #expect(file.losslessCut(by: recipe, .keep, .exact) == nil)
    let cut = try #require(file.losslessCut(by: recipe, .keep, .outward))
    let plan = try #require(
      JPEGPlan(
        recipe.resolved(for: stored.imageSize), grid: stored.grid,
        orientation: stored.orientation, mode: .outward))
    let size = plan.frameRect.size
    #expect(size.width > 320 && size.height > 160)
    #expect(try sizeAndFlag(cut).0 == ImageSize(width: size.width, height: size.height))
    #expect(await PictureFile(Data([0xff, 0xd8, 0xff])).storedJPEG() == nil)
  }

  @Test func `recipes that need new pixels, and other formats, are not cut this way`() throws {
    let file = PictureFile(try sample("lake-at-dusk"))
    for recipe in [
      CropRecipe(rect: FrameRect(x: 33, y: 64, width: 320, height: 160)),
      CropRecipe(tilt: CropAngle(degrees: 1)), CropRecipe(shape: .ellipse),
      CropRecipe(output: .maxSide(100)),
    ] {
      #expect(file.losslessCut(by: recipe, .keep) == nil)
    }
    #expect(PictureFile(Data([1, 2, 3])).losslessCut(by: CropRecipe(), .keep) == nil)
    #expect(PictureFile(Data()).losslessCut(by: CropRecipe(), .keep) == nil)
  }

  @Test func `a re-encoded result gets the source's metadata, upright`() throws {
    // This one is stored on its side.
    let data = try sample("upright-street")
    let encoded = try #require(
      PictureFile(try sample("lake-at-dusk")).losslessCut(
        by: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 160, height: 160)), .stripAll))
    #expect(try sizeAndFlag(data).1 != .up)
    let withMetadata = try #require(PictureFile(data).withMetadata(encoded, isSRGB: true, .keep))
    #expect(try sizeAndFlag(withMetadata) == (ImageSize(width: 160, height: 160), .up))
    #expect(withMetadata.count > encoded.count)
    #expect(PictureFile(Data([1])).withMetadata(encoded, isSRGB: true, .keep) == nil)
  }

  @Test func `a photo program's crop, spots and regions are gone from each result`() throws {
    let packet = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:HasCrop="True" crs:CropTop="0.1"
       xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" crs:Exposure2012="+0.50">
      <crs:RetouchInfo><rdf:Seq><rdf:li>HIDDEN</rdf:li></rdf:Seq></crs:RetouchInfo>
      <e:ImageRegion>HIDDEN</e:ImageRegion></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let content = Array(packet.utf8)
    let length = content.count + 2
    var data = try sample("lake-at-dusk")
    // Before all others: the first packet has precedence.
    data.insert(
      contentsOf: [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content, at: 2)
    let file = PictureFile(data)
    let recipe = CropRecipe(rect: FrameRect(x: 32, y: 64, width: 320, height: 160))
    let cut = try #require(file.losslessCut(by: recipe, .keep))
    for result in [cut, try #require(file.withMetadata(cut, isSRGB: true, .keep))] {
      for gone in ["HasCrop", "CropTop", "Retouch", "ImageRegion", "HIDDEN"] {
        #expect(result.range(of: Data(gone.utf8)) == nil)
      }
      #expect(result.range(of: Data("crs:Exposure2012".utf8)) != nil)
    }
  }

  @Test func `files that the system writes contain no positions in the old picture`() {
    let kept = PictureFile.kept(
      [
        "{Exif}": ["SubjectArea": [1, 2], "SubjectLocation": [1, 2], "FNumber": 8],
        "{ExifAux}": ["Regions": ["RegionList": []], "LensModel": "50 mm"],
      ], of: .blank(4, 3), .keep)
    #expect((kept["{ExifAux}"] as? [String: Any])?.keys.sorted() == ["LensModel"])
    #expect(
      (kept["{Exif}"] as? [String: Any])?.keys.sorted()
        == ["FNumber", "PixelXDimension", "PixelYDimension"])
  }
}
