import CropCore
import CropJPEG
import Foundation
import Testing
import UIKit

@testable import CheckedCropUIKit

/// Sizes on paper, and the density that results state.
struct PrintTests {
  private func photo(_ name: String, width: Int, height: Int) -> PictureFile {
    let data = Data(name.utf8)
    PictureFileContents.register(
      PictureFileContents(.blank(width, height), orientation: 1, type: "public.heic"), as: data)
    return PictureFile(data)
  }

  @Test(arguments: [(900, 413, 531), (90, 70, 90)])
  func `a crop becomes a print of its size, and is never enlarged`(
    side: Int, width: Int, height: Int
  ) async throws {
    let print = CropPrint(try #require(PrintSize(text: "35x45mm")))
    let recipe = CropRecipe(
      rect: FrameRect(x: 0, y: 0, width: Double(side / 9 * 7), height: Double(side)))
    let made = try await photo("print \(side)", width: side, height: side)
      .cropped(by: recipe, print: print)
    let image = try #require(PictureFileContents.of(made)?.image)
    #expect(image.width == width)
    #expect(image.height == height)
  }

  @Test func `files that the system writes state only the new density`() throws {
    let source: [String: Any] = [
      "DPIWidth": 240, "DPIHeight": 240, "{TIFF}": ["XResolution": 240, "Make": "Maker"],
      "{JFIF}": ["XDensity": 240, "IsProgressive": 1], "{PNG}": ["XPixelsPerMeter": 9449],
    ]
    var kept = source
    PictureFile.StatedDensity().write(to: &kept)
    let own = kept["DPIWidth"] as? Int
    #expect(own == 240)
    PictureFile.StatedDensity(density: PixelDensity(across: 300, down: 150)).write(to: &kept)
    let sides = [kept["DPIWidth"] as? Double, kept["DPIHeight"] as? Double]
    #expect(sides == [300, 150])
    func names(_ dictionary: String) -> [String] {
      (kept[dictionary] as? [String: Any] ?? [:]).keys.sorted()
    }
    #expect(names("{TIFF}") == ["Make"])
    #expect(names("{JFIF}") == ["IsProgressive"])
    #expect(names("{PNG}").isEmpty)
    var resized = source
    PictureFile.StatedDensity(isScaled: true).write(to: &resized)
    #expect(!resized.keys.contains { $0.hasPrefix("DPI") })
  }

  @Test func `a JPEG that is cut without decoding states the density`() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Samples/lake-at-dusk.jpg")
    let file = PictureFile(try Data(contentsOf: path))
    let recipe = CropRecipe(rect: FrameRect(x: 32, y: 64, width: 320, height: 160))
    let plain = try #require(file.losslessCut(by: recipe, .keep))
    let stated = try #require(
      file.losslessCut(by: recipe, .keep, .exact, PixelDensity(dpi: 0x1234)))
    #expect(stated != plain)
    #expect(stated.range(of: Data([0x12, 0x34])) != nil)
  }
}
