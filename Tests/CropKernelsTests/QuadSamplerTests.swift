import CropKernels
import TestMaterial
import Testing

@testable import CropCore

/// The pixels of straightened corners, compared with sums that are computed differently.
@Suite struct QuadSamplerTests {
  /// An image of 8 bits; every pixel's channels come from `value`.
  private struct Picture {
    var (width, height, channels) = (0, 0, 0)
    var bytes: [UInt8] = []

    init(_ width: Int, _ height: Int, _ channels: Int, _ value: (Int, Int, Int) -> UInt8) {
      (self.width, self.height, self.channels) = (width, height, channels)
      for y in 0..<height {
        for x in 0..<width { for channel in 0..<channels { bytes.append(value(x, y, channel)) } }
      }
    }

    subscript(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      let (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
      return Double(bytes[(y * width + x) * channels + channel])
    }

    func straightened(
      _ recipe: CropRecipe, hasAlpha: Bool = false
    ) throws -> (Picture, ResolvedCrop) {
      let crop = try recipe.resolved(for: ImageSize(width: width, height: height))
      let sampler = try #require(QuadSampler(crop))
      let layout = SampleLayout(depth: .eight, channels: channels, hasAlpha: hasAlpha)
      var made = Picture(crop.output.width, crop.output.height, channels) { _, _, _ in 0 }
      var averages = [UInt8](
        repeating: 0, count: sampler.samples.width * sampler.samples.height * channels)
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        let (part, rowBytes) = (sampler.part, width * channels)
        let rows = SampleRows(
          start + part.y * rowBytes + part.x * channels, rowBytes: rowBytes, layout)
        averages.withUnsafeMutableBytes { averages in
          guard let kept = averages.baseAddress else { return }
          let keptBytes = sampler.samples.width * channels
          if sampler.shrink > 1 {
            for row in 0..<sampler.samples.height {
              sampler.average(row, of: rows, from: 0, into: kept + row * keptBytes)
            }
          }
          let source =
            sampler.shrink > 1 ? SampleRows(kept, rowBytes: keptBytes, layout) : rows
          made.bytes.withUnsafeMutableBytes { output in
            guard let output = output.baseAddress else { return }
            for row in 0..<crop.output.height {
              sampler.fill(
                row: row, columns: 0..<crop.output.width, from: source,
                into: output + row * crop.output.width * channels)
            }
          }
        }
      }
      return (made, crop)
    }
  }

  private static func keys(_ t: Double) -> Double {
    let t = abs(t)
    if t < 1 { return (1.5 * t - 2.5) * t * t + 1 }
    return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0
  }

  @Test(arguments: [1, 2, 3, 4])
  func `each pixel is the weighted sum under Keys' kernel about its place`(channels: Int) throws {
    var random = Seeded(seed: 4)
    let source = Picture(60, 50, channels) { _, _, _ in UInt8.random(in: 0...255, using: &random) }
    // One corner is the image's, so that edge pixels are extended.
    let recipe = CropRecipe(quad: Quad(coordinates: [0, 0, 55, 3.5, 60, 44.25, 4, 50]))
    let (found, crop) = try source.straightened(recipe)
    let map = try #require(crop.homography)
    for y in 0..<found.height {
      for x in 0..<found.width {
        let point = map(CropPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
        let (left, top) = (
          Int((point.x - 0.5).rounded(.down)), Int((point.y - 0.5).rounded(.down))
        )
        for channel in 0..<channels {
          var sum = 0.0
          for j in -1...2 {
            for i in -1...2 {
              let weight =
                Self.keys(point.x - 0.5 - Double(left + i))
                * Self.keys(point.y - 0.5 - Double(top + j))
              sum += weight * source[left + i, top + j, channel]
            }
          }
          // Positions are off by up to half of 1/1024 pixel, and noise has the steepest slopes.
          #expect(
            abs(found[x, y, channel] - min(max(sum, 0), 255)) <= 0.9, "\(x), \(y), \(channel)")
        }
      }
    }
  }

  @Test func `a whole picture's corners give the picture, also turned`() throws {
    let source = Picture(31, 17, 3) { x, y, channel in UInt8((x * 8 + y * 3 + channel * 50) % 256) }
    // Corners of a rectangle in the usual order would be cropped, not sampled.
    let corners = Quad(coordinates: [0, 17, 0, 0, 31, 0, 31, 17])
    let (found, _) = try source.straightened(CropRecipe(quad: corners))
    for y in 0..<31 {
      for x in 0..<17 {
        for channel in 0..<3 { #expect(found[x, y, channel] == source[y, 16 - x, channel]) }
      }
    }
  }

  @Test func `if the result is smaller than half, squares are averaged first`() throws {
    let source = Picture(130, 130, 1) { x, y, _ in (x + y) % 2 == 0 ? 255 : 0 }
    let recipe = CropRecipe(
      output: .maxSide(30), quad: Quad(coordinates: [0, 0, 130, 2, 126, 130, 2, 126]))
    let (found, _) = try source.straightened(recipe)
    #expect(found.bytes.allSatisfy { (118...138).contains($0) })
  }

  @Test(arguments: [nil, OutputSize.maxSide(9)])
  func `transparent pixels do not affect the color`(output: OutputSize?) throws {
    let source = Picture(40, 40, 4) { x, _, channel in
      x < 20 ? [0, 0, 200, 255][channel] : [255, 0, 0, 0][channel]
    }
    let (found, _) = try source.straightened(
      CropRecipe(output: output, quad: Quad(coordinates: [3, 2, 38, 5, 36, 37, 1, 35])),
      hasAlpha: true)
    for y in 0..<found.height {
      for x in 0..<found.width where found[x, y, 3] > 0 {
        #expect(found[x, y, 0] == 0 && found[x, y, 2] == 200, "\(x), \(y)")
      }
    }
  }
}
