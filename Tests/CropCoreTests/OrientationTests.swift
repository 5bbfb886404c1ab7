import CropCore
import Testing

@Suite struct OrientationTests {
  /// Where each flag shows the pixel (0, 0) of a 3 × 2 bitmap.
  @Test(arguments: [
    (1, 0, 0, 3, 2), (2, 2, 0, 3, 2), (3, 2, 1, 3, 2), (4, 0, 1, 3, 2),
    (5, 0, 0, 2, 3), (6, 1, 0, 2, 3), (7, 1, 2, 2, 3), (8, 0, 2, 2, 3),
  ])
  func `the first stored pixel lands where EXIF says`(
    flag: Int, x: Int, y: Int, width: Int, height: Int
  ) throws {
    let orientation = try #require(Orientation(rawValue: flag))
    let map = OrientationMap<BitmapSpace, ImageSpace>(
      orientation, of: BitmapSize(width: 3, height: 2))
    #expect(map.target == ImageSize(width: width, height: height))
    let pixel = map(BitmapRect(x: 0, y: 0, width: 1, height: 1))
    #expect(pixel == ImageRect(x: x, y: y, width: 1, height: 1))
  }

  @Test(arguments: Orientation.allCases)
  func `a rectangle there and back is the same, by every kind of number`(orientation: Orientation) {
    let map = OrientationMap<BitmapSpace, ImageSpace>(
      orientation, of: BitmapSize(width: 640, height: 480))
    let pixels = BitmapRect(x: 11, y: 22, width: 133, height: 44)
    #expect(map.inverse(map(pixels)) == pixels)
    #expect(map.inverse(map(pixels.rect)) == pixels.rect)
    #expect(map(pixels).rect == map(pixels.rect))
    #expect(map.inverse.target == map.source)
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func `two orientations in a row are their composition`(first: Orientation, second: Orientation) {
    let start = OrientationMap<BitmapSpace, ImageSpace>(
      first, of: BitmapSize(width: 7, height: 5))
    let next = OrientationMap<ImageSpace, FrameSpace>(second, of: start.target)
    let both = OrientationMap<BitmapSpace, FrameSpace>(
      first.followed(by: second), of: start.source)
    let point = BitmapPoint(x: 1.25, y: 4.5)
    #expect(next(start(point)) == both(point))
    #expect(first.followed(by: first.inverse) == .up)
  }
}
