import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@testable import CropPixels

/// The thumbnails that HEIC files contain.
@Suite struct `Thumbnails in HEIC files` {
  private let engine = CropEngine(backend: VipsBackend())

  @Test(arguments: SharedPictures.rows.filter { $0.file == "heic-iphone-grid-irot3.heic" })
  func `that of a photo is upright and looks like a preview`(row: SharedPictures.Row) throws {
    let source = try ImageSource(path: row.path)
    let shown = try engine.info(source).shown
    let thumbnail = try #require(try engine.thumbnail(source))
    #expect(thumbnail.format == .jpeg)
    #expect(thumbnail.size.width < thumbnail.size.height && shown.width < shown.height)
    let preview = try engine.preview(
      source, maxSide: max(thumbnail.size.width, thumbnail.size.height))
    #expect(preview.size == thumbnail.size)
    let (one, other) = try (
      Raster(thumbnail.bytes, as: .jpeg), Raster(preview.bytes, as: .jpeg)
    )
    let differences = zip(one.samples, other.samples).map { abs(Int($0) - Int($1)) }
    #expect(differences.reduce(0, +) < 6 * differences.count)
  }

  @Test(arguments: ["gain-map.heic", "alpha.avif", "gain-map.jpg"])
  func `a file without one has none`(name: String) throws {
    let file = Repository.folder.appendingPathComponent("Fuzz/Corpora/Headers/\(name)")
    #expect(try engine.thumbnail(ImageSource(path: file.path)) == nil)
  }
}
