import CropCore
import Testing

/// The numbers from which faces draw results.
struct ResultDrawingTests {
  private let image = ImageSize(width: 40, height: 30)

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func `every pixel goes where the recipe says, from stored and from upright pixels`(
    flag: Orientation, turn: Orientation
  ) throws {
    var recipe = CropRecipe(rect: FrameRect(x: 3, y: 5, width: 20, height: 17))
    recipe.orientation = turn
    let crop = try recipe.resolved(for: image)
    let stored = OrientationMap<ImageSpace, BitmapSpace>(flag.inverse, of: image).target
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(flag, of: stored)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(turn, of: image)
    for point in [BitmapPoint(x: 0.5, y: 0.5), BitmapPoint(x: 7.5, y: 11.5)] {
      let upright = toImage(point)
      let frame = toFrame(upright)
      let wanted = CropPoint<ResultSpace>(x: frame.x - 3, y: frame.y - 5)
      #expect(crop.drawing(of: flag).map(point) == wanted)
      #expect(crop.drawing.map(upright) == wanted)
    }
    #expect(crop.drawing.copiesPixels)
    #expect(crop.drawing.size == PixelSize(width: 20, height: 17))
  }

  @Test func `a tilted picture turns clockwise about the middle of the frame`() throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 15, y: 10, width: 10, height: 10), tilt: CropAngle(degrees: 10))
    let drawing = try recipe.resolved(for: image).drawing
    let middle = drawing.map(ImagePoint(x: 20, y: 15))
    #expect(abs(middle.x - 5) < 1e-9 && abs(middle.y - 5) < 1e-9)
    let right = drawing.map(ImagePoint(x: 30, y: 15))
    let angle = CropAngle(degrees: 10)
    #expect(abs(right.x - (5 + 10 * angle.cosine)) < 1e-9)
    #expect(abs(right.y - (5 + 10 * angle.sine)) < 1e-9)
    #expect(!drawing.copiesPixels)
  }

  @Test func `a smaller result shrinks the picture and its corners`() throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 4, y: 6, width: 20, height: 10), shape: .roundedRectangle(radius: 99),
      output: .maxSide(10))
    let drawing = try recipe.resolved(for: image).drawing
    #expect(drawing.size == PixelSize(width: 10, height: 5))
    #expect(drawing.map(ImagePoint(x: 4, y: 6)) == CropPoint(x: 0, y: 0))
    #expect(drawing.map(ImagePoint(x: 24, y: 16)) == CropPoint(x: 10, y: 5))
    #expect(drawing.cornerWidth == 2.5 && drawing.cornerHeight == 2.5)
    #expect(!drawing.copiesPixels)
  }
}
