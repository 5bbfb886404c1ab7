import CropCore
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// The names and behaviors of the samples.
struct SampleTests {
  private final class Button: CroppableImageViewDelegateProtocol {
    var states: [Bool] = []
    func haveValidCropRect(_ valid: Bool) { states.append(valid) }
  }

  private final class Client: CornerpointClientProtocol {
    var places: [CGPoint?] = []
    func cornerHasChanged(_ newCornerPoint: CornerpointView) {
      places.append(newCornerPoint.centerPoint)
    }
  }

  // MARK: CropImg

  @Test func `CropImg: a drag draws, corners appear, the button is enabled, a tap clears`() {
    let view = CroppableImageView(frame: .zero)
    let button = Button()
    var hand = Hand(on: view)
    view.imageToCrop = .blank(800, 600)
    view.cropDelegate = button
    #expect(view.cropRect == nil && view.croppedImage() == nil)
    #expect(view.cornerpoints.allSatisfy { $0.isHidden })
    // In any direction.
    hand.drag(314, 214, to: 114, 114)
    #expect(view.cropRect == CGRect(x: 114, y: 114, width: 200, height: 100))
    #expect(button.states.last == true)
    #expect(
      view.cornerpoints.map(\.centerPoint) == [
        CGPoint(x: 114, y: 114), CGPoint(x: 314, y: 114), CGPoint(x: 314, y: 214),
        CGPoint(x: 114, y: 214),
      ])
    #expect(view.croppedImage()?.size == CGSize(width: 200, height: 100))
    // A drag inside moves it, up to the image's edges.
    hand.drag(214, 164, to: 814, 164)
    #expect(view.cropRect == CGRect(x: 614, y: 114, width: 200, height: 100))
    hand.tap(100, 500)
    hand.wait(0.5, for: view)
    #expect(view.cropRect == nil && button.states.last == false)
    #expect(view.cornerpoints.allSatisfy { $0.isHidden && $0.centerPoint == nil })
    // An improvement: the tap can be undone.
    view.execute(.undo)
    #expect(view.cropRect == CGRect(x: 614, y: 114, width: 200, height: 100))
  }

  @Test func `CropImg: only the corner that is dragged notifies, also after it crossed others`() {
    let view = CroppableImageView(frame: .zero)
    var hand = Hand(on: view)
    view.imageToCrop = .blank(800, 600)
    hand.drag(314, 214, to: 414, 314)
    let clients = view.cornerpoints.map { corner in
      #expect(corner.cornerpointDelegate === view)
      let client = Client()
      corner.cornerpointDelegate = client
      return client
    }
    hand.drag(314, 214, to: 514, 414)
    #expect(view.cropRect == CGRect(x: 414, y: 314, width: 100, height: 100))
    #expect(clients[0].places.last == CGPoint(x: 514, y: 414))
    #expect(clients[1...].allSatisfy { $0.places.isEmpty })
    // Afterwards, the corner points are clockwise from the top left again.
    #expect(view.cornerpoints[0].centerPoint == CGPoint(x: 414, y: 314))
    // Only drags are reported, not changes by code or layout.
    let reported = clients[0].places.count
    view.cropRect = CGRect(x: 114, y: 114, width: 100, height: 100)
    view.frame.size = CGSize(width: 428, height: 328)
    hand.window.layoutIfNeeded()
    #expect(clients[0].places.count == reported)
    // Neither is a new rectangle.
    hand.drag(300, 200, to: 350, 250)
    #expect(clients.map(\.places.count) == [reported, 0, 0, 0])
  }

  @Test func `CropImg: a corner's dragger gets its touches, and the view resizes`() throws {
    let view = CroppableImageView(frame: .zero)
    let hand = Hand(on: view)
    view.imageToCrop = .blank(800, 600)
    view.cropRect = CGRect(x: 114, y: 114, width: 100, height: 100)
    view.layoutIfNeeded()
    let corner = view.cornerpoints[0]
    #expect(hand.window.hitTest(CGPoint(x: 114, y: 114), with: nil) === corner)
    #expect(!corner.dragger.cancelsTouchesInView && !view.dragger.cancelsTouchesInView)
    // The crop view moves the corner, not its dragger.
    corner.dragger.way = CGPoint(x: 20, y: 20)
    corner.dragger.fire(.changed)
    #expect(view.cropRect == CGRect(x: 114, y: 114, width: 100, height: 100))
    // A subclass may move it.
    corner.centerPoint = CGPoint(x: 314, y: 364)
    view.cornerHasChanged(corner)
    #expect(view.cropRect == CGRect(x: 214, y: 214, width: 100, height: 150))
  }

  @Test func `CropImg: a tap anywhere on the image clears, but not one on a corner`() throws {
    let view = CroppableImageView(frame: .zero)
    _ = Hand(on: view)
    view.imageToCrop = .blank(800, 600)
    let all = CGRect(x: 114, y: 114, width: 100, height: 100)
    view.cropRect = all
    view.layoutIfNeeded()
    let tapper = try #require(
      view.gestureRecognizers?.compactMap { $0 as? UITapGestureRecognizer }.first)
    tapper.place = view.convert(CGPoint(x: 114, y: 114), to: nil)
    tapper.fire(.ended)
    #expect(view.cropRect == all)
    tapper.place = view.convert(CGPoint(x: 164, y: 164), to: nil)
    tapper.fire(.ended)
    #expect(view.cropRect == nil)
  }

  @Test func `CropImg: the view's own numbers`() {
    let view = CroppableImageView(frame: .zero)
    #expect(view.imageRect == nil && view.imageSize == nil && view.aspect == 1)
    _ = Hand(on: view, at: CGRect(x: 0, y: 0, width: 428, height: 328))
    view.imageToCrop = .blank(800, 600)
    view.layoutIfNeeded()
    #expect(view.imageRect == CGRect(x: 14, y: 14, width: 400, height: 300))
    #expect(view.imageSize == CGSize(width: 800, height: 600) && view.aspect == 0.5)
  }

  @Test
  func `CropImg: less than 5 points is no selection, another image clears it, a layout keeps it`() {
    let view = CroppableImageView(frame: .zero)
    let button = Button()
    var hand = Hand(on: view)
    view.imageToCrop = .blank(800, 600)
    view.cropDelegate = button
    hand.drag(114, 114, to: 118, 300)
    #expect(view.cropRect == nil && button.states.last != true)
    view.cropRect = CGRect(x: 114, y: 114, width: 100, height: 50)
    #expect(view.recipe?.rect == rect(100, 100, 100, 50))
    view.frame.size = CGSize(width: 428, height: 328)
    hand.window.layoutIfNeeded()
    #expect(view.recipe?.rect == rect(100, 100, 100, 50))
    #expect(view.cropRect == CGRect(x: 64, y: 64, width: 50, height: 25))
    view.imageToCrop = .blank(800, 600)
    #expect(view.cropRect == nil)
  }

  @Test func `CropImg: a separate corner point is dragged and notifies`() {
    let page = UIView(frame: .zero)
    let corner = CornerpointView()
    let client = Client()
    page.addSubview(corner)
    corner.cornerpointDelegate = client
    _ = Hand(on: page)
    #expect(corner.isHidden && corner.gestureRecognizers?.first === corner.dragger)
    corner.centerPoint = CGPoint(x: 100, y: 100)
    #expect(corner.frame == CGRect(x: 85, y: 85, width: 30, height: 30))
    corner.dragger.way = CGPoint(x: 50, y: 50)
    corner.dragger.fire(.began)
    #expect(corner.centerPoint == CGPoint(x: 150, y: 150))
    #expect(client.places.last == CGPoint(x: 150, y: 150))
    corner.drawCornerOutlines = true
    #expect(corner.layer.borderWidth == 1)
    corner.centerPoint = nil
    #expect(corner.isHidden)
  }

  // MARK: MMSCropView

  @Test
  func `MMSCropView: from the first touch, whole without a selection, a tap inside does nothing`() {
    let view = MMSCropImageView(frame: .zero)
    view.image = .blank(800, 600)
    var hand = Hand(on: view, at: CGRect(x: 0, y: 0, width: 800, height: 600))
    #expect(view.crop()?.size == CGSize(width: 800, height: 600))
    hand.drag(400, 300, to: 100, 200)
    #expect(view.cropView.recipe?.rect == rect(100, 200, 300, 100))
    #expect(view.crop()?.size == CGSize(width: 300, height: 100))
    hand.tap(250, 250)
    hand.wait(0.5, for: view.cropView)
    #expect(view.crop()?.size == CGSize(width: 300, height: 100))
    hand.tap(700, 500)
    hand.wait(0.5, for: view.cropView)
    #expect(view.crop()?.size == CGSize(width: 800, height: 600))
  }

  @Test func `MMSCropView: made with an image, or two`() {
    let view = MMSCropImageView(image: .blank(80, 60))
    #expect(view.image?.size == CGSize(width: 80, height: 60))
    #expect(view.intrinsicContentSize == CGSize(width: 80, height: 60))
    let both = MMSCropImageView(image: .blank(8, 6), highlightedImage: .blank(8, 6))
    #expect(both.crop()?.size == CGSize(width: 8, height: 6))
    both.image = nil
    #expect(both.image == nil && both.crop() == nil)
  }

  @Test func `MMSCropView: sizes keep their proportions inside others`() {
    let size = CGSize(width: 800, height: 600)
    #expect(
      UIImage.scaleSize(size, toSize: CGSize(width: 100, height: 100))
        == CGSize(width: 100, height: 75))
    #expect(
      UIImage.scaleSize(size, toSize: CGSize(width: 2000, height: 900))
        == CGSize(width: 1200, height: 900))
    #expect(UIImage.scaleSize(.zero, toSize: size) == .zero)
  }

  @Test func `MMSCropView: both looks, the later one unless the article's is chosen`() {
    let view = MMSCropView(frame: .zero)
    view.image = .blank(800, 600)
    var hand = Hand(on: view, at: CGRect(x: 0, y: 0, width: 800, height: 600))
    hand.drag(400, 300, to: 100, 200)
    hand.wait(2, for: view.cropView)
    func shapes() -> [CAShapeLayer] {
      (view.cropView.layers.marks.root.sublayers ?? []).compactMap { $0 as? CAShapeLayer }
        .filter { !$0.isHidden }
    }
    let selected = CGPath.Part.rect(CGRect(x: 100, y: 200, width: 300, height: 100))
    func fill() -> [CGFloat]? {
      shapes().first { $0.path?.parts == [selected] && $0.fillColor != nil }?.fillColor?.components
    }
    func edge() -> CAShapeLayer? {
      shapes().last { $0.path?.parts == [selected] && $0.strokeColor != nil }
    }
    #expect(fill() == nil && edge()?.lineWidth == 0.5)
    #expect(shapes().contains { $0.fillRule == .evenOdd && abs($0.opacity - 0.65) < 1e-6 })
    view.usesArticleLook = true
    hand.window.layoutIfNeeded()
    #expect(fill() == [1, 1, 1, 0.5])
    #expect(edge()?.lineWidth == 1 && edge()?.strokeColor?.components == [1, 1, 1, 1])
    #expect(shapes().allSatisfy { $0.fillRule == .nonZero || $0.opacity == 0 })
  }

  @Test func `MMSCropView: the recognizer remembers the first touch`() {
    let page = UIView(frame: .zero)
    let hand = Hand(on: page)
    let recognizer = DragRecognizer()
    page.addGestureRecognizer(recognizer)
    let touch = UITouch()
    touch.place(CGPoint(x: 12, y: 34), in: page, at: hand.time)
    recognizer.touchesBegan([touch], with: UIEvent())
    #expect(recognizer.origin == CGPoint(x: 12, y: 34))
  }

  // MARK: SwiftUI

  @Test func `SwiftUI: the binding and the selection follow each other`() {
    final class Model { var recipe: CropRecipe? }
    let model = Model()
    let image = UIImage.blank(800, 600)
    func editor() -> CropEditor {
      CropEditor(
        image: image, recipe: .init(get: { model.recipe }, set: { model.recipe = $0 }))
    }
    let coordinator = editor().makeCoordinator()
    let view = CropView()
    var hand = Hand(on: view)
    view.delegate = coordinator
    editor().cropRatio(.fixed(.square)).update(view, coordinator)
    view.layoutIfNeeded()
    #expect(view.recipe?.rect == rect(100, 0, 600, 600))
    hand.drag(714, 614, to: 614, 514)
    #expect(model.recipe == view.recipe && model.recipe?.rect?.width == 500)
    // Updates without a change keep what the user did.
    editor().cropRatio(.fixed(.square)).update(view, coordinator)
    #expect(view.recipe?.rect?.width == 500)
    model.recipe = CropRecipe(rect: rect(0, 0, 50, 50))
    editor().cropRatio(.fixed(.square)).update(view, coordinator)
    #expect(view.recipe?.rect == rect(0, 0, 50, 50))
  }
}
