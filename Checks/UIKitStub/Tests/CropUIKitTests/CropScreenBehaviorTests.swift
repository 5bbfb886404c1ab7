import CropCore
import Foundation
import PhotosUI
import SwiftUI
import Testing
import UIKit

@testable import CheckedCropUIKit

/// How the crop screen behaves beside the system's own screens.
struct CropScreenBehaviorTests: ScreenPresenting {
  let presenter = UIViewController()

  private func button(_ name: String, of screen: UIViewController) throws -> UIButton {
    try #require(views(UIButton.self, in: screen.view).first { $0.accessibilityLabel == name })
  }

  // MARK: Presentation

  @Test func `inside a container, the container keeps its presentation, and edits hold it`() throws
  {
    final class Sheet: UIAdaptivePresentationControllerDelegate {}
    let (container, sheet) = (UIViewController(), Sheet())
    let screen = CropViewController(image: .blank(80, 60))
    container.addChild(screen)
    container.presentationController?.delegate = sheet
    presenter.present(container, animated: false)
    screen.loadViewIfNeeded()
    screen.viewWillAppear(false)
    #expect(screen.presentationController?.delegate !== screen)
    #expect(container.presentationController?.delegate === sheet)
    #expect(!container.isModalInPresentation)
    screen.cropView.execute(.turn(clockwise: true))
    #expect(container.isModalInPresentation, "a swipe down must not throw it away")
    screen.viewDidDisappear(false)
    #expect(!container.isModalInPresentation, "the next screen of the container is free")
  }

  @Test func `edges of the screen belong to the handles`() {
    #expect(
      CropViewController(image: .blank(80, 60)).preferredScreenEdgesDeferringSystemGestures == .all)
  }

  @Test func `the screen grows from a thumbnail`() throws {
    let thumbnail = UIView()
    let screen = CropViewController(image: .blank(80, 60))
    screen.sourceView = thumbnail
    #if os(iOS)
      #expect(screen.preferredTransition != nil)
    #endif
    #expect(screen.sourceView === thumbnail)
  }

  @Test func `a photo from the system's picker is cropped, without a permission`() async throws {
    let data = Data("from the picker".utf8)
    PictureFileContents.register(PictureFileContents(.blank(60, 40)), as: data)
    let waiting = Task { try await CropViewController.cropFromLibrary(from: presenter) }
    await settle { presenter.presentedViewController is PHPickerViewController }
    let picker = try #require(presenter.presentedViewController as? PHPickerViewController)
    #expect(picker.configuration.filter == .images)
    #expect(picker.configuration.preferredAssetRepresentationMode == .current)
    picker.delegate?.picker(picker, didFinishPicking: [PHPickerResult(NSItemProvider(data))])
    await settle { presenter.presentedViewController is CropViewController }
    let screen = try #require(presenter.presentedViewController as? CropViewController)
    screen.finish()
    let result = try #require(try await waiting.value)
    #expect(result.image.size == CGSize(width: 60, height: 40) && result.data != nil)
  }

  @Test func `the system's picker is cancelled, swiped away, or fails`() async throws {
    func pick(_ act: (PHPickerViewController) -> Void) async throws -> CropResult? {
      let waiting = Task { try await CropViewController.cropFromLibrary(from: presenter) }
      await settle { presenter.presentedViewController is PHPickerViewController }
      act(try #require(presenter.presentedViewController as? PHPickerViewController))
      return try await waiting.value
    }
    #expect(try await pick { $0.delegate?.picker($0, didFinishPicking: []) } == nil)
    let swiped = try await pick { picker in
      guard let presentation = picker.presentationController else { return }
      presentation.delegate?.presentationControllerDidDismiss(presentation)
      presenter.dismiss(animated: false)
    }
    #expect(swiped == nil)
    await #expect(throws: PictureError.unreadable) {
      _ = try await pick {
        $0.delegate?.picker($0, didFinishPicking: [PHPickerResult(NSItemProvider(nil))])
      }
    }
  }

  // MARK: Bars

  @Test func `the bars fit on the narrowest phone, in every language`() throws {
    for words in [CropWords.english, .german, .french, .japanese] {
      let screen = CropViewController(image: .blank(80, 60))
      screen.words = words
      layOut(screen, 320, 568)
      for button in views(UIButton.self, in: screen.view) {
        #expect(button.configuration?.title == nil, "words don't fit")
        #expect(button.accessibilityLabel?.isEmpty == false)
      }
      let dial = try #require(views(StraightenDial.self, in: screen.view).first)
      let bar = try #require(dial.superview as? UIStackView)
      // What is required in the bar: 44 points for each button, and the space between.
      let buttons = CGFloat(views(UIButton.self, in: bar).count)
      #expect(buttons * 44 + buttons * bar.spacing <= 320 - 32)
      #expect(dial.constraints.contains { $0.constant == 160 })
      for constraint in dial.constraints where constraint.constant == 160 {
        #expect(constraint.priority.rawValue < UILayoutPriority.required.rawValue)
      }
    }
  }

  @Test func `both rotations and both mirrors may be offered`() throws {
    let screen = CropViewController(image: .blank(80, 60))
    screen.tools = [.cancel, .done, .turn, .turnLeft, .mirror, .mirrorVertically]
    show(screen)
    func press(_ name: String) throws {
      try button(name, of: screen).sendActions(for: .primaryActionTriggered)
    }
    try press("Rotate left")
    #expect(screen.recipe?.quarterTurns == 3)
    try press("Rotate")
    try press("Flip vertically")
    // Top to bottom is left–right and half a turn.
    #expect(screen.recipe?.isMirrored == true && screen.recipe?.quarterTurns == 2)
    try press("Flip horizontally")
    #expect(screen.recipe?.isMirrored == false && screen.recipe?.quarterTurns == 2)
  }

  @Test func `steps of a gesture don't rebuild the menu of ratios`() throws {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    let menu = try #require(try button("Ratio", of: screen).menu)
    screen.cropView.execute(.set(.width, 300))
    #expect(try button("Ratio", of: screen).menu === menu)
    screen.ratio = .fixed(16, 9)
    #expect(try button("Ratio", of: screen).menu !== menu)
    #expect(screen.ratio == AspectRatio(16, 9).map { .fixed($0) })
  }

  // MARK: The result

  @Test func `while the result is made, only Cancel works, and Done shows it`() async throws {
    let screen = CropViewController(image: .blank(80, 60))
    var results = 0
    screen.onFinish = { _ in results += 1 }
    show(screen)
    let done = try button("Done", of: screen)
    screen.finish()
    #expect(done.configuration?.showsActivityIndicator == true)
    #expect(!screen.cropView.isUserInteractionEnabled && screen.isModalInPresentation)
    let enabled = views(UIButton.self, in: screen.view).filter(\.isEnabled)
    #expect(enabled.compactMap(\.accessibilityLabel) == ["Cancel"])
    await settle { results == 1 && screen.cropView.isUserInteractionEnabled }
    #expect(done.configuration?.showsActivityIndicator == false)
  }

  @Test func `a result that can't be made is shown and reported`() async throws {
    final class Listener: CropViewControllerDelegate {
      var error: (any Error)?
      func cropViewController(_ controller: CropViewController, didFailWith error: any Error) {
        self.error = error
      }
    }
    let (screen, listener) = (CropViewController(image: .blank(80, 60)), Listener())
    screen.delegate = listener
    screen.canvas = ResultCanvas(.ratio(.square), margin: .percent(60))
    show(screen)
    screen.finish()
    await settle { listener.error != nil }
    #expect(listener.error as? PictureError == .canvas)
    #expect(screen.presentedViewController is UIAlertController)
    #expect(presenter.presentedViewController === screen)
  }

  @Test func `the image and the file of a result have the same pixels, made once`() async throws {
    let data = Data("one decode".utf8)
    PictureFileContents.register(
      PictureFileContents(.blank(60, 80), auxiliary: ["Disparity"]), as: data)
    let view = CropView()
    view.imageData = data
    view.execute(.set(.width, 30))
    let result = try #require(try await view.result())
    let written = try #require(result.data.flatMap { PictureFileContents.of($0) })
    #expect(written.image === result.image.cgImage && written.image.width == 30)
    #expect(result.lost == [.depth])
  }

  @Test func `steps are reported while the screen is used`() throws {
    final class Listener: CropViewControllerDelegate {
      var reported: [String] = []
      func cropViewControllerDidBeginGesture(_ controller: CropViewController) {
        reported.append("began")
      }
      func cropViewControllerDidEndGesture(_ controller: CropViewController) {
        reported.append("ended")
      }
      func cropViewController(_ controller: CropViewController, didChange recipe: CropRecipe?) {
        if reported.last != "changed" { reported.append("changed") }
      }
    }
    let (screen, listener) = (CropViewController(image: .blank(800, 600)), Listener())
    screen.tools = []
    screen.style = .marquee
    var hand = Hand(on: screen.view)
    screen.viewWillAppear(false)
    screen.delegate = listener
    hand.drag(314, 214, to: 414, 314)
    #expect(listener.reported == ["began", "changed", "ended"])
  }

  @Test func `Objective-C gets the image and the file, or nothing`() async throws {
    let screen = CropViewController(image: .blank(80, 60))
    var answers: [UIImage?] = []
    screen.completionHandler = { image, _ in answers.append(image) }
    show(screen)
    screen.finish()
    await settle { answers.count == 1 }
    #expect(answers.first??.size == CGSize(width: 80, height: 60))
    let other = CropViewController(image: .blank(80, 60))
    other.completionHandler = { image, _ in answers.append(image) }
    show(other)
    other.cancel()
    #expect(answers.count == 2 && answers[1] == nil)
  }

  // MARK: SwiftUI

  @Test func `SwiftUI: a screen shows another image, and reports to the current closure`() throws {
    var reported: [String] = []
    let screen = CropScreen(image: .blank(80, 60)) { _ in reported.append("first") }.make()
    let image = UIImage.blank(40, 30)
    CropScreen(image: image) { _ in reported.append("second") }.update(screen)
    #expect(screen.cropView.image === image)
    screen.viewWillAppear(false)
    screen.cancel()
    #expect(reported == ["second"])
  }
}
