import CropCore
import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropImaging

@Suite struct `Crops that share a picture` {
  private let scratch: Scratch
  private let engine = CropEngine(backend: JPEGBackend.jpegOnly)

  init() throws { scratch = try Scratch() }

  private func file(_ bytes: [UInt8]) throws -> ImageSource {
    let path = scratch.file("picture.jpg")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try ImageSource(path: path)
  }

  @Test(arguments: [[], ["-restart", "1"], ["-optimize", "-sample", "1x1"]])
  func `each is as if cropped separately, in any order`(coding: [String]) throws {
    let bytes = try MadeJPEG.make(230, 190, coding)
    let picture = try engine.open(try file(bytes))
    let kept = try #require(picture.source.cutter)
    for mode in [LosslessMode.exact, .never, .snap] {
      for (x, y) in [(0, 160), (96, 0), (16, 80), (96, 0), (160, 144)] {
        let recipe = CropRecipe(x, y, 48, 16)
        let options = ResultOptions(lossless: mode)
        let shared = try engine.crop(picture, recipe: recipe, options: options)
        let alone = try MadeJPEG.crop(bytes, recipe, options)
        #expect(shared.bytes == alone.bytes, "\(mode) \(x),\(y)")
        let cutting = try #require(kept.take(for: picture.source))
        kept.leave(cutting, for: picture.source)
      }
    }
  }

  @Test func `crops at the same time don't get in each other's way`() async throws {
    let bytes = try MadeJPEG.make(230, 190)
    let picture = try engine.open(try file(bytes))
    let engine = engine
    @Sendable func isSame(_ number: Int) throws -> Bool {
      let recipe = CropRecipe(number % 11 * 16, number % 9 * 16, 48, 16)
      let shared = try engine.crop(picture, recipe: recipe)
      return shared.bytes == (try MadeJPEG.crop(bytes, recipe)).bytes
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<64 { group.addTask { try isSame(number) } }
      for try await isSame in group { #expect(isSame) }
    }
  }

  @Test func `cached positions are discarded when the file changes or a cut fails`() throws {
    let source = try file(try MadeJPEG.make(230, 190))
    let picture = try engine.open(source)
    let kept = try #require(picture.source.cutter)
    _ = try engine.crop(picture, recipe: CropRecipe(0, 0, 48, 16))
    #expect(truncate(scratch.file("picture.jpg"), 2000) == 0)
    #expect(kept.take(for: picture.source) == nil)
    #expect(throws: CropError.self) {
      try engine.crop(picture, recipe: CropRecipe(0, 160, 48, 16))
    }
    #expect(kept.take(for: picture.source) == nil)
  }
}
