import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropUIKit

/// Faults that crop screens for iOS have had, by their change logs.
struct KnownFaultsTests: ScreenPresenting {
  let presenter = UIViewController()

  /// An image of different, opaque pixels.
  private func image(_ width: Int, _ height: Int, _ orientation: UIImage.Orientation) -> UIImage {
    UIImage(
      cgImage: .drawn(width, height) { column, row in
        UInt32(column + 1) | UInt32(row + 1) << 8 | 255 << 24
      }, scale: 1, orientation: orientation)
  }

  @Test func `turning the device while Cancel asks changes nothing, and the answer comes once`()
    throws
  {
    let screen = CropViewController(image: .blank(800, 600))
    var results: [CropResult?] = []
    screen.onFinish = { results.append($0) }
    show(screen)
    screen.cropView.execute(.set(.width, 300))
    let recipe = screen.recipe
    screen.cancel()
    let question = try #require(screen.presentedViewController as? UIAlertController)
    layOut(screen, 844, 390)
    layOut(screen, 400, 800)
    #expect(screen.recipe == recipe && results.isEmpty)
    question.actions[0].choose()
    #expect(results.count == 1 && results[0] == nil)
    screen.cancel()
    #expect(results.count == 1)
  }

  @Test func `turning the device while the result is made gives the same result, once`()
    async throws
  {
    let screen = CropViewController(image: .blank(800, 600))
    var results: [CropResult?] = []
    screen.onFinish = { results.append($0) }
    show(screen)
    screen.cropView.execute(.set(.width, 300))
    screen.finish()
    layOut(screen, 844, 390)
    screen.finish()
    await settle { !results.isEmpty }
    await settleMainActor()
    #expect(results.count == 1 && results.first??.image.size.width == 300)
  }

  @Test(arguments: [true, false])
  func `four quarter rotations are none`(clockwise: Bool) async throws {
    let view = CropView()
    view.image = image(7, 5, .right)
    let before = view.recipe
    for turn in 1...4 {
      view.execute(.turn(clockwise: clockwise))
      #expect(view.recipe?.quarterTurns == (clockwise ? turn : 4 - turn) % 4)
    }
    #expect(view.recipe == before)
    let result = try #require(try await view.result())
    #expect(result.angle == 0 && result.image.imageOrientation == .right)
  }

  @Test(arguments: [
    UIImage.Orientation.up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored,
    .rightMirrored,
  ])
  func `no hairline at an edge: every pixel of a result is one of the image`(
    orientation: UIImage.Orientation
  ) async throws {
    let view = CropView()
    view.image = image(31, 17, orientation)
    for turn in 0..<4 {
      view.recipe = CropRecipe(
        rect: FrameRect(x: 1, y: 2, width: 13, height: 11), quarterTurns: turn)
      let result = try #require(try await view.croppedImage()?.cgImage)
      #expect(result.width * result.height == 13 * 11)
      for row in 0..<result.height {
        for column in 0..<result.width {
          let pixel = try #require(result.pixel(column, row))
          #expect(pixel & 0xff != 0 && pixel >> 8 & 0xff != 0 && pixel >> 24 == 255)
        }
      }
    }
  }

  @Test func `a stored crop of a rotated image is restored, and rotated on`() throws {
    let screen = CropViewController(image: .blank(800, 600))
    let stored = CropRecipe(
      rect: FrameRect(x: 10, y: 20, width: 300, height: 400), quarterTurns: 1)
    screen.recipe = stored
    show(screen)
    #expect(screen.recipe == stored)
    screen.cropView.execute(.turn(clockwise: false))
    #expect(screen.recipe?.quarterTurns == 0)
    #expect(screen.recipe?.rect == FrameRect(x: 20, y: 290, width: 400, height: 300))
  }

  @Test func `the rectangle never leaves the image, at the smallest size and after a reset`() throws
  {
    let screen = CropViewController(image: .blank(3, 2))
    show(screen)
    screen.cropView.execute(.set(.width, 0))
    screen.cropView.execute(.set(.x, 99))
    let rect = try #require(screen.recipe?.rect)
    #expect(rect.x >= 0 && rect.width >= 1 && rect.x + rect.width <= 3)
    screen.cropView.execute(.reset)
    #expect(screen.recipe?.rect == FrameRect(x: 0, y: 0, width: 3, height: 2))
  }

  @Test func `a view without a size, and an image without pixels, do nothing`() {
    let view = CropView(frame: .zero)
    view.image = .blank(80, 60)
    view.layoutIfNeeded()
    #expect(view.recipe?.rect == FrameRect(x: 0, y: 0, width: 80, height: 60))
    view.imageData = Data()
    #expect(view.image == nil && view.recipe == nil)
    view.layoutIfNeeded()
  }

  @Test func `a square stays a square in both orientations of the device`() {
    let screen = CropViewController(image: .blank(801, 599))
    screen.ratio = .fixed(.square)
    screen.isRatioLocked = true
    show(screen)
    for (width, height) in [(400.0, 800.0), (844, 390), (320, 568)] {
      layOut(screen, width, height)
      #expect(screen.recipe?.rect?.width == screen.recipe?.rect?.height)
    }
    screen.cropView.execute(.turn(clockwise: true))
    #expect(screen.recipe?.rect?.width == 599 && screen.recipe?.rect?.height == 599)
  }

  @Test func `a screen and its closures are released after it was used`() async {
    final class Owner {
      var screen: CropViewController?
      var finished = 0
    }
    weak var weakScreen: CropViewController?
    let owner = Owner()
    do {
      let screen = CropViewController(image: .blank(80, 60))
      weakScreen = screen
      screen.onFinish = { [weak owner] _ in owner?.finished += 1 }
      show(screen)
      screen.cancel()
    }
    await settle { weakScreen == nil }
    #expect(weakScreen == nil && owner.finished == 1)
  }
}
