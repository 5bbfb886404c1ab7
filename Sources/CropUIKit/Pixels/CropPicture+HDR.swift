#if canImport(UIKit)
  import CropCore
  import ImageIO
  import UIKit

  /// The image as an HDR screen shows it. Results are made from the stored pixels and the gain map.
  extension CropPicture {
    /// Whether the stored pixels may be brighter than white, without a gain map.
    var isStoredInHDR: Bool {
      guard #available(iOS 17.0, *) else { return false }
      return image.isHighDynamicRange
    }

    /// The same image with its gain map applied, and a preview of it; nil for an image without one,
    /// or if the system can't apply it.
    @concurrent
    func inHDR() async -> (picture: CropPicture, preview: CGImage)? {
      guard #available(iOS 17.0, *), !isStoredInHDR,
        let source = data.flatMap(PictureFile.source(of:)),
        PictureFile.Part.gainMap.isPresent(in: source)
      else { return nil }
      let options = [kCGImageSourceDecodeRequest as String: kCGImageSourceDecodeToHDR]
      // Decoded when it is drawn.
      let bright = CGImageSourceCreateImageAtIndex(
        source, 0, NSDictionary(dictionary: options) as CFDictionary)
      guard let bright, bright.isHDR, bright.width == bitmap.width, bright.height == bitmap.height
      else { return nil }
      let picture = CropPicture(self, pixels: bright)
      return await picture.preview().map { (picture, $0) }
    }
  }

  extension CGImage {
    /// Whether its pixels may be brighter than white.
    var isHDR: Bool {
      guard let colorSpace else { return false }
      return CGColorSpaceUsesITUR_2100TF(colorSpace) || CGColorSpaceUsesExtendedRange(colorSpace)
    }
  }
#endif
