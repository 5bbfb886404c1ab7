import CropCore
import Testing

/// The pixels of an image that a view shows.
@Suite struct ShownPartTests {
  private let image = ImageSize(width: 100, height: 80)
  private let view = ViewRect(x: 0, y: 0, width: 40, height: 20)

  @Test func `edges between pixels are rounded outward and clipped to the image`() {
    // Two points per pixel; the view's corner shows (10.25, 5.5).
    let map = Affine<ImageSpace, ViewSpace>(a: 2, b: 0, c: 0, d: 2, tx: -20.5, ty: -11)
    #expect(
      map.part(of: image, shownIn: view) == ImageRect(x: 10, y: 5, width: 21, height: 11))
    let beside = Affine<ImageSpace, ViewSpace>(a: 2, b: 0, c: 0, d: 2, tx: 30, ty: -150)
    #expect(
      beside.part(of: image, shownIn: view) == ImageRect(x: 0, y: 75, width: 5, height: 5))
    let away = Affine<ImageSpace, ViewSpace>(a: 2, b: 0, c: 0, d: 2, tx: 41, ty: 0)
    #expect(away.part(of: image, shownIn: view) == nil)
  }

  @Test func `turned, mirrored and tilted images show the pixels under the view`() {
    // A quarter turn clockwise: the image's x axis points down, its y axis to the left.
    let turned = Affine<ImageSpace, ViewSpace>(a: 0, b: 1, c: -1, d: 0, tx: 50, ty: -10)
    #expect(
      turned.part(of: image, shownIn: view) == ImageRect(x: 10, y: 10, width: 20, height: 40))
    let mirrored = Affine<ImageSpace, ViewSpace>(a: -1, b: 0, c: 0, d: 1, tx: 60, ty: 0)
    #expect(
      mirrored.part(of: image, shownIn: view) == ImageRect(x: 20, y: 0, width: 40, height: 20))
    // Three, four, five: every corner of the view is in the box.
    let tilted = Affine<ImageSpace, ViewSpace>(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 0, ty: 0)
    #expect(
      tilted.part(of: image, shownIn: view) == ImageRect(x: 0, y: 0, width: 44, height: 16))
  }

  @Test func `a degenerate map and a view without a size show nothing`() {
    let flat = Affine<ImageSpace, ViewSpace>(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0)
    #expect(flat.part(of: image, shownIn: view) == nil)
    let map = Affine<ImageSpace, ViewSpace>(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    let bad = ViewRect(x: .nan, y: 0, width: 10, height: 10)
    #expect(map.part(of: image, shownIn: bad) == nil)
    let huge = ViewRect(x: -1e300, y: -1e300, width: 1e301, height: 1e301)
    #expect(
      map.part(of: image, shownIn: huge) == ImageRect(x: 0, y: 0, width: 100, height: 80))
  }
}
