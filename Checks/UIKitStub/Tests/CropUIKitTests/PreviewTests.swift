import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropUIKit

/// The screen's contents while a large image is being cropped.
struct PreviewTests {
  private static let orientations: [UIImage.Orientation] = [
    .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left,
  ]

  /// An image of different pixels, stored as 7 × 5.
  private static let stored = CGImage.drawn(7, 5) { column, row in
    UInt32(row * 100 + column + 1)
  }

  private func rows(_ image: CGImage) -> [[UInt32?]] {
    (0..<image.height).map { row in (0..<image.width).map { image.pixel($0, row) } }
  }

  @Test func `a photo in any orientation is shown upright, from a file or from memory`()
    async throws
  {
    for (index, orientation) in Self.orientations.enumerated() {
      let flag = UInt32(index + 1)
      let upright = rows(Self.stored.oriented(by: flag))
      let data = Data("preview \(flag)".utf8)
      PictureFileContents.register(PictureFileContents(Self.stored, orientation: flag), as: data)
      let file = try #require(await CropPicture(data)?.preview())
      #expect(rows(file) == upright, "from a file, orientation \(flag)")
      let image = UIImage(cgImage: Self.stored, scale: 1, orientation: orientation)
      let memory = try #require(await CropPicture(image)?.preview())
      #expect(rows(memory) == upright, "from memory, orientation \(flag)")
    }
  }

  @Test func `a preview has at most the pixels that a screen needs`() async throws {
    let data = Data("preview of 48 megapixels".utf8)
    let large = CGImage.blank(8064, 6048)
    PictureFileContents.register(PictureFileContents(large, orientation: 6), as: data)
    let preview = try #require(await CropPicture(data)?.preview())
    #expect((preview.width, preview.height) == (3072, 4096))
  }

  @Test func `a part that is cut out does not keep the whole bitmap in memory`() throws {
    let picture = try #require(CropPicture(UIImage(cgImage: Self.stored)))
    let cut = try picture.cut(by: CropRecipe(rect: rect(1, 1, 3, 2), quarterTurns: 1))
    #expect(cut.cgImage?.parent == nil)
    #expect(cut.imageOrientation == .right && cut.cgImage?.pixel(0, 0) == 102)
    #expect(try picture.cut(by: CropRecipe()).cgImage === Self.stored)
  }

  @Test func `zoomed in, the part on the screen has the stored pixels, and the lens too`()
    async throws
  {
    let view = CropView()
    let data = Data("12 megapixels on their side".utf8)
    let large = CGImage.blank(8000, 6000)
    PictureFileContents.register(PictureFileContents(large, orientation: 6), as: data)
    var hand = Hand(on: view, at: CGRect(x: 0, y: 0, width: 400, height: 600))
    view.imageData = data
    view.layoutIfNeeded()
    await settle { view.layers.picture.contents != nil }
    view.layoutIfNeeded()
    #expect(view.layers.detail.isHidden && view.detail.part == nil, "the preview is enough")
    hand.resume()
    view.execute(.zoom(30))
    hand.wait(2, for: view)
    await view.detail.finish()
    let part = try #require(view.detail.part)
    for layer in [view.layers.detail, view.layers.lens.detail] {
      #expect(!layer.isHidden && layer.superlayer?.bounds.size == CGSize(width: 6000, height: 8000))
      #expect(layer.position == CGPoint(x: part.x, y: part.y))
      #expect(layer.bounds.size == CGSize(width: part.width, height: part.height))
      #expect(layer.contents is CGImage)
    }
    #expect(part.width < 1000 && part.height < 2000)
    hand.resume()
    view.execute(.fit)
    hand.wait(2, for: view)
    #expect(view.layers.detail.isHidden && view.detail.part == nil)
  }
}
