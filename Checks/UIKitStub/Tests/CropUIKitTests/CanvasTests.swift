import CropCore
import Testing
import UIKit

@testable import CheckedCropUIKit

/// Results on a canvas, pixel by pixel.
struct CanvasTests {
  /// An image of 7 × 5 opaque pixels, all different.
  private func image(_ orientation: UIImage.Orientation = .up) -> UIImage {
    UIImage(
      cgImage: .drawn(7, 5) { column, row in
        UInt32(10 * column) | UInt32(20 * row) << 8 | 9 << 16 | 255 << 24
      }, scale: 2, orientation: orientation)
  }

  private func pixels(_ image: UIImage) throws -> [[UInt32]] {
    let bitmap = try #require(image.cgImage)
    return (0..<bitmap.height).map { row in
      (0..<bitmap.width).map { bitmap.pixel($0, row) ?? 0 }
    }
  }

  private let red: UInt32 = 0xff | 255 << 24

  @Test(arguments: [UIImage.Orientation.up, .right, .downMirrored, .leftMirrored])
  func `the crop is placed on a canvas with a ratio and a color`(
    orientation: UIImage.Orientation
  ) async throws {
    let picture = image(orientation)
    let recipe = CropRecipe(rect: rect(1, 1, 4, 2), quarterTurns: 1)
    let bare = try pixels(
      UIImage(cgImage: try #require(CropPicture(picture)).uprightCut(by: recipe)))
    let canvas = ResultCanvas(
      .ratio(.square), margin: .pixels(1), gravity: .northwest,
      fill: .color(UIColor(red: 1, green: 0, blue: 0, alpha: 1)))
    let result = try await picture.cropped(by: recipe, on: canvas)
    let laid = try pixels(result)
    #expect(laid.count == 6 && laid[0].count == 6)
    #expect(result.imageOrientation == .up && result.scale == 1)
    for row in 0..<6 {
      for column in 0..<6 {
        let isInside = (1..<3).contains(row) && (1..<5).contains(column)
        #expect(laid[row][column] == (isInside ? bare[row - 1][column - 1] : red))
      }
    }
  }

  @Test func `nothing, the edge's median or the crop itself may fill a canvas`() async throws {
    let recipe = CropRecipe(rect: rect(0, 0, 7, 5))
    func laid(_ fill: ResultCanvas.Fill) async throws -> UIImage {
      try await image().cropped(
        by: recipe, on: ResultCanvas(margin: .pixels(3), fill: fill))
    }
    let clear = try await laid(.transparent)
    #expect(try pixels(clear)[0].allSatisfy { $0 == 0 })
    #expect(clear.cgImage?.alphaInfo == .premultipliedLast)
    let edge = try await laid(.edge)
    // Columns 0 and 6 have five pixels each, so the median of red is in the middle; the same
    // applies to green.
    #expect(try pixels(edge)[0].allSatisfy { $0 == 30 | 40 << 8 | 9 << 16 | 255 << 24 })
    #expect(edge.cgImage?.alphaInfo == .noneSkipLast)
    let blurred = try pixels(try await laid(.blur))
    let bare = try pixels(image())
    for row in 0..<5 { #expect(blurred[row + 3][3..<10].elementsEqual(bare[row])) }
    for row in [0, 1, 2, 8, 9, 10] {
      // It is the enlarged image: darker at the left, and never darker or lighter than the image.
      let reds = blurred[row].map { $0 & 255 }
      #expect(reds == reds.sorted() && reds.allSatisfy { $0 <= 60 })
      #expect(blurred[row].allSatisfy { $0 >> 16 == 9 | 255 << 8 })
    }
    #expect(blurred[0][0] & 255 < blurred[0][12] & 255)
  }

  @Test func `of one color, a blurred crop is that color to the last pixel`() async throws {
    let plain = UIImage(
      cgImage: .drawn(40, 30) { _, _ in 77 | 12 << 8 | 200 << 16 | 255 << 24 }, scale: 1,
      orientation: .up)
    let canvas = ResultCanvas(.size(FrameSize(width: 900, height: 300)), fill: .blur)
    let laid = try pixels(try await plain.cropped(by: CropRecipe(), on: canvas))
    #expect(laid.count == 300 && laid[0].count == 900)
    #expect(laid.allSatisfy { $0.allSatisfy { $0 == 77 | 12 << 8 | 200 << 16 | 255 << 24 } })
  }

  @Test func `a smaller canvas makes the crop smaller, and a shape shows the fill`() async throws {
    let canvas = ResultCanvas(
      .size(FrameSize(width: 4, height: 8)),
      fill: .color(UIColor(red: 1, green: 0, blue: 0, alpha: 1)))
    let recipe = CropRecipe(rect: rect(0, 0, 7, 5), shape: .ellipse)
    let laid = try pixels(try await image().cropped(by: recipe, on: canvas))
    #expect(laid.count == 8 && laid[0].count == 4)
    // 7 × 5 in 4 × 8 becomes 4 × 3, with two rows above and three below.
    #expect(laid[1].allSatisfy { $0 == red } && laid[5].allSatisfy { $0 == red })
    #expect(laid[2].allSatisfy { $0 != red } && laid[4].allSatisfy { $0 != red })
  }

  @Test func `an invisible canvas keeps the stored pixels`() async throws {
    let recipe = CropRecipe(rect: rect(1, 1, 3, 3))
    let result = try await image(.right).cropped(by: recipe, on: ResultCanvas(.ratio(.square)))
    #expect(result.imageOrientation == .right)
  }

  @Test(arguments: [
    ResultCanvas(.size(FrameSize(width: 100_000, height: 10))), ResultCanvas(margin: .percent(50)),
    ResultCanvas(margin: .pixels(-1)), ResultCanvas(margin: .pixels(.nan)),
    ResultCanvas(.size(FrameSize(width: 20, height: 20)), margin: .pixels(10)),
  ])
  func `an invalid canvas is a separate error`(canvas: ResultCanvas) async throws {
    await #expect(throws: PictureError.canvas) {
      try await image().cropped(by: CropRecipe(), on: canvas)
    }
  }

  @Test func `a file on a transparent canvas is a PNG, with a shape on a color a JPEG`()
    async throws
  {
    let data = Data("a picture for a canvas".utf8)
    PictureFileContents.register(PictureFileContents(.blank(60, 40), type: "public.jpeg"), as: data)
    let recipe = CropRecipe(rect: rect(1, 2, 30, 20), shape: .ellipse)
    for (fill, type) in [
      (ResultCanvas.Fill.transparent, "public.png"), (.color(.black), "public.jpeg"),
      (.edge, "public.jpeg"), (.blur, "public.jpeg"),
    ] {
      let canvas = ResultCanvas(.ratio(.square), fill: fill)
      let made = try await PictureFile(data).cropped(by: recipe, on: canvas)
      let contents = try #require(PictureFileContents.of(made))
      #expect(contents.type == type)
      #expect(contents.image.width == 30 && contents.image.height == 30)
    }
  }

  @Test func `the crop screen's result is on its canvas, and its recipe is only the crop's`()
    async throws
  {
    let screen = CropViewController(image: image())
    screen.canvas = ResultCanvas(.size(FrameSize(width: 20, height: 30)), fill: .edge)
    screen.recipe = CropRecipe(rect: rect(1, 1, 4, 2))
    let result = try #require(try await screen.result())
    #expect(result.image.cgImage?.width == 20 && result.image.cgImage?.height == 30)
    #expect(result.recipe == CropRecipe(rect: rect(1, 1, 4, 2)))
    #expect(result.rect == CGRect(x: 1, y: 1, width: 4, height: 2))
  }
}
