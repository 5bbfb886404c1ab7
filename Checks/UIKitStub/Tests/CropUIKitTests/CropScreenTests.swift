import CropCore
import Foundation
import SwiftUI
import Testing
import UIKit

@testable import CheckedCropUIKit

/// The crop screen: present it, get a result.
struct CropScreenTests {
  private final class Listener: CropViewControllerDelegate {
    var reported: [String] = []
    func cropViewController(_ controller: CropViewController, didFinishWith result: CropResult) {
      reported.append("finished")
    }
    func cropViewControllerDidCancel(_ controller: CropViewController) {
      reported.append("cancelled")
    }
    func cropViewController(_ controller: CropViewController, didFailWith error: any Error) {
      reported.append("failed")
    }
  }

  private let presenter = UIViewController()
  private let listener = Listener()

  private func show(_ screen: CropViewController) {
    screen.words = .english
    screen.delegate = listener
    if presenter.presentedViewController !== screen { presenter.present(screen, animated: false) }
    screen.view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
  }

  private func button(_ name: String, of screen: UIViewController) -> UIButton? {
    func buttons(_ view: UIView) -> [UIButton] {
      ((view as? UIButton).map { [$0] } ?? []) + view.subviews.flatMap(buttons)
    }
    return buttons(screen.view).first { $0.accessibilityLabel == name }
  }

  private func press(_ name: String, of screen: UIViewController) {
    button(name, of: screen)?.sendActions(for: .primaryActionTriggered)
  }

  private func dial(of screen: UIViewController) -> StraightenDial? {
    func dials(_ view: UIView) -> [StraightenDial] {
      ((view as? StraightenDial).map { [$0] } ?? []) + view.subviews.flatMap(dials)
    }
    return dials(screen.view).first
  }

  @Test func `the image is between the bars, and clear of the device's corners`() {
    let screen = CropViewController(image: .blank(800, 600))
    screen.loadViewIfNeeded()
    screen.view.safeAreaInsets = UIEdgeInsets(top: 50, left: 0, bottom: 30, right: 0)
    show(screen)
    #expect(screen.cropView.frame == screen.view.bounds)
    // Bars of 44 and 48 points, 4 and 8 from the safe area's edges, 14 from the image.
    #expect(screen.cropView.layoutArea == CGRect(x: 14, y: 112, width: 372, height: 588))
  }

  @Test func `in landscape, the bars are beside the image and the dial is below it`() throws {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    let upright = screen.cropView.layoutArea
    screen.view.safeAreaInsets = UIEdgeInsets(top: 0, left: 47, bottom: 21, right: 47)
    screen.view.frame = CGRect(x: 0, y: 0, width: 844, height: 390)
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
    // Bars of 44 points, 8 from the safe area's sides, 14 from the image; the dial is 48 points, 4
    // above the bottom and 10 below the image.
    #expect(screen.cropView.layoutArea == CGRect(x: 113, y: 14, width: 618, height: 293))
    #expect(dial(of: screen)?.frame == CGRect(x: 113, y: 317, width: 618, height: 48))
    let turn = try #require(button("Rotate", of: screen)?.superview)
    #expect(turn.frame == CGRect(x: 745, y: 8, width: 44, height: 353))
    screen.view.safeAreaInsets = .zero
    screen.view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
    #expect(screen.cropView.layoutArea == upright)
    #expect(dial(of: screen)?.superview === turn)
  }

  @Test func `on a wide screen the controls stay together in the middle`() throws {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    screen.view.frame = CGRect(x: 0, y: 0, width: 1366, height: 1024)
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
    let bar = try #require(button("Rotate", of: screen)?.superview)
    #expect(bar.frame == CGRect(x: 323, y: 968, width: 720, height: 48))
  }

  @Test func `every control has a name, can be enlarged, and can be left out`() {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    let names = ["Cancel", "Undo", "Redo", "Reset", "Done", "Rotate", "Flip horizontally", "Ratio"]
    for name in names {
      let control = button(name, of: screen)
      #expect(control?.showsLargeContentViewer == true && control?.largeContentTitle == name)
    }
    #expect(dial(of: screen) != nil)
    let small = CropViewController(image: .blank(80, 60))
    small.tools = [.cancel, .done]
    small.isRatioLocked = true
    small.loadViewIfNeeded()
    #expect(button("Rotate", of: small) == nil && dial(of: small) == nil)
    #expect(small.cropView.session.settings.keepsRatio)
  }

  @Test func `buttons do what they say, and are only enabled if possible`() {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    func enabled() -> [Bool] {
      ["Undo", "Redo", "Reset", "Done"].map { button($0, of: screen)?.isEnabled ?? false }
    }
    #expect(enabled() == [false, false, false, true])
    press("Rotate", of: screen)
    #expect(screen.recipe?.quarterTurns == 1 && enabled() == [true, false, true, true])
    press("Flip horizontally", of: screen)
    #expect(screen.recipe?.isMirrored == true)
    press("Undo", of: screen)
    press("Undo", of: screen)
    #expect(screen.recipe?.quarterTurns == 0 && enabled() == [false, true, false, true])
    press("Redo", of: screen)
    press("Reset", of: screen)
    #expect(screen.recipe == CropRecipe(rect: rect(0, 0, 800, 600)))
    screen.style = .marquee
    screen.cropView.execute(.clear)
    #expect(enabled()[3] == false)
  }

  @Test func `the menu of ratios marks the current one`() throws {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    func items() -> [UIAction] {
      button("Ratio", of: screen)?.menu?.children.compactMap { $0 as? UIAction } ?? []
    }
    #expect(items().map(\.title).prefix(5) == ["Free", "Original", "Square", "3:2", "2:3"])
    #expect(items().first { $0.state == .on }?.title == "Free")
    items().first { $0.title == "Square" }?.choose()
    #expect(screen.recipe?.rect == rect(100, 0, 600, 600))
    #expect(items().first { $0.state == .on }?.title == "Square")
    #expect(button("Ratio", of: screen)?.accessibilityValue == "Square")
  }

  @Test func `the dial straightens: dragged in one step of the history, adjusted by half a degree`()
    throws
  {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    let dial = try #require(self.dial(of: screen))
    let dragger = try #require(dial.gestureRecognizers?.first as? UIPanGestureRecognizer)
    dragger.fire(.began)
    for way in [-16.0, -32, -80] {
      dragger.way = CGPoint(x: way, y: 0)
      dragger.fire(.changed)
    }
    dragger.fire(.ended)
    #expect(screen.recipe?.tilt == CropAngle(degrees: 10) && dial.accessibilityValue == "10.0°")
    dial.accessibilityDecrement()
    #expect(screen.recipe?.tilt == CropAngle(degrees: 9.5))
    press("Undo", of: screen)
    press("Undo", of: screen)
    #expect(screen.recipe?.tilt == .zero && !screen.cropView.session.canUndo)
  }

  @Test func `Done closes and gives picture, file, recipe, rectangle and angle`() async throws {
    let data = Data("a photo with depth".utf8)
    PictureFileContents.register(
      PictureFileContents(
        .blank(600, 800), orientation: 6, properties: ["{GPS}": "here"],
        auxiliary: ["HDRGainMap", "Disparity"]), as: data)
    let screen = CropViewController(data: data)
    var results: [CropResult?] = []
    screen.onFinish = { results.append($0) }
    show(screen)
    press("Rotate", of: screen)
    screen.cropView.execute(.set(.width, 300))
    press("Done", of: screen)
    #expect(button("Done", of: screen)?.isEnabled == false, "once is enough")
    await settle { !results.isEmpty }
    let result = try #require(results.first ?? nil)
    #expect(presenter.presentedViewController == nil && listener.reported == ["finished"])
    #expect(result.angle == 90 && result.rect.size.width == 300 && !result.isMirrored)
    let file = try #require(result.data.flatMap { PictureFileContents.of($0) })
    #expect(file.image.width == 300 && file.properties["{GPS}"] == "here")
    #expect(result.lost == [.gainMap, .depth], "it is said, not passed over")
    #expect(results.count == 1)
  }

  @Test func `Cancel only asks if something would be lost`() throws {
    let screen = CropViewController(image: .blank(80, 60))
    var results: [CropResult?] = []
    screen.onFinish = { results.append($0) }
    show(screen)
    press("Rotate", of: screen)
    #expect(screen.isModalInPresentation, "a swipe down must not throw it away")
    press("Cancel", of: screen)
    let question = try #require(screen.presentedViewController as? UIAlertController)
    #expect(question.actions.map(\.title) == ["Discard changes", "Keep editing"])
    #expect(results.isEmpty)
    question.actions[0].choose()
    #expect(results.count == 1 && results[0] == nil && listener.reported == ["cancelled"])
    let other = CropViewController(image: .blank(80, 60))
    other.onFinish = { results.append($0) }
    show(other)
    press("Cancel", of: other)
    #expect(results.count == 2 && other.presentedViewController == nil)
  }

  @Test func `a swipe down, its attempt, Escape and Return`() async throws {
    let screen = CropViewController(image: .blank(80, 60))
    show(screen)
    #expect(screen.presentationController?.delegate === screen)
    let key = UIPress(UIKey(.keyboardEscape, ""), at: 0)
    press("Rotate", of: screen)
    screen.cropView.pressesBegan([key], with: nil)
    #expect(screen.presentedViewController is UIAlertController)
    let swiped = CropViewController(image: .blank(80, 60))
    show(swiped)
    presenter.dismiss(animated: true)
    #expect(listener.reported == ["cancelled"])
    let returned = CropViewController(image: .blank(80, 60))
    show(returned)
    returned.cropView.pressesBegan(
      [UIPress(UIKey(.keyboardReturnOrEnter, "\r"), at: 0)], with: nil)
    await settle { listener.reported.count == 2 }
    #expect(listener.reported == ["cancelled", "finished"])
  }

  @Test func `one call presents, waits and gives the result`() async {
    let waiting = Task {
      await CropViewController.crop(UIImage.blank(80, 60), from: presenter) {
        $0.ratio = .fixed(.square)
        $0.words = .english
      }
    }
    await settle { presenter.presentedViewController != nil }
    let screen = presenter.presentedViewController as? CropViewController
    screen?.view.layoutIfNeeded()
    if let screen { press("Done", of: screen) }
    let result = await waiting.value
    #expect(result?.image.size == CGSize(width: 60, height: 60) && result?.data == nil)
  }

  @Test func `two taps, or cancelling while the result is made, answer once`() async {
    let screen = CropViewController(image: .blank(80, 60))
    var answers = 0
    screen.onFinish = { _ in answers += 1 }
    show(screen)
    press("Done", of: screen)
    press("Done", of: screen)
    press("Cancel", of: screen)
    // The result has been made; Done is enabled again after that and everything that follows from
    // it.
    await settle { button("Done", of: screen)?.isEnabled == true }
    #expect(answers == 1 && listener.reported == ["cancelled"])
  }

  @Test func `if nothing can be presented, the call returns`() async {
    presenter.present(UIViewController(), animated: false)
    let result = await CropViewController.crop(UIImage.blank(80, 60), from: presenter)
    #expect(result == nil)
  }

  @Test func `a custom bar replaces the bottom one`() {
    final class Own: CropViewController {
      let bar = UIView(frame: .zero)
      override func makeToolbar() -> UIView? { bar }
    }
    let screen = Own(image: UIImage.blank(80, 60))
    show(screen)
    #expect(screen.bar.superview is UIStackView && dial(of: screen) == nil)
    #expect(button("Done", of: screen) != nil && button("Rotate", of: screen) == nil)
  }

  @Test func `SwiftUI: buttons use the session and follow it`() async {
    let session = CropEditorSession()
    let editor = CropEditor(image: .blank(800, 600), session: session)
    let coordinator = editor.makeCoordinator()
    let view = CropView()
    _ = Hand(on: view)
    view.delegate = coordinator
    editor.update(view, coordinator)
    await settle { session.recipe != nil }
    #expect(!session.canUndo && session.resultSize == CGSize(width: 800, height: 600))
    let before = session.objectWillChange.count
    session.turn()
    #expect(session.canUndo && session.recipe?.quarterTurns == 1)
    #expect(session.objectWillChange.count > before)
    session.ratio = .fixed(.square)
    session.tilt = 3
    #expect(session.ratio == .fixed(.square) && session.tilt == 3)
    session.undo()
    session.undo()
    #expect(session.canRedo && session.tilt == 0 && session.ratio == .free)
    session.reset()
    #expect(!session.canReset && session.recipe?.quarterTurns == 0)
    session.recipe = CropRecipe(rect: rect(0, 0, 50, 40))
    #expect(view.recipe?.rect == rect(0, 0, 50, 40) && session.canUndo)
  }

  @Test func `SwiftUI: a sheet crops while there is an image, and removes it`() async throws {
    final class Model { var image: UIImage? }
    let model = Model()
    model.image = .blank(80, 60)
    var results: [CropResult?] = []
    SwiftUIStage.covers = []
    _ = EmptyView().cropSheet(
      image: Binding(get: { model.image }, set: { model.image = $0 }),
      prepare: { $0.ratio = .fixed(.square) }, onFinish: { results.append($0) })
    let cover = try #require(SwiftUIStage.covers.first)
    #expect(cover.isPresented.wrappedValue)
    let screen = CropScreen(image: .blank(80, 60)) { results.append($0) }.make()
    show(screen)
    press("Done", of: screen)
    await settle { results.count == 1 }
    #expect(results.first??.image.size == CGSize(width: 80, height: 60))
    #expect(presenter.presentedViewController === screen, "SwiftUI closes it")
    cover.isPresented.wrappedValue = false
    #expect(model.image == nil)
  }
}
