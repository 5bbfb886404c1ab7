import CropCore
import CropImaging
import Foundation
import Testing

/// What fuzzing of headers and recipes starts from, and what it found; part of the repository.
private enum Corpus {
  static func files(_ folder: String) -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let place = root.appendingPathComponent("Fuzz/Corpora/\(folder)")
    let all = try? FileManager.default.contentsOfDirectory(
      at: place, includingPropertiesForKeys: nil)
    return (all ?? []).sorted { $0.path < $1.path }
  }

  static let headers = files("Headers")
  static let recipes = files("Recipes")
}

/// Says that every picture can be decoded, and crops none.
private struct AnyPicture: PixelBackend {
  func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: source.name, feature: "cropping")
  }

  func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: source.name, feature: "previewing")
  }

  func check(_ source: PictureSource, info: ImageInfo, limits: Limits) throws(CropError) {}
}

@Suite struct `What fuzzing starts from` {
  private let engine = CropEngine(backend: AnyPicture())

  @Test func `is there`() {
    #expect(Corpus.headers.count >= 17)
    #expect(Corpus.recipes.count >= 5)
  }

  @Test(arguments: Corpus.headers)
  func `a file of the corpus gets the same answer every time`(file: URL) throws {
    let bytes = try Data(contentsOf: file)
    for isLenient in [false, true] {
      let answers = (0..<5).map { _ in
        Result { () throws(CropError) in
          try engine.info(PictureSource(bytes: bytes, name: "picture"), isLenient: isLenient)
        }
      }
      #expect(answers.allSatisfy { $0 == answers[0] })
    }
  }

  @Test(arguments: Corpus.headers, [MetadataPolicy.stripAll, .stripLocation])
  func `a copy less its metadata is the same picture`(file: URL, policy: MetadataPolicy) throws {
    let source = PictureSource(bytes: try Data(contentsOf: file), name: "picture")
    // What is damaged or coded anew is of no interest here.
    guard let info = try? engine.info(source),
      let copy = try? engine.crop(
        source, recipe: CropRecipe(), options: ResultOptions(metadata: policy))
    else { return }
    let again = try engine.info(PictureSource(bytes: copy.bytes, name: "copy"))
    #expect(again.shown == info.shown)
    #expect(again.frameDurations == info.frameDurations)
    #expect(!again.metadata.contains(.location))
    if policy == .stripAll { #expect(again.metadata.allSatisfy { $0 == .icc || $0 == .exif }) }
  }

  @Test(arguments: Corpus.recipes)
  func `a recipe of the corpus comes back from JSON`(file: URL) throws {
    guard let recipe = try? JSONDecoder().decode(CropRecipe.self, from: Data(contentsOf: file))
    else { return }
    let text = try JSONEncoder().encode(recipe)
    #expect(
      try JSONDecoder().decode(CropRecipe.self, from: text).normalized() == recipe.normalized())
  }
}
