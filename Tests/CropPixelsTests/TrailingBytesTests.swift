import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@testable import CropPixels

@Suite struct `Bytes behind the end` {
  private let engine = CropEngine(backend: VipsBackend())

  private func crop(_ file: Data) throws -> CropResult {
    let recipe = CropRecipe(rect: FrameRect(x: 3, y: 4, width: 20, height: 10))
    return try engine.crop(ImageSource(bytes: file, name: "picture"), recipe: recipe)
  }

  /// A comment, an application extension, and XMP with the bytes that lead readers of sub-blocks to
  /// its end.
  private static let extensions: [[UInt8]] = [
    [], [0x21, 0xFE, 2, 0x68, 0x69, 0],
    [0x21, 0xFF, 11] + Array("ABCDEFGHIJK".utf8) + [2, 1, 2, 0],
    [0x21, 0xFF, 11] + Array("XMP DataXMP<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
      + [1] + (0...255).reversed() + [0],
  ]

  @Test(arguments: extensions, [0, 5, 500])
  func `are not damage of a GIF, whatever its last block is`(last: [UInt8], count: Int) throws {
    let plain = try Raster.coordinates(width: 40, height: 30, bands: 3).file(.gif)
    let trailer = [UInt8](repeating: 0x74, count: count)
    let file = Data(plain.dropLast() + last + [0x3B] + trailer)
    let result = try crop(file)
    #expect(try Raster(result.bytes, as: .gif) == Raster(crop(plain).bytes, as: .gif))
    #expect(count == 0 || result.warnings.map(\.code) == ["metadata-dropped"])
  }
}
