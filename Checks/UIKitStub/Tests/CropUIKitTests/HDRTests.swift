import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// HDR photos on screens with and without HDR.
struct HDRTests {
  /// A photo of different pixels with a gain map, stored on its side.
  private static let stored = CGImage.drawn(8, 6) { column, row in
    UInt32(row * 100 + column + 1)
  }

  private func photo(
    _ name: String, _ image: CGImage = stored, maps: Set<String> = ["HDRGainMap"],
    isApplied: Bool = true
  ) -> Data {
    let data = Data(name.utf8)
    var contents = PictureFileContents(image, orientation: 6, auxiliary: maps)
    contents.appliesGainMaps = isApplied
    PictureFileContents.register(contents, as: data)
    return data
  }

  /// A window on a screen that shows white up to so many times brighter.
  private func window(_ headroom: CGFloat) -> (UIWindow, UIWindowScene) {
    let (window, scene) = (
      UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 600)), UIWindowScene()
    )
    scene.screen.potentialEDRHeadroom = headroom
    window.windowScene = scene
    return (window, scene)
  }

  private func layers(of view: CropView) -> [CALayer] {
    [view.layers.picture, view.layers.detail, view.layers.lens.picture, view.layers.lens.detail]
  }

  private func shown(in view: CropView) -> CGImage? { view.layers.picture.contents as? CGImage }

  private func rows(_ image: CGImage?) -> [[UInt32?]] {
    guard let image else { return [] }
    return (0..<image.height).map { row in (0..<image.width).map { image.pixel($0, row) } }
  }

  @Test(arguments: ["HDRGainMap", "ISOGainMap"])
  func `a photo with a gain map is shown in HDR, and without it on request`(map: String) async {
    let view = CropView()
    view.imageData = photo("bright by \(map)", maps: [map])
    await settle { shown(in: view) != nil }
    #expect(shown(in: view)?.isHDR == false, "outside a window, the screen is not known")
    let (window, scene) = window(8)
    window.addSubview(view)
    await settle { shown(in: view)?.isHDR == true }
    #expect(layers(of: view).allSatisfy { $0.preferredDynamicRange == .high })
    #expect(rows(shown(in: view)) == rows(Self.stored.oriented(by: 6)))
    view.showsHDR = false
    #expect(layers(of: view).allSatisfy { $0.preferredDynamicRange == .standard })
    await settle { shown(in: view)?.isHDR == false }
    view.showsHDR = true
    await settle { shown(in: view)?.isHDR == true }
    // The next image starts without it.
    view.image = .blank(80, 60)
    #expect(!view.layers.isHDR && view.bright == nil)
    withExtendedLifetime(scene) {}
  }

  @Test func `a screen without HDR shows the stored pixels`() async {
    let view = CropView()
    let (window, scene) = window(1)
    window.addSubview(view)
    view.imageData = photo("on a usual screen")
    #expect(view.brightening == nil)
    await settle { shown(in: view) != nil }
    #expect(shown(in: view)?.isHDR == false && !view.layers.isHDR)
    withExtendedLifetime(scene) {}
  }

  @Test func `a photo without a gain map, or with one that the system can't apply, stays as it is`()
    async
  {
    for data in [photo("no map", maps: ["Depth"]), photo("unknown map", isApplied: false)] {
      let view = CropView()
      let (window, scene) = window(8)
      window.addSubview(view)
      view.imageData = data
      await view.brightening?.value
      await settle { shown(in: view) != nil }
      #expect(shown(in: view)?.isHDR == false && !view.layers.isHDR)
      withExtendedLifetime(scene) {}
    }
  }

  @Test func `an image whose pixels are HDR is shown so, and so is its crop`() async throws {
    let view = CropView()
    let (window, scene) = window(8)
    window.addSubview(view)
    view.image = UIImage(cgImage: Self.stored.read(as: .bright))
    #expect(view.layers.isHDR && view.brightening == nil)
    view.execute(.set(.width, 4))
    #expect(try await view.croppedImage()?.cgImage?.isHDR == true)
    view.showsHDR = false
    #expect(!view.layers.isHDR)
    withExtendedLifetime(scene) {}
  }

  @Test func `zoomed in, the stored pixels are brightened too`() async throws {
    let view = CropView()
    let data = photo("48 megapixels in HDR", .blank(8000, 6000))
    var hand = Hand(on: view, at: CGRect(x: 0, y: 0, width: 400, height: 600))
    let scene = UIWindowScene()
    scene.screen.potentialEDRHeadroom = 4
    hand.window.windowScene = scene
    view.imageData = data
    await settle { shown(in: view)?.isHDR == true }
    #expect(shown(in: view)?.height == 4096)
    view.layoutIfNeeded()
    hand.resume()
    view.execute(.zoom(30))
    hand.wait(2, for: view)
    await view.detail.finish()
    let detail = try #require(view.layers.detail.contents as? CGImage)
    #expect(detail.isHDR && detail.width < 1000 && !view.layers.detail.isHidden)
    withExtendedLifetime(scene) {}
  }

  @Test func `results are made from the stored pixels, and keep the gain map`() async throws {
    let data = Data("bright result".utf8)
    var contents = PictureFileContents(.blank(64, 48), auxiliary: ["HDRGainMap"])
    contents.auxiliaryInfo["HDRGainMap"] = [
      "InfoData": Data(count: 32 * 24),
      "InfoDataDescription": [
        "PixelFormat": NSNumber(value: 0x4C30_3038), "Width": 32, "Height": 24, "BytesPerRow": 32,
      ],
    ]
    PictureFileContents.register(contents, as: data)
    let view = CropView()
    let (window, scene) = window(8)
    window.addSubview(view)
    view.imageData = data
    await settle { view.layers.isHDR }
    view.execute(.set(.width, 32))
    let result = try #require(try await view.result())
    #expect(result.image.cgImage?.isHDR == false && result.lost.isEmpty)
    let written = try #require(result.data.flatMap { PictureFileContents.of($0) })
    #expect(written.auxiliary == ["HDRGainMap"])
    withExtendedLifetime(scene) {}
  }

  @Test func `floating-point pixels stay brighter than white when they are drawn`() throws {
    let image = UIImage(cgImage: Self.stored.read(as: .floating))
    let picture = try #require(CropPicture(image))
    let tilted = CropRecipe(tilt: CropAngle(degrees: 3))
    let drawn = try #require(try picture.cut(by: tilted).cgImage)
    #expect(drawn.bitmapInfo.contains(.floatComponents) && drawn.isHDR)
    // Of integers, they can only be as bright as white.
    let usual = try #require(CropPicture(UIImage(cgImage: Self.stored)))
    #expect(try usual.cut(by: tilted).cgImage?.bitmapInfo.contains(.floatComponents) == false)
  }

  @Test func `MMSCropView: the preferred range of an image view is that of its crop view`() {
    let view = MMSCropImageView(image: .blank(8, 6))
    #expect(view.cropView.showsHDR)
    view.preferredImageDynamicRange = .standard
    #expect(!view.cropView.showsHDR)
    view.preferredImageDynamicRange = .high
    #expect(view.cropView.showsHDR)
  }
}
