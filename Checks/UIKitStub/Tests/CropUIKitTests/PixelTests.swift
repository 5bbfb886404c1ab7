import CropCore
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// Recipes applied to a small image with different pixels: the image's eight orientations times the
/// recipe's eight, by both code paths.
struct PixelTests {
  private static let orientations: [UIImage.Orientation] = [
    .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
  ]

  private func image(_ orientation: UIImage.Orientation) -> UIImage {
    UIImage(
      cgImage: .drawn(7, 5) { column, row in UInt32(row * 100 + column + 1) }, scale: 2,
      orientation: orientation)
  }

  /// The upright pixels of an image, row by row.
  private func upright(_ image: UIImage) -> [[UInt32]] {
    guard let bitmap = image.cgImage else { return [] }
    let stored = BitmapSize(width: bitmap.width, height: bitmap.height)
    let map = OrientationMap<BitmapSpace, ImageSpace>(
      Orientation(image.imageOrientation), of: stored)
    return (0..<map.target.height).map { row in
      (0..<map.target.width).map { column in
        let at = map.inverse(ImagePoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
        return bitmap.pixel(Int(at.x), Int(at.y)) ?? 0
      }
    }
  }

  @Test func `UIKit's orientations are EXIF's`() {
    // Right: displayed turned clockwise, as a phone held upright stores its photos.
    #expect(Self.orientations.map { Orientation($0).rawValue } == [1, 3, 8, 6, 2, 4, 5, 7])
    for orientation in Self.orientations {
      #expect(UIImage.Orientation(Orientation(orientation)) == orientation)
    }
  }

  @Test func `a part is the same pixels whether copied or drawn, in all orientations`() throws {
    for stored in Self.orientations {
      let picture = try #require(CropPicture(image(stored)))
      let all = upright(picture.image)
      for turns in 0..<4 {
        for isMirrored in [false, true] {
          var recipe = CropRecipe(
            rect: rect(1, 2, 3, 2), quarterTurns: turns, isMirrored: isMirrored)
          let frame = OrientationMap<ImageSpace, FrameSpace>(
            recipe.orientation, of: picture.size)
          let wanted = (2..<4).map { row in
            (1..<4).map { column in
              let at = frame.inverse(FramePoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
              return all[Int(at.y)][Int(at.x)]
            }
          }
          let copied = try picture.cut(by: recipe)
          #expect(upright(copied) == wanted)
          #expect(copied.scale == 1)
          let drawn = try picture.uprightCut(by: recipe)
          #expect(upright(UIImage(cgImage: drawn)) == wanted)
          // A shape requires drawing.
          recipe.shape = .ellipse
          let shaped = try picture.cut(by: recipe)
          #expect(shaped.imageOrientation == .up && upright(shaped) == wanted)
          #expect(shaped.cgImage?.alphaInfo == .premultipliedLast)
        }
      }
    }
  }

  /// Red, green and blue gradients in an image of 32-bit pixels.
  private func slopes(_ orientation: UIImage.Orientation) -> UIImage {
    UIImage(
      cgImage: .drawn(60, 50) { column, row in
        UInt32(4 * column) | UInt32(5 * row) << 8 | UInt32(2 * (column + row)) << 16 | 255 << 24
      }, scale: 1, orientation: orientation)
  }

  @Test func `four corners are straightened where their map leads, in all orientations`() throws {
    for stored in Self.orientations {
      let picture = try #require(CropPicture(slopes(stored)))
      let all = upright(picture.image)
      for (turns, output) in [(0, nil), (1, nil), (2, .maxSide(12))] as [(Int, OutputSize?)] {
        let quad = Quad(
          topLeft: FramePoint(x: 4, y: 6), topRight: FramePoint(x: 40.5, y: 3),
          bottomRight: FramePoint(x: 45, y: 41), bottomLeft: FramePoint(x: 2, y: 38))
        let recipe = CropRecipe(
          quarterTurns: turns, isMirrored: turns == 1, output: output, quad: quad)
        let crop = try recipe.resolved(for: picture.size)
        let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: picture.size)
        let map = try #require(crop.homography)
        let flat = upright(try picture.cut(by: recipe))
        #expect(flat.count == crop.output.height && flat.first?.count == crop.output.width)
        for (row, pixels) in flat.enumerated() {
          for (column, pixel) in pixels.enumerated() {
            let at = frame.inverse(map(CropPoint(x: Double(column) + 0.5, y: Double(row) + 0.5)))
            // On a linear slope, every kernel gives the value at the point.
            let (left, top) = (Int(at.x - 0.5), Int(at.y - 0.5))
            for shift in [0, 8, 16, 24] {
              func value(_ x: Int, _ y: Int) -> Double { Double(all[y][x] >> shift & 255) }
              let (fx, fy) = (at.x - 0.5 - Double(left), at.y - 0.5 - Double(top))
              let wanted =
                value(left, top) + fx * (value(left + 1, top) - value(left, top)) + fy
                * (value(left, top + 1) - value(left, top))
              #expect(abs(Double(pixel >> shift & 255) - wanted) <= 1)
            }
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("public.jpeg", "public.jpeg", "public.png"), ("public.heic", "public.heic", "public.heic"),
    ("public.jpeg-xl", "public.jpeg", "public.png"),
    ("org.webmproject.webp", "public.jpeg", "public.png"),
  ])
  func `formats that the system can't write become a JPEG, or a PNG if transparent`(
    own: String, plain: String, shaped: String
  ) async throws {
    let data = Data("a \(own)".utf8)
    PictureFileContents.register(PictureFileContents(.blank(60, 40), type: own), as: data)
    for (shape, type) in [(CropShape.rectangle, plain), (.ellipse, shaped)] {
      let recipe = CropRecipe(rect: rect(1, 2, 30, 20), shape: shape)
      let made = try await PictureFile(data).cropped(by: recipe)
      #expect(PictureFileContents.of(made)?.type == type)
    }
  }

  @Test func `a result may be larger, pixel by pixel`() throws {
    let picture = try #require(CropPicture(image(.right)))
    let recipe = CropRecipe(
      rect: rect(1, 1, 2, 2), output: .exact(width: 4, height: 4))
    let all = upright(picture.image)
    let result = upright(try picture.cut(by: recipe))
    #expect(result.count == 4 && result[0].count == 4)
    #expect(result[0][0] == all[1][1] && result[3][3] == all[2][2] && result[0][3] == all[1][2])
  }

  @Test func `a recipe that does not fit is an error that says why`() throws {
    let picture = try #require(CropPicture(image(.up)))
    #expect(throws: PictureError.recipe(.emptyPicture)) {
      do {
        _ = try picture.cut(by: CropRecipe(rect: rect(5, 0, 3, 3)))
      } catch PictureError.recipe(.outside) {
        throw PictureError.recipe(.emptyPicture)
      }
    }
  }

  @Test func `a frame into which the picture is stretched counts in its own units`() throws {
    for stored in Self.orientations {
      let image = image(stored)
      let all = upright(image)
      let (columns, rows) = (all[0].count, all.count)
      // Ten units per column, four per row.
      let frame = CGSize(width: columns * 10, height: rows * 4)
      let part = try #require(
        image.cropRectangle(CGRect(x: 10, y: 8, width: 20, height: 4), inFrame: frame))
      #expect(upright(part) == [Array(all[2][1..<3])])
      // The source's flag displays it upright.
      #expect(part.imageOrientation == stored)
      #expect(image.cropRectangle(CGRect(x: 900, y: 0, width: 5, height: 5), inFrame: frame) == nil)
    }
    let old = image(.up).cropRectangle(
      atFrameSize: CGRect(x: 0, y: 0, width: 35, height: 20),
      inFrame: CGSize(width: 70, height: 50))
    #expect(old?.size == CGSize(width: 35, height: 20))
  }

  @Test func `a bitmap is scaled to any size that has pixels`() {
    let picture = image(.right)
    #expect(picture.scaleBitmap(to: CGSize(width: 30.4, height: 9.6)).size.width == 30)
    for bad in [CGSize.zero, CGSize(width: -4, height: 4), CGSize(width: CGFloat.nan, height: 4)] {
      #expect(picture.scaleBitmap(to: bad) === picture)
    }
  }

  @Test func `alpha is detected`() {
    let clear = UIImage(cgImage: .blank(2, 2, alphaInfo: .premultipliedFirst))
    #expect(CropPicture(clear)?.isTranslucent == true)
    #expect(CropPicture(image(.up))?.isTranslucent == false)
  }
}
