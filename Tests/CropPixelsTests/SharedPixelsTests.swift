import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropPixels

@Suite struct `Crops that share decoded pixels` {
  private let engine = CropEngine(backend: VipsBackend())

  /// Crops of all kinds: some that need parts of an image, so that positions are relative to the
  /// start of the first part, and some that together need the complete image.
  private func lists(for size: ImageSize) -> [[CropRecipe]] {
    func part(_ x: Int, _ y: Int, turns: Int = 0, isMirrored: Bool = false) -> CropRecipe {
      let (w, h) = turns % 2 == 0 ? (size.width, size.height) : (size.height, size.width)
      return CropRecipe(
        rect: FrameRect(
          x: Double(x * w / 8), y: Double(y * h / 8), width: Double(max(1, w / 3)),
          height: Double(max(1, h / 4))),
        quarterTurns: turns, isMirrored: isMirrored)
    }
    let parts = [
      part(2, 3), part(3, 1, turns: 1), part(1, 2, turns: 2, isMirrored: true),
      part(2, 1, turns: 3),
    ]
    let whole = [
      CropRecipe(tilt: CropAngle(degrees: 11), shape: .ellipse, output: .maxSide(50)),
      CropRecipe(output: .maxSide(40)),
    ]
    return [parts, parts + whole]
  }

  private func isKept(_ picture: OpenedImage) -> Bool { picture.keepsPixels }

  // The smallest images are too small for parts. A phone's HEIC takes seconds to encode.
  @Test(
    arguments: Thorough.all(
      SharedPictures.rows.filter {
        $0.expected == "valid" && $0.shown != "1x1" && (Thorough.isOn || $0.format != "heic")
      }, or: 12))
  func `each is as if cropped separately`(row: SharedPictures.Row) throws {
    let source = try ImageSource(path: row.path)
    let info = try engine.info(source)
    let options = ResultOptions(page: info.frameCount > 1 ? .only(1) : .automatic)
    for recipes in lists(for: info.shown) {
      let picture = try engine.open(source, for: recipes)
      for recipe in recipes {
        let shared = try engine.crop(picture, recipe: recipe, options: options)
        let alone = try engine.crop(source, recipe: recipe, options: options)
        #expect(shared.bytes == alone.bytes)
        #expect(shared.warnings == alone.warnings)
        #expect(isKept(picture) || info.format == .tiff)
      }
    }
  }

  @Test func `one that was not announced decodes for itself`() throws {
    let file = try Raster.coordinates(width: 90, height: 70, bands: 3).file(.png)
    let source = ImageSource(bytes: file, name: "picture")
    let known = [CropRecipe(30, 20, 8, 8), CropRecipe(40, 30, 8, 8)]
    let picture = try engine.open(source, for: known)
    for recipe in known + [CropRecipe(0, 0, 50, 60), CropRecipe(44, 34, 8, 8)] {
      let shared = try engine.crop(picture, recipe: recipe)
      #expect(shared.bytes == (try engine.crop(source, recipe: recipe)).bytes)
    }
    #expect(isKept(picture))
  }

  @Test func `damage outside a crop does not matter`() throws {
    let raster = Raster.coordinates(width: 400, height: 300, bands: 3)
    let intact = try raster.file(.png)
    let (good, bad) = (CropRecipe(8, 4, 16, 16), CropRecipe(8, 280, 16, 16))
    // In the coded rows, at a place where a decoder notices; the file's structure stays valid.
    let source = try #require(
      stride(from: intact.count * 3 / 4, to: intact.count / 2, by: -7).lazy.map { place in
        var file = intact
        for index in place..<place + 40 { file[index] ^= 0x5A }
        return ImageSource(bytes: file, name: "picture")
      }.first { (try? engine.crop($0, recipe: bad)) == nil })
    let alone = try engine.crop(source, recipe: good)
    let picture = try engine.open(source, for: [bad, good])
    for _ in 0..<2 {
      #expect(throws: CropError.self) { try engine.crop(picture, recipe: bad) }
      #expect(try engine.crop(picture, recipe: good).bytes == alone.bytes)
    }
    #expect(!isKept(picture))
  }

  @Test func `pixels are forgotten when the file changes`() throws {
    let path = NSTemporaryDirectory() + "cropkit-shared-\(getpid()).png"
    defer { unlink(path) }
    let recipes = [CropRecipe(8, 4, 16, 16), CropRecipe(20, 10, 16, 16)]
    let before = Raster.coordinates(width: 90, height: 70, bands: 3)
    let after = before.mapped(width: 90, height: 70) { x, y in (89 - x, y) }
    try before.file(.png).write(to: URL(fileURLWithPath: path))
    let picture = try engine.open(try ImageSource(path: path), for: recipes)
    _ = try engine.crop(picture, recipe: recipes[0])
    #expect(isKept(picture))
    // Into the same file: another file with that name would not be read.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.write(contentsOf: try after.file(.png))
    try handle.close()
    // Independent of the resolution of the file system's timestamps.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(!isKept(picture))
    let found = try Raster(try engine.crop(picture, recipe: recipes[1]).bytes, as: .png)
    #expect(found == after.mapped(width: 16, height: 16) { x, y in (x + 20, y + 10) })
  }

  @Test func `no more is kept than memory allows`() throws {
    let file = try Raster.coordinates(width: 900, height: 700, bands: 3).file(.png)
    let recipes = [CropRecipe(0, 0, 16, 16), CropRecipe(880, 680, 16, 16)]
    let pixels = 896 * 696 * 3
    for (memory, keeps) in [(2 * pixels + 1, true), (2 * pixels - 2, false)] {
      let engine = CropEngine(backend: VipsBackend(), limits: Limits(memory: memory))
      let picture = try engine.open(ImageSource(bytes: file, name: "picture"), for: recipes)
      _ = try engine.crop(picture, recipe: recipes[0])
      #expect(isKept(picture) == keeps)
    }
  }

  @Test func `pixels are freed if encoding a result needs the memory`() throws {
    let source = ImageSource(
      bytes: try Raster.coordinates(width: 900, height: 700, bands: 3).file(.png), name: "picture")
    let (large, small) = (CropRecipe(10, 10, 880, 680), CropRecipe(0, 0, 100, 100))
    let options = ResultOptions(format: .heic, subsampling: .s444)
    // A single crop needs 24 bytes per pixel; the pixels that are kept take about 2 MB.
    for (memory, keeps) in [(24 * 880 * 680, false), (24 * 880 * 680 + 3 * 890 * 690, true)] {
      let engine = CropEngine(backend: VipsBackend(), limits: Limits(memory: memory))
      let picture = try engine.open(source, for: [large, small])
      _ = try engine.crop(picture, recipe: small, options: options)
      #expect(isKept(picture))
      let shared = try engine.crop(picture, recipe: large, options: options)
      #expect(shared.bytes == (try engine.crop(source, recipe: large, options: options)).bytes)
      #expect(isKept(picture) == keeps)
    }
  }

  @Test func `tiles far from each other are decoded one by one`() throws {
    let raster = Raster.coordinates(width: 256, height: 256, bands: 3)
    let recipes = [CropRecipe(0, 0, 16, 16), CropRecipe(240, 240, 16, 16)]
    for (tile, keeps) in [(nil, true), ((width: 32, height: 32), false)] {
      let file = try raster.file(.tiff, tile: tile)
      let picture = try engine.open(ImageSource(bytes: file, name: "picture"), for: recipes)
      for recipe in recipes { _ = try engine.crop(picture, recipe: recipe) }
      #expect(isKept(picture) == keeps)
    }
  }

  @Test func `a TIFF keeps its tiles, where the result fills one`() throws {
    let file = try Raster.coordinates(width: 256, height: 256, bands: 3)
      .file(.tiff, tile: (width: 32, height: 48))
    let source = ImageSource(bytes: file, name: "picture")
    func tile(of recipe: CropRecipe) throws -> [Int]? {
      let result = try engine.crop(source, recipe: recipe)
      let page = ImageSource(bytes: result.bytes, name: "result").tiffCoding(page: 0)
      return page?.tile.map { [$0.width, $0.height] }
    }
    #expect(try tile(of: CropRecipe(5, 5, 100, 100)) == [32, 48])
    #expect(try tile(of: CropRecipe(5, 5, 20, 20)) == nil)
  }
}

extension OpenedImage {
  /// Whether a crop has kept the decoded pixels for the next.
  var keepsPixels: Bool {
    guard let pixels = source.pixels, case .kept = pixels.state(for: source) else { return false }
    return true
  }
}

extension CropRecipe {
  fileprivate init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.init(
      rect: FrameRect(x: Double(x), y: Double(y), width: Double(width), height: Double(height)))
  }
}
