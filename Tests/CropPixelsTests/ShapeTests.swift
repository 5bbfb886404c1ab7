import CropCore
import CropImaging
import Testing

@testable import CropPixels

@Suite struct `Shapes` {
  private let source = Raster.coordinates(width: 50, height: 40, bands: 3)

  @Test func `an ellipse is opaque inside, clear outside, and smooth between`() throws {
    let (result, found) = try cropped(source, .png, CropRecipe(shape: .ellipse))
    #expect(found.bands == 4)
    #expect(found[0, 0][3] == 0)
    #expect(found[49, 39][3] == 0)
    #expect(found[25, 20] == source[25, 20] + [255])
    let area = stride(from: 3, to: found.samples.count, by: 4).reduce(0.0) {
      $0 + Double(found.samples[$1]) / 255
    }
    #expect(abs(area - .pi * 25 * 20) < 2)
    #expect(!result.isLossless)
  }

  @Test func `the mask is the same mirrored, so that no side is favored`() throws {
    let image = ImageSize(width: 31, height: 23)
    let crop = try CropRecipe(shape: .roundedRectangle(radius: 7.5)).resolved(for: image)
    let mask = try #require(ShapeMask(crop)).coverage()
    for y in 0..<23 {
      for x in 0..<31 {
        #expect(mask[y * 31 + x] == mask[y * 31 + 30 - x])
        #expect(mask[y * 31 + x] == mask[(22 - y) * 31 + x])
      }
    }
    #expect(mask[0] == 0)
    #expect(mask[15] == 255)
    #expect(mask[11 * 31] == 255)
  }

  @Test func `a radius is scaled with the picture`() throws {
    let image = ImageSize(width: 100, height: 100)
    let recipe = CropRecipe(
      shape: .roundedRectangle(radius: 50), output: .exact(width: 20, height: 20))
    let half = try #require(ShapeMask(recipe.resolved(for: image)))
    let whole = try #require(
      ShapeMask(
        CropRecipe(shape: .ellipse, output: .exact(width: 20, height: 20)).resolved(for: image)))
    #expect(half.coverage() == whole.coverage())
  }

  @Test func `where there is no transparency the background shows`() throws {
    let options = ResultOptions(
      format: .jpeg, quality: 95, subsampling: .s444,
      background: Background(red: 250, green: 10, blue: 20))
    let (result, found) = try cropped(
      source, .png, CropRecipe(shape: .ellipse), options: options)
    #expect(result.warnings.map(\.code).contains("alpha-flattened"))
    #expect(found.bands == 3)
    for (value, wanted) in zip(found[1, 1], [250, 10, 20]) { #expect(abs(Int(value) - wanted) < 9) }
  }

  @Test func `a gray picture on a colored background becomes colored`() throws {
    let gray = Raster.coordinates(width: 30, height: 30, bands: 1)
    let options = ResultOptions(
      format: .jpeg, quality: 95, subsampling: .s444,
      background: Background(red: 0, green: 200, blue: 0))
    let (_, found) = try cropped(gray, .png, CropRecipe(shape: .ellipse), options: options)
    #expect(found.bands == 3)
    #expect(found[1, 1][1] > 180)
  }

  @Test func `alpha that was there is masked too`() throws {
    var clear = Raster(width: 20, height: 20, bands: 4, samples: [])
    for _ in 0..<400 { clear.samples += [10, 20, 30, 128] }
    let (_, found) = try cropped(clear, .png, CropRecipe(shape: .ellipse))
    #expect(found[10, 10] == [10, 20, 30, 128])
    #expect(found[0, 0][3] == 0)
  }
}
