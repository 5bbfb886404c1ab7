#if canImport(UIKit)
  import CropCore
  import ImageIO
  import UIKit

  /// An image in a view: the `UIImage`, the bytes of its file, if any, and the values that the core
  /// needs.
  package struct CropPicture: Sendable {
    /// The image, in any orientation.
    let image: UIImage
    /// The bytes of its file; nil if it came as an image.
    let data: Data?
    /// The stored pixels.
    let bitmap: CGImage
    /// The orientation of the stored pixels.
    let orientation: Orientation
    /// The size of the upright image, in pixels.
    package let size: ImageSize

    /// An image; nil for one without pixels.
    package init?(_ image: UIImage) {
      self.init(image, data: nil)
    }

    /// An image from the bytes of a file; nil if the system can't decode them.
    init?(_ data: Data) {
      guard let image = UIImage(data: data) else { return nil }
      self.init(image, data: data)
    }

    private init?(_ image: UIImage, data: Data?) {
      guard let bitmap = image.bitmap else { return nil }
      let orientation = image.cgImage == nil ? Orientation.up : Orientation(image.imageOrientation)
      let stored = BitmapSize(width: bitmap.width, height: bitmap.height)
      guard !stored.isEmpty else { return nil }
      self.image = image
      self.data = data
      self.bitmap = bitmap
      self.orientation = orientation
      size = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored).target
    }

    /// The same image with other pixels, of the same size and orientation.
    init(_ picture: CropPicture, pixels: CGImage) {
      (image, data, bitmap) = (picture.image, picture.data, pixels)
      (orientation, size) = (picture.orientation, picture.size)
    }

    /// The stored pixels if they can be shown immediately: they are upright and decode quickly.
    var immediateBitmap: CGImage? {
      let side = max(bitmap.width, bitmap.height)
      return orientation == .up && side <= Self.immediateSide ? bitmap : nil
    }

    /// The longest side in pixels of an image that decodes without a noticeable delay.
    static let immediateSide = 2048

    /// Whether the image may have transparent pixels.
    var isTranslucent: Bool {
      switch bitmap.alphaInfo {
      case .none, .noneSkipFirst, .noneSkipLast: false
      default: true
      }
    }

    /// The longest side of a preview in pixels: more than any screen of a phone or tablet shows.
    static let previewSide = 4096

    /// An upright copy, decoded, no larger than a screen needs; the stored pixels if there is not
    /// enough memory for one, nil if those have another orientation.
    ///
    /// `UIImage.preparingThumbnail(of:)` does not document the orientation of its pixels.
    @concurrent
    func preview() async -> CGImage? {
      let recipe = CropRecipe(output: .maxSide(Self.previewSide))
      return thumbnail ?? (try? uprightCut(by: recipe)) ?? (orientation == .up ? bitmap : nil)
    }

    /// An upright copy of the file's image, reduced while it is decoded.
    private var thumbnail: CGImage? {
      guard let source = data.flatMap(PictureFile.source(of:)) else { return nil }
      var options: [String: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways as String: true,
        kCGImageSourceCreateThumbnailWithTransform as String: true,
        kCGImageSourceThumbnailMaxPixelSize as String: Self.previewSide,
        kCGImageSourceShouldCacheImmediately as String: true,
      ]
      if #available(iOS 17.0, *), bitmap.isHDR {
        options[kCGImageSourceDecodeRequest as String] = kCGImageSourceDecodeToHDR
      }
      let made = CGImageSourceCreateThumbnailAtIndex(
        source, 0, NSDictionary(dictionary: options) as CFDictionary)
      // One without HDR would replace pixels that have it.
      return made.flatMap { bitmap.isHDR && !$0.isHDR ? nil : $0 }
    }
  }

  extension CropPicture: Equatable {
    package static func == (a: Self, b: Self) -> Bool { a.image === b.image && a.data == b.data }
  }

  extension UIImage {
    /// The stored pixels; the image is drawn first if it has none.
    var bitmap: CGImage? {
      if let cgImage { return cgImage }
      guard size.width > 0, size.height > 0 else { return nil }
      let format = UIGraphicsImageRendererFormat.preferred()
      format.scale = scale
      return UIGraphicsImageRenderer(size: size, format: format)
        .image { _ in draw(at: .zero) }.cgImage
    }
  }

  extension Orientation {
    /// UIKit's orientation as the core's: the same eight under the same names, with other numbers.
    init(_ orientation: UIImage.Orientation) {
      self = Self.allCases.first { UIImage.Orientation($0) == orientation } ?? .up
    }
  }

  extension UIImage.Orientation {
    /// The core's orientation as UIKit's.
    init(_ orientation: CropCore.Orientation) {
      self =
        switch orientation {
        case .up: .up
        case .upMirrored: .upMirrored
        case .down: .down
        case .downMirrored: .downMirrored
        case .left: .left
        case .leftMirrored: .leftMirrored
        case .right: .right
        case .rightMirrored: .rightMirrored
        }
    }
  }
#endif
