import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

/// Lossless crops that end inside a block.
@Suite struct BorderTests {
  static let codings: [[String]] = [[], ["-progressive"], ["-arithmetic"], ["-restart", "1"]]

  @Test(arguments: codings, Orientation.allCases)
  func `all pixels but those at the border are the source's, however it is turned`(
    coding: [String], turn: Orientation
  ) throws {
    let file = try MadeJPEG.make(100, 75, ["-sample", "2x2"] + coding, orientation: turn)
    // In stored pixels, this is 37 × 43 from 16, 16.
    let map = OrientationMap<BitmapSpace, ImageSpace>(
      turn, of: BitmapSize(width: 100, height: 75))
    let shown = map(BitmapRect(x: 16, y: 16, width: 37, height: 43))
    let result = try MadeJPEG.crop(file, CropRecipe(shown.x, shown.y, shown.width, shown.height))
    #expect(result.isLossless && result.obstacle == nil)
    let border = try #require(result.requantized)
    let edges = border.edges
    #expect(Set([edges.left, edges.right]) == (turn.isTransposing ? [0, 11] : [0, 5]))
    #expect(Set([edges.top, edges.bottom]) == (turn.isTransposing ? [0, 5] : [0, 11]))
    // 37 × 43 samples are 5 × 6 blocks, 4 × 5 of which are whole; of the 19 × 22 chroma samples, 2
    // × 2.
    #expect(border.blocks == [10, 5, 5])
    let whole = try DecodedSamples(Data(file))
    let made = try DecodedSamples(result.bytes)
    let kept = PixelRect<FrameSpace>(
      x: edges.left, y: edges.top, width: shown.width - edges.left - edges.right,
      height: shown.height - edges.top - edges.bottom)
    let from = PixelRect<FrameSpace>(
      x: shown.x + kept.x, y: shown.y + kept.y, width: kept.width, height: kept.height)
    #expect(made.part(kept, after: turn).luma == whole.part(from, after: turn).luma)
  }

  @Test(arguments: Thorough.all([[], ["-progressive"], ["-arithmetic"], ["-optimize"]], or: 2))
  func `only visible samples affect the result`(coding: [String]) throws {
    var random = Seeded(seed: 82)
    for sampling in [[(1, 1)], [(2, 2), (1, 1), (1, 1)]] {
      let (first, second, rect) = Twins.make(sampling, &random)
      let recipe = CropRecipe(0, 0, rect.width, rect.height)
      var results: [Data] = []
      for twin in [first, second] {
        let source = try #require(
          coding == ["-optimize"] ? twin.file() : Peer.run("jpegtran", coding, on: twin.file()))
        let result = try MadeJPEG.crop(source, recipe)
        #expect(result.isLossless)
        results.append(result.bytes)
      }
      #expect(results[0] == results[1], "\(rect)")
    }
  }

  @Test func `a progressive picture's border is the sequential one's`() throws {
    let plain = try MadeJPEG.make(120, 90, ["-sample", "2x2"])
    let source = try #require(Peer.run("jpegtran", ["-progressive"], on: plain))
    let recipe = CropRecipe(32, 16, 51, 37)
    let ours = try MadeJPEG.crop(source, recipe).bytes
    let expected = try MadeJPEG.crop(plain, recipe).bytes
    let canonical = ["-copy", "none"]
    #expect(
      Peer.run("jpegtran", canonical, on: [UInt8](ours))
        == Peer.run("jpegtran", canonical, on: [UInt8](expected)))
  }

  @Test func `snap moves a crop and keeps its size, strict wants every edge on the grid`() throws {
    let file = try MadeJPEG.make(100, 90, ["-sample", "2x2"])
    let snapped = try MadeJPEG.crop(
      file, CropRecipe(19, 30, 30, 30), ResultOptions(lossless: .snap))
    #expect(snapped.isLossless)
    #expect(snapped.rect == PixelRect(x: 16, y: 32, width: 30, height: 30))
    #expect(snapped.size == FrameSize(width: 30, height: 30))
    let strict = try MadeJPEG.crop(
      file, CropRecipe(16, 32, 30, 30), ResultOptions(lossless: .strict))
    #expect(!strict.isLossless && strict.obstacle == .offGrid)
    let grown = try MadeJPEG.crop(
      file, CropRecipe(19, 30, 30, 30), ResultOptions(lossless: .outward))
    #expect(grown.isLossless && grown.requantized == nil)
    #expect(grown.rect == PixelRect(x: 16, y: 16, width: 48, height: 48))
  }

  @Test func `upright pixels need complete blocks on a mirrored side`() throws {
    let file = try MadeJPEG.make(100, 75, ["-sample", "2x2"], orientation: .down)
    let map = OrientationMap<BitmapSpace, ImageSpace>(
      .down, of: BitmapSize(width: 100, height: 75))
    let baked = ResultOptions(isBaked: true)
    for (size, obstacle) in [
      ((32, 32), nil), ((37, 32), LosslessObstacle.partialBlocks), ((32, 37), .partialBlocks),
    ] {
      let rect = map(BitmapRect(x: 16, y: 16, width: size.0, height: size.1))
      let result = try MadeJPEG.crop(
        file, CropRecipe(rect.x, rect.y, rect.width, rect.height), baked)
      #expect(result.obstacle == obstacle)
    }
  }
}
