import CropCore
import Foundation
import TestMaterial
import Testing

@testable import CropImaging

/// Scaling down with Lanczos' filter, directly from its definition.
private struct PlainLanczos {
  static func scaled(_ picture: DecodedSamples, to width: Int, _ height: Int) -> [Double] {
    let channels = picture.channels
    var rows = [Double](repeating: 0, count: height * picture.width * channels)
    for y in 0..<height {
      for (source, weight) in weights(y, of: height, from: picture.height) {
        for i in 0..<picture.width * channels {
          rows[y * picture.width * channels + i] +=
            weight * Double(picture.samples[source * picture.width * channels + i])
        }
      }
    }
    var result = [Double](repeating: 0, count: height * width * channels)
    for x in 0..<width {
      for (source, weight) in weights(x, of: width, from: picture.width) {
        for y in 0..<height {
          for channel in 0..<channels {
            result[(y * width + x) * channels + channel] +=
              weight * rows[(y * picture.width + source) * channels + channel]
          }
        }
      }
    }
    return result.map { min(max($0, 0), 255) }
  }

  private static func weights(_ index: Int, of count: Int, from length: Int) -> [(Int, Double)] {
    let step = Double(length) / Double(count)
    let center = (Double(index) + 0.5) * step
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    let taps = (0..<length).compactMap { sample -> (Int, Double)? in
      let x = (Double(sample) + 0.5 - center) / max(1, step)
      return abs(x) < 3 ? (sample, sinc(x) * sinc(x / 3)) : nil
    }
    let sum = taps.reduce(0) { $0 + $1.1 }
    return taps.map { ($0.0, $0.1 / sum) }
  }
}

@Suite struct `A smaller JPEG` {
  private static let fine = ResultOptions(quality: 100, subsampling: .s444)

  /// The largest and the mean difference between the engine's result and a filtered full decoding.
  private func difference(
    _ file: [UInt8], _ rect: (Int, Int, Int, Int), turn: Orientation = .up, to maxSide: Int
  ) throws -> (most: Double, mean: Double) {
    var recipe = CropRecipe(rect.0, rect.1, rect.2, rect.3, turn: turn)
    recipe.output = .maxSide(maxSide)
    let made = try DecodedSamples(MadeJPEG.crop(file, recipe, Self.fine).bytes)
    let whole = try DecodedSamples(Data(file))
    let part = whole.part(
      PixelRect(x: rect.0, y: rect.1, width: rect.2, height: rect.3), after: turn)
    let wanted = PlainLanczos.scaled(part, to: made.width, made.height)
    #expect(max(made.width, made.height) == maxSide)
    let differences = zip(made.samples, wanted).map { abs(Double($0) - $1) }
    return (differences.max() ?? 0, differences.reduce(0, +) / Double(differences.count))
  }

  private static let codings = [
    ["-sample", "2x2"], ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "1x2"], ["-grayscale"],
    ["-sample", "2x2", "-restart", "1"], ["-sample", "2x2", "-progressive"],
  ]

  @Test(arguments: Thorough.all(codings, or: 2))
  func `is a full decoding, filtered`(arguments: [String]) throws {
    let file = try MadeJPEG.make(403, 301, arguments)
    for (rect, side) in [
      ((0, 0, 403, 301), 200), ((33, 17, 301, 203), 150), ((5, 9, 97, 131), 130),
      ((48, 32, 320, 240), 319), ((1, 1, 401, 299), 110),
    ] {
      let (most, mean) = try difference(file, rect, to: side)
      #expect(most <= 12 && mean <= 1, "\(arguments) \(rect) to \(side): \(most), \(mean)")
    }
  }

  @Test(arguments: Thorough.all([(50, 2.0), (30, 2.0), (20, 2.5), (10, 3), (5, 4)], or: 2))
  func `decoded small is close to that`(side: Int, allowed: Double) throws {
    let file = try MadeJPEG.make(403, 301, ["-sample", "2x2"])
    for rect in [(0, 0, 403, 301), (33, 17, 301, 203), (8, 16, 320, 240)] {
      let (_, mean) = try difference(file, rect, to: side)
      #expect(mean <= allowed, "\(rect) to \(side): \(mean)")
    }
  }

  @Test(arguments: everyTurn)
  func `can be turned`(turn: Orientation) throws {
    let file = try MadeJPEG.make(203, 155, ["-sample", "2x1"])
    let rect = turn.isTransposing ? (11, 20, 90, 150) : (11, 20, 150, 90)
    let (most, mean) = try difference(file, rect, turn: turn, to: 60)
    #expect(most <= 12 && mean <= 1, "\(most), \(mean)")
  }

  @Test(arguments: [8, 16, 40, 100])
  func `shows nothing from outside`(side: Int) throws {
    // Black, with a white rectangle whose edges are on no grid.
    let (width, height) = (640, 480)
    var ppm = Array("P6 \(width) \(height) 255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        let isInside = (101..<539).contains(x) && (51..<389).contains(y)
        ppm += [UInt8](repeating: isInside ? 255 : 0, count: 3)
      }
    }
    let file = try #require(Peer.run("cjpeg", ["-quality", "100", "-sample", "1x1"], on: ppm))
    var recipe = CropRecipe(101, 51, 438, 338)
    recipe.output = .maxSide(side)
    let made = try DecodedSamples(MadeJPEG.crop(file, recipe, Self.fine).bytes)
    #expect(made.luma.min().map { $0 >= 235 } == true, "\(made.luma.min() ?? 0)")
  }

  @Test func `keeps its metadata valid`() throws {
    let file = try MadeJPEG.make(320, 200, orientation: .right)
    var recipe = CropRecipe(0, 0, 160, 240)
    recipe.output = .maxSide(60)
    let result = try MadeJPEG.crop(file, recipe)
    let info = try MadeJPEG.info(result.bytes)
    #expect(info.shown == ImageSize(width: 40, height: 60))
    #expect(info.orientation == .up)
    #expect(!result.isLossless && result.obstacle == .newPixels)
  }

  @Test func `serves as a preview, upright and never enlarged`() throws {
    let engine = CropEngine(backend: JPEGBackend.jpegOnly)
    func preview(_ file: [UInt8], _ side: Int) throws(CropError) -> ImageInfo {
      let source = ImageSource(bytes: Data(file), name: "picture")
      return try MadeJPEG.info(engine.preview(source, maxSide: side).bytes)
    }
    for arguments in [["-sample", "2x2"], ["-progressive"], ["-grayscale"]] {
      let file = try MadeJPEG.make(320, 200, arguments, orientation: .right)
      #expect(try preview(file, 80).stored == BitmapSize(width: 50, height: 80))
      #expect(try preview(file, 900).stored == BitmapSize(width: 200, height: 320))
    }
  }
}
