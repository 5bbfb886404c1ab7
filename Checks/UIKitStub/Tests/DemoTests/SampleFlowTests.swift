import CropCore
import CropSamples
import CropUIKit
import Foundation
import Testing
import UIKit

@testable import CropDemo

/// The example app's four samples, as their code uses the views.
@Suite(.serialized) struct SampleFlowTests {
  private func settle(_ isSo: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(300)
    while !isSo(), ContinuousClock.now < end {
      await Task.yield()
      try? await Task.sleep(nanoseconds: 100_000)
    }
  }

  // MARK: CropImg

  private func cropImg() throws -> (CropImgViewController, CroppableImageView) {
    let screen = CropImgViewController()
    screen.view.frame = CGRect(x: 0, y: 0, width: 828, height: 628)
    let view = try #require(screen.view as? CroppableImageView)
    view.imageToCrop = UIImage(cgImage: .blank(800, 600))
    view.layoutIfNeeded()
    return (screen, view)
  }

  @Test func `CropImg: the crop button is enabled by the delegate`() throws {
    let (screen, view) = try cropImg()
    #expect(screen.navigationItem.rightBarButtonItem?.isEnabled == false)
    view.cropRect = CGRect(x: 100, y: 100, width: 50, height: 50)
    #expect(screen.navigationItem.rightBarButtonItem?.isEnabled == true)
    view.cropRect = nil
    #expect(screen.navigationItem.rightBarButtonItem?.isEnabled == false)
  }

  @Test func `CropImg: the sources are the sample, the library, and a camera where there is one`()
    throws
  {
    let (screen, _) = try cropImg()
    screen.navigationItem.leftBarButtonItem?.tap()
    let sheet = try #require(screen.presentedViewController as? UIAlertController)
    // Another test may be using a camera.
    #expect(
      sheet.actions.map(\.title).filter { $0 != "Take a new photo" } == [
        "Sample image", "Select from the library", "Save to documents", "Cancel",
      ])
    sheet.actions.first { $0.title == "Select from the library" }?.choose()
    #expect(screen.presentedViewController is PhotoPickerController)
  }

  @Test func `CropImg: a tap flashes, crops, saves and reports`() async throws {
    let (screen, view) = try cropImg()
    view.cropRect = CGRect(x: 100, y: 100, width: 50, height: 50)
    screen.navigationItem.rightBarButtonItem?.tap()
    await settle { screen.presentedViewController is UIAlertController }
    let alert = try #require(screen.presentedViewController as? UIAlertController)
    let reported = [
      "Saved to the album.", "The photo was not saved. Allow adding photos in Settings.",
    ]
    // Another test may have allowed the app to add photos.
    #expect(reported.contains(alert.message ?? ""))
    // Here, the flash finishes immediately.
    #expect(view.subviews.allSatisfy { $0 is CornerpointView || $0.isHidden })
  }

  // MARK: Other samples

  @Test func `Square: the cropper returns the square and closes`() async throws {
    let screen = SquareViewController()
    screen.loadViewIfNeeded()
    screen.imageView.image = UIImage(cgImage: .blank(80, 60))
    screen.navigationItem.rightBarButtonItem?.tap()
    let cropper = try #require(screen.presentedViewController as? SquareCropViewController)
    cropper.view.frame = CGRect(x: 0, y: 0, width: 400, height: 700)
    for _ in 0..<2 { cropper.view.layoutIfNeeded() }
    let buttons = cropper.view.subviews.compactMap { $0 as? UIButton }
    buttons.last?.sendActions(for: .primaryActionTriggered)
    await settle { screen.imageView.image?.size == CGSize(width: 60, height: 60) }
    #expect(screen.imageView.image?.size == CGSize(width: 60, height: 60))
    #expect(screen.presentedViewController == nil)
    screen.navigationItem.rightBarButtonItem?.tap()
    let other = screen.presentedViewController as? SquareCropViewController
    other?.view.subviews.compactMap { $0 as? UIButton }.first?
      .sendActions(for: .primaryActionTriggered)
    #expect(screen.title == "Cancelled" && screen.presentedViewController == nil)
  }

  @Test func `MMSCropView: crop shows the part below, whole until something is drawn`() {
    let screen = MMSViewController()
    screen.imageView.image = UIImage(cgImage: .blank(800, 600))
    screen.view.frame = CGRect(x: 0, y: 0, width: 800, height: 1208)
    for _ in 0..<2 { screen.view.layoutIfNeeded() }
    screen.navigationItem.rightBarButtonItem?.tap()
    #expect(screen.croppedView.image?.size == CGSize(width: 800, height: 600))
    screen.imageView.cropView.recipe = CropRecipe(
      rect: FrameRect(x: 10, y: 20, width: 300, height: 100))
    screen.navigationItem.rightBarButtonItem?.tap()
    #expect(screen.croppedView.image?.size == CGSize(width: 300, height: 100))
    screen.navigationItem.leftBarButtonItem?.tap()
    #expect(screen.imageView.usesArticleLook)
  }

  @Test func `CameraDemo: the album is pushed, and the notification brings the picture`() async {
    let screen = CameraDemoViewController()
    let bar = UINavigationController(rootViewController: screen)
    screen.navigationItem.leftBarButtonItem?.tap()
    #expect(bar.topViewController is AlbumViewController)
    let clipped = UIImage(cgImage: .blank(3, 3))
    await settle {
      guard screen.imageView.image !== clipped else { return true }
      // Repeated, since a test of the album may post its own picture at the same time.
      NotificationCenter.default.post(
        name: Notification.Name("PicutreFromAlbum"), object: nil, userInfo: ["image": clipped])
      return false
    }
    #expect(screen.imageView.image === clipped)
  }

  @Test func `the app's files exist`() {
    #expect(SampleFiles.shutter != nil)
  }
}
