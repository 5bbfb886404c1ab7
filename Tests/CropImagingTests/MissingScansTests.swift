import CropCore
import Foundation
import TestMaterial
import Testing

@testable import CropImaging

/// A progressive JPEG that ends correctly after its first scan.
@Suite struct MissingScansTests {
  /// An image like a photo, as a progressive JPEG with only its first scan.
  private func firstScan() throws -> [UInt8] {
    let (width, height) = (160, 120)
    var pixels = Array("P6\n\(width) \(height)\n255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        pixels += [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 255 / 280)]
      }
    }
    let whole = try #require(
      Peer.run("cjpeg", ["-progressive", "-quality", "90", "-sample", "2x2"], on: pixels))
    let start = try #require(whole.firstRange(of: [0xFF, 0xDA])?.upperBound)
    // The first marker after the coded data.
    let end = try #require(
      (start..<whole.count - 1).first {
        whole[$0] == 0xFF && whole[$0 + 1] != 0 && whole[$0 + 1] & 0xF8 != 0xD0
      })
    return whole[..<end] + [0xFF, 0xD9]
  }

  private func pixels(_ jpeg: [UInt8]) throws -> [UInt8] {
    try Array(#require(Peer.run("djpeg", ["-ppm"], on: jpeg)).suffix(160 * 120 * 3))
  }

  @Test func `what is re-encoded is as smooth as a decoder shows it`() throws {
    let source = try firstScan()
    // The right and bottom edges are off the grid, and all pixels of the image are compared.
    let options = ResultOptions(quality: 100, lossless: .never)
    let result = try MadeJPEG.crop(source, CropRecipe(0, 0, 160, 120), options)
    let (wanted, found) = (try pixels(source), try pixels([UInt8](result.bytes)))
    let difference = zip(wanted, found).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(wanted.count) <= 1)
  }

  @Test func `blocks are copied only if that was asked for`() throws {
    let source = try firstScan()
    let recipe = CropRecipe(16, 16, 64, 64)
    let usual = try MadeJPEG.crop(source, recipe, ResultOptions())
    #expect(!usual.isLossless && usual.obstacle == .missingScans)
    #expect(usual.warnings.contains(.scansMissing))
    #expect(try MadeJPEG.crop(source, recipe, ResultOptions(lossless: .snap)).isLossless)
    let whole = try MadeJPEG.make(160, 120, ["-progressive"])
    let sound = try MadeJPEG.crop(whole, recipe, ResultOptions())
    #expect(sound.isLossless && sound.warnings.isEmpty)
  }
}
