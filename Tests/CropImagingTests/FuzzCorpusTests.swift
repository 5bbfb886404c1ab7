import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging

/// The corpus for fuzzing headers and recipes, including earlier findings; part of the repository.
enum Corpus {
  static let headers = Repository.corpus("Headers")
  static let recipes = Repository.corpus("Recipes")
}

@Suite struct `What fuzzing starts from` {
  private let engine = CropEngine(backend: AnyPicture())

  @Test func `is there`() {
    #expect(Corpus.headers.count >= 33)
    #expect(Corpus.recipes.count >= 5)
  }

  @Test(arguments: Corpus.headers)
  func `a file of the corpus gets the same answer every time`(file: URL) throws {
    let bytes = try Data(contentsOf: file)
    for isLenient in [false, true] {
      let answers = (0..<5).map { _ in
        Result { () throws(CropError) in
          try engine.info(ImageSource(bytes: bytes, name: "picture"), isLenient: isLenient)
        }
      }
      #expect(answers.allSatisfy { $0 == answers[0] })
    }
  }

  @Test(arguments: Corpus.headers, [MetadataPolicy.stripAll, .stripLocation])
  func `a copy without metadata is the same image`(file: URL, policy: MetadataPolicy) throws {
    let source = ImageSource(bytes: try Data(contentsOf: file), name: "picture")
    // Damaged and re-encoded files don't matter here.
    guard let info = try? engine.info(source),
      let copy = try? engine.crop(
        source, recipe: CropRecipe(), options: ResultOptions(metadata: policy))
    else { return }
    let again = try engine.info(ImageSource(bytes: copy.bytes, name: "copy"))
    #expect(again.shown == info.shown)
    #expect(again.frameDurations == info.frameDurations)
    #expect(!again.metadata.contains(.location))
    if policy == .stripAll {
      // A gain map is part of the image.
      let kept: [MetadataKind] = [.icc, .exif] + (again.gainMap?.fault == nil ? [.gainMap] : [])
      #expect(again.metadata.allSatisfy(kept.contains))
    }
  }

  @Test(arguments: Corpus.headers.filter { ["heic", "avif"].contains($0.pathExtension) })
  func `a decoder finds the page asked for as the main picture, not turned`(file: URL) throws {
    let bytes = try Data(contentsOf: file)
    let source = ImageSource(bytes: bytes, name: "picture")
    guard let count = try? engine.info(source).pageCount else { return }
    for page in 1...count {
      let info = try engine.info(source, page: page)
      let view = try HEIFView(source, page: page)
      #expect(!view.isTurnedByDecoder)
      var seen = [UInt8](bytes)
      seen.withUnsafeMutableBytes { bytes in
        for patch in view.patches { patch.apply(to: bytes, at: 0) }
      }
      let reported = try engine.info(ImageSource(bytes: Data(seen), name: "view"))
      #expect(reported.stored == info.stored)
      #expect(reported.orientation == .up)
      #expect(reported.hasAlpha == info.hasAlpha)
    }
    #expect(throws: CropError.self) { try HEIFView(source, page: count + 1) }
  }

  @Test(arguments: Corpus.recipes)
  func `a recipe of the corpus survives JSON`(file: URL) throws {
    guard let recipe = try? JSONDecoder().decode(CropRecipe.self, from: Data(contentsOf: file))
    else { return }
    let text = try JSONEncoder().encode(recipe)
    #expect(
      try JSONDecoder().decode(CropRecipe.self, from: text).normalized() == recipe.normalized())
  }
}
