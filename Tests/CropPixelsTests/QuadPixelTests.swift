import CropImaging
import TestMaterial
import Testing

@testable import CropCore
@testable import CropPixels

@Suite struct `Four corners` {
  @Test(arguments: [ImageFormat.png, .tiff, .webp], [1, 3, 4])
  func `those of a rectangle give the ordinary crop's pixels`(format: ImageFormat, bands: Int)
    throws
  {
    let source = Raster.coordinates(width: 60, height: 50, bands: bands)
    let rect = FrameRect(x: 7, y: 11, width: 31, height: 22)
    let plain = try cropped(source, format, CropRecipe(rect: rect)).raster
    #expect(try cropped(source, format, CropRecipe(quad: Quad(rect))).raster == plain)
  }

  @Test(arguments: [1, 2, 3], [false, true])
  func `those of a rectangle that start at another corner give its pixels turned`(
    turns: Int, isWide: Bool
  ) throws {
    let source = Raster.coordinates(width: 60, height: 50, bands: 3, isWide: isWide)
    let rect = FrameRect(x: 0, y: 11, width: 31, height: 22)
    let plain = try cropped(source, .png, CropRecipe(rect: rect)).raster
    let corners = Quad(rect)
    // A quarter turn clockwise starts at the previous corner.
    let turned = Quad(
      topLeft: corners[4 - turns], topRight: corners[5 - turns], bottomRight: corners[6 - turns],
      bottomLeft: corners[7 - turns])
    let found = try cropped(source, .png, CropRecipe(quad: turned)).raster
    let wanted = plain.mapped(width: turns == 2 ? 31 : 22, height: turns == 2 ? 22 : 31) { x, y in
      switch turns {
      case 1: (y, 21 - x)
      case 2: (30 - x, 21 - y)
      default: (30 - y, x)
      }
    }
    #expect(found == wanted)
  }

  @Test(arguments: Thorough.all(Orientation.allCases, or: 2), [false, true])
  func `the picture is sampled where the homography takes each pixel's center`(
    orientation: Orientation, isWide: Bool
  ) throws {
    let source = Raster.slopes(width: 120, height: 90, isWide: isWide)
    let corners = Quad(coordinates: [10, 5.5, 70, 9, 80.25, 75, 3, 66])
    let recipe = CropRecipe(quad: corners)
    let crop = try recipe.resolved(
      for: orientation.isTransposing
        ? ImageSize(width: 90, height: 120) : ImageSize(width: 120, height: 90))
    let map = try #require(crop.homography)
    let upright = OrientationMap<BitmapSpace, FrameSpace>(
      orientation, of: BitmapSize(width: 120, height: 90))
    let laid = source.mapped(width: upright.target.width, height: upright.target.height) { x, y in
      let stored = upright.inverse(PixelRect(x: x, y: y, width: 1, height: 1))
      return (stored.x, stored.y)
    }
    let found = try cropped(source, .tiff, recipe, orientation: orientation).raster
    #expect(found.width == crop.output.width && found.height == crop.output.height)
    // Positions are rounded to 1/1024 pixel.
    let tolerance = isWide ? 2.0 : 0.6
    for y in 0..<found.height {
      for x in 0..<found.width {
        let point = map(CropPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
        for band in 0..<3 {
          let wanted = laid.sample(point, band: band)
          #expect(abs(Double(found[x, y][band]) - wanted) <= tolerance, "at \(x), \(y)")
        }
      }
    }
  }

  @Test func `corners at the picture's border show no foreign color`() throws {
    var source = Raster(width: 80, height: 60, bands: 3, samples: [])
    source.samples = [UInt16](repeating: 200, count: 80 * 60 * 3)
    for output in [OutputSize.maxSide(9), .exact(width: 300, height: 200)] {
      let recipe = CropRecipe(
        output: output, quad: Quad(coordinates: [0, 3, 80, 0, 78, 60, 0, 60]))
      let found = try cropped(source, .png, recipe).raster
      #expect(found.samples.allSatisfy { $0 == 200 })
    }
  }

  @Test func `a result below half size is averaged first`() throws {
    // Black and white alternate: without averaging, a sample would be one of them.
    var source = Raster(width: 128, height: 128, bands: 1, samples: [])
    for y in 0..<128 { for x in 0..<128 { source.samples.append((x + y) % 2 == 0 ? 255 : 0) } }
    let recipe = CropRecipe(
      output: .maxSide(30), quad: Quad(coordinates: [4, 2, 120, 6, 126, 124, 2, 122]))
    let found = try cropped(source, .png, recipe).raster
    #expect(found.samples.allSatisfy { (120...135).contains($0) })
  }
}
