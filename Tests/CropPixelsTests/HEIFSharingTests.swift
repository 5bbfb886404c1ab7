import CropCore
import CropImaging
import CropPixels
import Foundation
import TestMaterial
import Testing

/// Photos whose gain map, alpha plane, thumbnail or metadata belong to several images.
@Suite struct `Photos that libheif before 1_18 refuses` {
  private static func file(_ name: String) throws -> ImageSource {
    let file = Repository.folder.appendingPathComponent("Fuzz/Corpora/Headers/\(name)")
    return ImageSource(bytes: try Data(contentsOf: file), name: name)
  }

  private let engine = CropEngine(backend: VipsBackend())

  @Test(arguments: [
    "shared-gain-map.heic", "shared-alpha.heic", "shared-alpha-wide.heic", "brand.heic",
  ])
  func `are cropped, shown small and copied`(name: String) throws {
    let source = try Self.file(name)
    let info = try engine.info(source)
    let rect = FrameRect(x: 4, y: 2, width: 20, height: 30)
    let crop = try engine.crop(
      source, recipe: CropRecipe(rect: rect), options: ResultOptions(format: .png))
    #expect(crop.size == FrameSize(width: 20, height: 30))
    let made = try engine.info(ImageSource(bytes: crop.bytes, name: "made"))
    #expect(made.hasAlpha == info.hasAlpha)
    #expect(info.hasAlpha == name.hasPrefix("shared-alpha"))
    let preview = try engine.preview(source, maxSide: 16)
    #expect(max(preview.size.width, preview.size.height) == 16)
    #expect(preview.format == (info.hasAlpha ? .png : .jpeg))
    #expect(try engine.crop(source, recipe: CropRecipe()).bytes == source.allBytes())
  }
}
