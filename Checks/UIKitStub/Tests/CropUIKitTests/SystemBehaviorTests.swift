import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropUIKit

/// What the system does with a crop view: scroll views, undo, colors, accessibility.
struct SystemBehaviorTests {
  @Test func `a scroll view that delays touches does not get a fast drag on the image`() {
    let view = CropView()
    _ = Hand(on: view)
    view.style = .marquee
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    let (scrollView, pan) = (UIView(), UIPanGestureRecognizer())
    scrollView.addGestureRecognizer(pan)
    // The finger is 100 points from where it touched, and the view has no touch yet.
    pan.numberOfTouches = 1
    pan.place = view.convert(CGPoint(x: 414, y: 414), to: nil)
    pan.way = CGPoint(x: 0, y: 100)
    #expect(!view.gestureRecognizerShouldBegin(pan))
    view.image = nil
    #expect(view.gestureRecognizerShouldBegin(pan), "nothing to crop")
    // A mouse wheel, which has no touches.
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    pan.numberOfTouches = 0
    #expect(view.gestureRecognizerShouldBegin(pan))
  }

  @Test func `the system undoes and redoes the view's steps`() throws {
    let view = CropView()
    view.image = .blank(80, 60)
    let manager = try #require(view.undoManager)
    #expect(!manager.canUndo && !manager.canRedo)
    view.execute(.turn(clockwise: true))
    #expect(manager.canUndo)
    manager.undo()
    #expect(view.recipe?.quarterTurns == 0 && manager.canRedo)
    manager.redo()
    #expect(view.recipe?.quarterTurns == 1)
  }

  @Test func `a dynamic color of a canvas is resolved on the main thread, with the view's traits`()
    async throws
  {
    let color = UIColor { traits in
      // Ends the test run if it is called elsewhere, as on a device.
      MainActor.preconditionIsolated()
      return traits.userInterfaceStyle == .dark
        ? UIColor(red: 1, green: 0, blue: 0, alpha: 1) : UIColor(white: 1, alpha: 1)
    }
    let view = CropView()
    view.traitCollection = UITraitCollection(userInterfaceStyle: .dark)
    view.image = .blank(8, 6)
    view.canvas = ResultCanvas(.ratio(.square), fill: .color(color))
    let image = try #require(try await view.croppedImage()?.cgImage)
    #expect(image.pixel(0, 0) == 0xff00_00ff)
    let file = Data("canvas of a dynamic color".utf8)
    PictureFileContents.register(PictureFileContents(.blank(8, 6)), as: file)
    let made = try await PictureFile(file).cropped(
      by: CropRecipe(), on: ResultCanvas(.ratio(.square), fill: .color(color)))
    #expect(PictureFileContents.of(made)?.image.pixel(0, 0) == 0xffff_ffff)
    let cropped = try await UIImage.blank(8, 6).cropped(
      by: CropRecipe(), on: ResultCanvas(.ratio(.square), fill: .color(color)))
    #expect(cropped.cgImage?.pixel(0, 0) == 0xffff_ffff)
  }

  @Test func `a photo is not inverted, and does not shimmer when it is small`() {
    let view = CropView()
    #expect(view.accessibilityIgnoresInvertColors)
    #expect(view.layers.picture.minificationFilter == .trilinear)
    #expect(view.layers.lens.picture.minificationFilter == .trilinear)
  }

  @Test func `the label fits its text after the text size has changed`() {
    let view = CropView()
    view.layers.label.show("800 × 600", at: .zero)
    view.layers.label.bounds.size = .zero
    view.traitCollection = UITraitCollection(userInterfaceStyle: .dark)
    #expect(view.layers.label.bounds.size != .zero)
  }

  @Test func `the grid of a JPEG is found in the background`() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let file = folder.appendingPathComponent("../../../../Samples/lake-at-dusk.jpg")
    let data = try Data(contentsOf: file)
    PictureFileContents.register(PictureFileContents(.blank(3000, 2000)), as: data)
    let view = CropView()
    view.imageData = data
    #expect(view.session.jpeg == nil)
    await view.gridSearch?.value
    #expect(view.session.jpeg != nil)
  }
}
