import CropCore
import CropImaging
import Testing

@testable import CropPixels

@Suite struct `Resampling` {
  @Test(arguments: [-45.0, -7.25, 0.5, 12, 30, 45], [0, 1])
  func `a tilt samples the picture at each pixel's center, turned back`(
    degrees: Double, turns: Int
  ) throws {
    let source = Raster.slopes(width: 120, height: 90)
    let frame = turns == 0 ? (w: 120.0, h: 90.0) : (w: 90.0, h: 120.0)
    let rect = FrameRect(
      x: frame.w / 2 - 20.5, y: frame.h / 2 - 17 + 1.0 / 64, width: 31, height: 26)
    let (_, found) = try cropped(
      source, .png, CropRecipe(rect: rect, quarterTurns: turns, tilt: CropAngle(degrees: degrees)))
    let upright =
      turns == 0 ? source : source.mapped(width: 90, height: 120) { x, y in (y, 89 - x) }
    let middle = FramePoint(x: frame.w / 2, y: frame.h / 2)
    for y in 0..<found.height {
      for x in 0..<found.width {
        let center = FramePoint(x: rect.x + Double(x) + 0.5, y: rect.y + Double(y) + 0.5)
        let point = center.rotated(by: CropAngle(degrees: -degrees), about: middle)
        for band in 0..<3 {
          let wanted = upright.sample(point, band: band)
          #expect(abs(Double(found[x, y][band]) - wanted) <= 1.5, "at \(x), \(y)")
        }
      }
    }
  }

  @Test func `a tilt's corner at the picture's edge has no foreign color`() throws {
    var source = Raster(width: 80, height: 60, bands: 3, samples: [])
    source.samples = [UInt16](repeating: 200, count: 80 * 60 * 3)
    let (_, found) = try cropped(source, .png, CropRecipe(tilt: CropAngle(degrees: 20)))
    #expect(found.samples.allSatisfy { $0 == 200 })
  }

  @Test(
    arguments: [ImageFormat.jpeg, .webp, .png],
    [(600, 1), (1, 600), (512, 1), (2000, 2), (3, 3000)])
  func `the preview of a thin picture is at least a pixel wide and high`(
    format: ImageFormat, size: (Int, Int)
  ) throws {
    var source = Raster(width: size.0, height: size.1, bands: 3, samples: [])
    source.samples = [UInt16](repeating: 200, count: size.0 * size.1 * 3)
    let file = ImageSource(bytes: try source.file(format), name: "thin")
    let result = try CropEngine(backend: VipsBackend()).preview(file, maxSide: 100, format: .png)
    #expect(max(result.size.width, result.size.height) == 100)
    #expect(min(result.size.width, result.size.height) == 1)
    let found = try Raster(result.bytes, as: .png)
    #expect(found.samples.allSatisfy { abs(Int($0) - 200) <= 2 })
  }

  @Test(arguments: [(20, 15), (33, 25), (80, 60), (7, 5), (160, 40)])
  func `scaling keeps pixel centers in place`(width: Int, height: Int) throws {
    let source = Raster.slopes(width: 80, height: 60)
    let recipe = CropRecipe(output: .exact(width: width, height: height))
    // Users don't stretch outputs; here, it tests both directions together.
    guard let crop = try? recipe.resolved(for: ImageSize(width: 80, height: 60)) else { return }
    #expect(crop.output == FrameSize(width: width, height: height))
    let (_, found) = try cropped(source, .png, recipe)
    for y in 2..<max(3, height - 2) where height > 8 {
      for x in 2..<max(3, width - 2) {
        let wantedX = 2 * ((Double(x) + 0.5) * 80 / Double(width) - 0.5)
        let wantedY = 2 * ((Double(y) + 0.5) * 60 / Double(height) - 0.5)
        #expect(abs(Double(found[x, y][0]) - wantedX) <= 1.2)
        #expect(abs(Double(found[x, y][1]) - wantedY) <= 1.2)
      }
    }
  }

  @Test func `in linear light half black and half white is the middle of brightness`() throws {
    var source = Raster(width: 64, height: 64, bands: 1, samples: [])
    for y in 0..<64 { for x in 0..<64 { source.samples.append((x + y) % 2 == 0 ? 255 : 0) } }
    let recipe = CropRecipe(output: .exact(width: 16, height: 16))
    let plain = try cropped(source, .png, recipe).raster[8, 8][0]
    let linear = try cropped(
      source, .png, recipe, options: ResultOptions(isLinear: true)
    ).raster[8, 8][0]
    // Half the light of white is 188 in sRGB (IEC 61966-2-1).
    #expect((126...129).contains(plain))
    #expect((186...189).contains(linear))
  }

  @Test(arguments: [
    CropRecipe(output: .exact(width: 13, height: 13)), CropRecipe(tilt: CropAngle(degrees: 10)),
    CropRecipe(
      quad: Quad(
        topLeft: FramePoint(x: 3, y: 2), topRight: FramePoint(x: 38, y: 5),
        bottomRight: FramePoint(x: 36, y: 37), bottomLeft: FramePoint(x: 1, y: 35))),
  ])
  func `a transparent pixel's color does not reach its neighbors`(recipe: CropRecipe) throws {
    // The left half is opaque blue, the right half transparent red.
    var source = Raster(width: 40, height: 40, bands: 4, samples: [])
    for _ in 0..<40 {
      for x in 0..<40 { source.samples += x < 20 ? [0, 0, 255, 255] : [255, 0, 0, 0] }
    }
    let (_, found) = try cropped(source, .png, recipe)
    var edges = 0
    for y in 0..<found.height {
      for x in 0..<found.width where found[x, y][3] > 0 {
        #expect(found[x, y][0] == 0, "red at \(x), \(y)")
        #expect(found[x, y][2] >= 254)
        if found[x, y][3] < 255 { edges += 1 }
      }
    }
    #expect(edges > 0)
  }
}
