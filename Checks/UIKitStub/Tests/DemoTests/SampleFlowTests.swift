import CropCore
import CropUIKit
import Testing
import UIKit

@testable import CropDemo

/// The example app's flow: choose, draw, crop, keep.
struct SampleFlowTests {
  private let screen = SampleViewController()

  private func cropView() throws -> CroppableImageView {
    screen.view.frame = CGRect(x: 0, y: 0, width: 828, height: 628)
    let view = try #require(screen.view as? CroppableImageView)
    view.imageToCrop = UIImage(cgImage: .blank(800, 600))
    view.layoutIfNeeded()
    return view
  }

  @Test func `the crop button is enabled by the delegate`() throws {
    let view = try cropView()
    #expect(screen.navigationItem.rightBarButtonItem?.isEnabled == false)
    view.cropRect = CGRect(x: 100, y: 100, width: 50, height: 50)
    #expect(screen.navigationItem.rightBarButtonItem?.isEnabled == true)
    view.cropRect = nil
    #expect(screen.navigationItem.rightBarButtonItem?.isEnabled == false)
  }

  @Test func `the sources are the sample, the camera and the library`() throws {
    let view = try cropView()
    screen.navigationItem.leftBarButtonItem?.tap()
    let sheet = try #require(screen.presentedViewController as? UIAlertController)
    #expect(
      sheet.actions.map(\.title) == [
        "Sample image", "Take a new picture", "Select from the library", "Cancel",
      ])
    sheet.actions[1].choose()
    let camera = try #require(screen.presentedViewController as? CameraViewController)
    #expect(camera.startsInFront && !camera.savesToAlbum)
    let taken = UIImage(cgImage: .blank(40, 40))
    camera.onUse?(taken)
    #expect(view.imageToCrop === taken)
    sheet.actions[2].choose()
    #expect(screen.presentedViewController is PhotoPickerController)
  }

  @Test func `a crop asks where to keep it`() throws {
    let view = try cropView()
    view.cropRect = CGRect(x: 100, y: 100, width: 50, height: 50)
    screen.navigationItem.rightBarButtonItem?.tap()
    let sheet = try #require(screen.presentedViewController as? UIAlertController)
    #expect(sheet.actions.map(\.title) == ["Save to the album", "Save to documents", "Cancel"])
    // The flash is over at once here.
    #expect(view.subviews.allSatisfy { $0 is CornerpointView || $0.isHidden })
  }
}
