import CropCore
import CropJPEG
import Foundation
import TestMaterial
import Testing

@testable import CropImaging

/// `JPEGFile`, which pages and apps use, compared with the engine.
@Suite struct `A JPEG file` {
  private static func cut(
    _ bytes: [UInt8], _ recipe: CropRecipe, _ mode: LosslessMode,
    _ policy: CropJPEG.MetadataPolicy = .keep
  ) throws -> [UInt8]? {
    try bytes.withUnsafeBytes { bytes in
      let file = try JPEGFile(JPEGInput(bytes))
      guard let plan = try file.plan(recipe, mode: mode), plan.way == .lossless else { return nil }
      var result: [UInt8] = []
      let report = try file.crop(plan, metadata: policy) { result.append(contentsOf: $0) }
      #expect(report.byteCount == Int64(result.count))
      return result
    }
  }

  @Test(arguments: Orientation.allCases, [LosslessMode.exact, .snap, .never])
  func `is cut to the byte as the engine cuts it`(flag: Orientation, mode: LosslessMode) throws {
    let bytes = try MadeJPEG.make(100, 80, ["-sample", "2x2"], orientation: flag)
    for turn in Orientation.allCases {
      for rect in [(0, 0, 48, 32), (16, 16, 32, 32), (3, 5, 40, 41), (32, 16, 36, 60)] {
        var recipe = CropRecipe(rect.0, rect.1, rect.2, rect.3)
        recipe.orientation = turn
        let engine = try MadeJPEG.crop(bytes, recipe, ResultOptions(lossless: mode))
        let ours = try Self.cut(bytes, recipe, mode)
        #expect((ours != nil) == engine.isLossless)
        if let ours { #expect(ours == [UInt8](engine.bytes)) }
      }
    }
  }

  @Test func `keeps metadata as the engine does, by every policy`() throws {
    let bytes = try MadeJPEG.hoard()
    for policy in CropJPEG.MetadataPolicy.allCases {
      let recipe = CropRecipe(16, 16, 16, 16)
      let engine = try MadeJPEG.crop(
        bytes, recipe, ResultOptions(lossless: .exact, metadata: policy))
      #expect(try Self.cut(bytes, recipe, .exact, policy) == [UInt8](engine.bytes))
    }
  }

  @Test func `adds metadata to a JPEG that was encoded elsewhere`() throws {
    let source = try MadeJPEG.hoard()
    let plain = try MadeJPEG.make(20, 10)
    func dressed(_ policy: CropJPEG.MetadataPolicy) throws -> [UInt8] {
      try source.withUnsafeBytes { source in
        try plain.withUnsafeBytes { plain in
          var result: [UInt8] = []
          try JPEGFile(JPEGInput(source)).copyMetadata(to: JPEGInput(plain), metadata: policy) {
            result.append(contentsOf: $0)
          }
          return result
        }
      }
    }
    let bytes = try dressed(.keep)
    #expect(!bytes.contains(MadeJPEG.hidden))
    #expect(bytes.contains(Array("Hill".utf8)))
    #expect(bytes.contains(Array("tiff:Orientation=\"1\"".utf8)))
    let info = try MadeJPEG.info(Data(bytes))
    #expect(info.orientation == .up && info.stored == BitmapSize(width: 20, height: 10))
    #expect(info.metadata.contains(.exif) && !info.metadata.contains(.icc))
    #expect(try dressed(.stripAll) == plain)
  }

  @Test func `has the same orientation as the engine`() throws {
    var count = 0
    for row in SharedPictures.rows where row.format.lowercased() == "jpeg" {
      guard let bytes = FileManager.default.contents(atPath: row.path),
        let info = try? MadeJPEG.info(bytes)
      else { continue }
      bytes.withUnsafeBytes { bytes in
        guard let file = try? JPEGFile(JPEGInput(bytes)) else { return }
        #expect(file.orientation == info.orientation, "\(row.file)")
        #expect(file.header.size == info.stored)
        count += 1
      }
    }
    #expect(count > 10 || SharedPictures.rows.isEmpty)
  }
}
