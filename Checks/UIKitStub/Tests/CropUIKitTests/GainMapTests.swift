import CropCore
import ImageIO
import Testing
import UIKit

@testable import CheckedCropUIKit

/// Gain maps from ImageIO, cropped with the image.
struct GainMapTests {
  /// A photo of 64 × 48 pixels with a map of 32 × 24 samples, whose rows are padded by four bytes.
  private func photo(
    _ name: String, type: String = "public.heic", kind: String = "HDRGainMap",
    format: UInt32 = 0x4C30_3038
  ) -> PictureFile {
    let data = Data(name.utf8)
    var samples = Data(count: 36 * 24)
    for y in 0..<24 { for x in 0..<32 { samples[y * 36 + x] = UInt8(4 * x + y) } }
    var contents = PictureFileContents(
      .blank(64, 48), orientation: 6, type: type, auxiliary: [kind])
    contents.auxiliaryInfo[kind] = [
      "InfoData": samples, "InfoMetadata": "numbers",
      "InfoDataDescription": [
        "PixelFormat": NSNumber(value: format), "Width": 32, "Height": 24, "BytesPerRow": 36,
      ],
    ]
    PictureFileContents.register(contents, as: data)
    return PictureFile(data)
  }

  @Test(arguments: ["public.heic", "public.jpeg"], ["HDRGainMap", "ISOGainMap"])
  func `the samples under an upright crop are cut, and the numbers stay`(
    type: String, kind: String
  ) async throws {
    let file = photo("\(type) with \(kind)", type: type, kind: kind)
    #expect(file.partsLost.isEmpty)
    // Upright, it has 48 × 64 pixels: stored column x is row x, stored row y is column 47 − y.
    let recipe = CropRecipe(rect: FrameRect(x: 8, y: 20, width: 24, height: 16))
    let made = try await file.cropped(by: recipe)
    let written = try #require(PictureFileContents.of(made)?.auxiliaryInfo[kind])
    #expect(written["InfoMetadata"] as? String == "numbers")
    let description = try #require(written["InfoDataDescription"] as? [String: Any])
    #expect(description["Width"] as? Int == 12 && description["Height"] as? Int == 8)
    #expect(description["BytesPerRow"] as? Int == 12)
    let samples = try #require(written["InfoData"] as? Data)
    for y in 0..<8 {
      for x in 0..<12 {
        let (column, row) = (10 + y, 23 - (4 + x))
        #expect(samples[y * 12 + x] == UInt8(4 * column + row))
      }
    }
  }

  @Test func `four corners are straightened in the map too`() async throws {
    let quad = Quad(
      topLeft: FramePoint(x: 4, y: 4), topRight: FramePoint(x: 40, y: 8),
      bottomRight: FramePoint(x: 44, y: 56), bottomLeft: FramePoint(x: 8, y: 60))
    let made = try await photo("a sheet").cropped(by: CropRecipe(quad: quad))
    let written = try #require(PictureFileContents.of(made)?.auxiliaryInfo["HDRGainMap"])
    let description = try #require(written["InfoDataDescription"] as? [String: Any])
    // The longer edges have 36 and 56 pixels, and half as many samples.
    #expect(description["Width"] as? Int == 18 && description["Height"] as? Int == 28)
    let samples = try #require(written["InfoData"] as? Data)
    #expect(samples.count == 18 * 28)
    // The top-left corner is the stored point (4, 43), near the sample (2, 21).
    #expect(abs(Int(samples[samples.startIndex]) - (4 * 2 + 21)) <= 4)
  }

  @Test func `there is none on request, or in a type that does not support it`()
    async throws
  {
    let recipe = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 16, height: 16))
    let dropped = try await photo("not wanted").cropped(by: recipe, keepsHDR: false)
    #expect(PictureFileContents.of(dropped)?.auxiliary.isEmpty == true)
    let round = CropRecipe(rect: recipe.rect, shape: .ellipse)
    let png = try await photo("round", type: "public.jpeg").cropped(by: round)
    #expect(PictureFileContents.of(png)?.auxiliary.isEmpty == true)
  }

  @Test func `samples of another form are reported as lost`() async throws {
    let file = photo("420f", format: 0x3432_3066)
    #expect(file.partsLost == [.gainMap])
    let made = try await file.cropped(
      by: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 16, height: 16)))
    #expect(PictureFileContents.of(made)?.auxiliary.isEmpty == true)
  }

  @Test func `only the fields about light of Apple's note are kept`() throws {
    let properties: [String: Any] = [
      kCGImagePropertyMakerAppleDictionary: ["1": 15, "33": 1.5, "48": 0.01]
    ]
    let light = try #require(PictureFile.appleLight(in: properties))
    #expect(light.keys.sorted() == ["33", "48"])
    #expect(PictureFile.appleLight(in: [kCGImagePropertyMakerAppleDictionary: ["1": 15]]) == nil)
    #expect(PictureFile.appleLight(in: [:]) == nil)
  }
}
