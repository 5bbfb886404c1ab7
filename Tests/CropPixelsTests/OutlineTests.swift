import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@testable import CropPixels

/// What an outline hides must not be in the result in any way.
@Suite struct `What an outline hides` {
  /// Formats that store transparency exactly, and the lossy forms of those that have both.
  static let formats: [(ImageFormat, ImageFormat)] = [
    (.png, .png), (.tiff, .tiff), (.webp, .webp), (.jxl, .jxl), (.tiff, .png), (.png, .webp),
    (.png, .jxl), (.png, .gif), (.png, .jpeg), (.png, .avif), (.png, .heic),
  ]

  /// A circle of 20 pixels' radius about (24, 22), in a frame of 48 × 44 pixels.
  private static let circles: [(String, CropRecipe)] = [
    ("as it is", CropRecipe(rect: square, shape: .ellipse)),
    ("round corners", CropRecipe(rect: square, shape: .roundedRectangle(radius: 20))),
    ("smaller", CropRecipe(rect: square, shape: .ellipse, output: .exact(width: 13, height: 13))),
    ("larger", CropRecipe(rect: square, shape: .ellipse, output: .exact(width: 90, height: 90))),
    ("turned", CropRecipe(rect: square.turned, quarterTurns: 1, shape: .ellipse)),
    ("tilted", CropRecipe(rect: square, tilt: CropAngle(degrees: 2), shape: .ellipse)),
    (
      "tilted and smaller",
      CropRecipe(
        rect: square, tilt: CropAngle(degrees: -2), shape: .ellipse,
        output: .exact(width: 17, height: 17))
    ),
    ("four corners", CropRecipe(shape: .ellipse, quad: corners)),
    (
      "four corners, smaller",
      CropRecipe(shape: .ellipse, output: .exact(width: 12, height: 12), quad: corners)
    ),
  ]
  private static let square = FrameRect(x: 4, y: 2, width: 40, height: 40)
  private static let corners = Quad(square)

  /// A picture whose hidden pixels are noise that depends on `seed`.
  private func source(_ seed: UInt16, bands: Int = 3, isWide: Bool = false) -> Raster {
    var raster = Raster.coordinates(width: 48, height: 44, bands: bands, isWide: isWide)
    for y in 0..<44 {
      for x in 0..<48 where Self.isHidden(x, y) {
        for band in 0..<bands {
          let value = UInt16((x * 89 + y * 57 + band * 31) % 256) ^ seed
          raster.samples[(y * 48 + x) * bands + band] = isWide ? value * 257 : value
        }
      }
    }
    return raster
  }

  /// Whether no point of a pixel is in the circle.
  private static func isHidden(_ x: Int, _ y: Int) -> Bool {
    let across = max(0, Double(x) - 24, 24 - Double(x + 1))
    let down = max(0, Double(y) - 22, 22 - Double(y + 1))
    return across * across + down * down > 20 * 20 + 1e-9
  }

  @Test(
    arguments: Thorough.all(circles.map(\.0), or: 3), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  func `changes no byte of the result`(_ kind: String, _ index: Int) throws {
    let (from, format) = Self.formats[index]
    let recipe = try #require(Self.circles.first { $0.0 == kind }).1
    let options = ResultOptions(format: format)
    let one = try cropped(source(0), from, recipe, options: options).result
    let other = try cropped(source(255), from, recipe, options: options).result
    #expect(one.bytes == other.bytes)
  }

  @Test(arguments: Thorough.all(circles.map(\.0), or: 3), [1, 2, 4])
  func `is neither in gray, nor in alpha, nor in 16 bits`(_ kind: String, _ bands: Int) throws {
    let recipe = try #require(Self.circles.first { $0.0 == kind }).1
    for isLinear in [false, true] {
      let options = ResultOptions(format: .png, isLinear: isLinear)
      let isWide = isLinear != (bands == 4)
      let (one, found) = try cropped(
        source(0, bands: bands, isWide: isWide), .png, recipe, options: options)
      let other = try cropped(
        source(255, bands: bands, isWide: isWide), .png, recipe, options: options
      ).result
      #expect(one.bytes == other.bytes)
      #expect(found[0, 0] == [UInt16](repeating: 0, count: found.bands))
    }
  }

  @Test func `is 0, and the pixels on the outline keep their colors`() throws {
    let (_, found) = try cropped(source(0), .png, Self.circles[0].1)
    let source = source(0)
    var wrong: [String] = []
    for y in 0..<40 {
      for x in 0..<40 {
        let pixel = found[x, y]
        let wanted = pixel[3] == 0 ? [0, 0, 0] : source[x + 4, y + 2]
        if Array(pixel.prefix(3)) != wanted { wrong.append("\(pixel) at \(x), \(y)") }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func `the pixels on the outline of a resampled crop have the colors of the inside`() throws
  {
    // Uniform inside: whatever differs comes from outside.
    var plain = source(0)
    for y in 0..<44 {
      for x in 0..<48 where !Self.isHidden(x, y) {
        for band in 0..<3 { plain.samples[(y * 48 + x) * 3 + band] = 100 + UInt16(band) }
      }
    }
    for (kind, recipe) in Self.circles {
      let (_, found) = try cropped(plain, .png, recipe)
      for place in stride(from: 0, to: found.samples.count, by: 4)
      where found.samples[place + 3] > 0 {
        #expect(Array(found.samples[place..<place + 3]) == [100, 101, 102], "\(kind), \(place)")
      }
    }
  }

  @Test func `a source's own hidden colors remain inside the outline only`() throws {
    var clear = Raster(width: 20, height: 20, bands: 4, samples: [])
    for _ in 0..<400 { clear.samples += [10, 20, 30, 0] }
    let (_, found) = try cropped(clear, .png, CropRecipe(shape: .ellipse))
    #expect(found[10, 10] == [10, 20, 30, 0])
    #expect(found[0, 0] == [0, 0, 0, 0])
  }

  @Test func `a canvas has its fill there`() throws {
    let fills: [(CanvasFill, [UInt16])] = [
      (.transparent, [0, 0, 0, 0]), (.color(Background(red: 9, green: 8, blue: 7)), [9, 8, 7]),
    ]
    for (fill, wanted) in fills {
      let options = ResultOptions(margin: .pixels(3), fill: fill)
      let (one, found) = try cropped(source(0), .png, Self.circles[0].1, options: options)
      let other = try cropped(source(255), .png, Self.circles[0].1, options: options).result
      #expect(one.bytes == other.bytes)
      #expect(found[4, 4] == wanted)
    }
  }
}

extension FrameRect {
  /// The same square in the frame of 44 × 48 pixels after a quarter turn.
  fileprivate var turned: FrameRect { FrameRect(x: y, y: x, width: height, height: width) }
}
