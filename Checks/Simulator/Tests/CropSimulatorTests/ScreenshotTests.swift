import CropCore
import CropSamples
import CropUIKit
import Foundation
import Testing
import UIKit

/// The screens with a portrait photo, drawn by Apple's frameworks. Screenshots go to the folder in
/// `CROPKIT_SCREENS`.
struct ScreenshotTests {
  /// A street: 1 : EXIF orientation 6, so the image is stored on its side.
  private var street: Data {
    get throws {
      let url = try #require(Bundle.module.url(forResource: "upright-street", withExtension: "jpg"))
      return try Data(contentsOf: url)
    }
  }

  @Test func `a portrait photo is upright, and so is its crop`() async throws {
    let view = CropView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    view.imageData = try street
    view.layoutIfNeeded()
    let whole = try #require(view.recipe?.rect)
    #expect(whole.height > whole.width)
    view.execute(.ratio(.fixed(.square)))
    let square = try #require(try await view.croppedImage())
    #expect(square.size.width == square.size.height && square.size.width == whole.width)
    let file = try #require(try await view.croppedData())
    #expect(UIImage(data: file)?.size == square.size)
  }

  @Test(arguments: [UIUserInterfaceStyle.light, .dark])
  func `the crop screen is drawn, light and dark`(style: UIUserInterfaceStyle) async throws {
    let screen = CropViewController(data: try street)
    try await draw(screen, style, "crop")
  }

  @Test func `the clip screen and the square cropper are drawn`() async throws {
    let clip = ClipViewController()
    clip.isFresh = true
    clip.imageData = try street
    try await draw(clip, .dark, "clip")
    let square = SquareCropViewController()
    square.cropView.imageData = try street
    try await draw(square, .light, "square")
  }

  private func draw(
    _ screen: UIViewController, _ style: UIUserInterfaceStyle, _ name: String
  ) async throws {
    let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    let window = UIWindow(frame: bounds)
    window.overrideUserInterfaceStyle = style
    window.rootViewController = screen
    window.isHidden = false
    window.layoutIfNeeded()
    // The preview is made on another thread.
    for _ in 0..<6000 where !isShown(in: screen.view) {
      try await Task.sleep(nanoseconds: 10_000_000)
      window.layoutIfNeeded()
    }
    #expect(isShown(in: screen.view))
    let picture = UIGraphicsImageRenderer(bounds: bounds).image { _ in
      window.drawHierarchy(in: bounds, afterScreenUpdates: true)
    }
    guard let folder = ProcessInfo.processInfo.environment["CROPKIT_SCREENS"] else { return }
    let suffix = style == .dark ? "dark" : "light"
    try picture.pngData()?.write(to: URL(fileURLWithPath: "\(folder)/\(name)-\(suffix).png"))
  }

  /// Whether a layer contains the image's pixels.
  private func isShown(in view: UIView) -> Bool {
    func holds(_ layer: CALayer) -> Bool {
      (layer.contents != nil && !layer.isHidden) || (layer.sublayers ?? []).contains(where: holds)
    }
    return holds(view.layer)
  }
}
