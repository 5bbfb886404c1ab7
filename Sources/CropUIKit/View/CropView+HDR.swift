#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Shows an HDR photo in HDR: first as any other image, and brighter once its gain map is applied.
  extension CropView {
    /// The image that the layers show.
    var shownPicture: CropPicture? { bright ?? picture }

    /// Shows the image in HDR, or no longer, after the image, the screen or the setting has changed.
    func followHDR() {
      guard let picture, showsHDR else { return dim() }
      // Outside a window, the screen is not known yet.
      guard let window else { return }
      guard Self.isHDR(window) else { return dim() }
      if picture.isStoredInHDR { return layers.isHDR = true }
      guard bright == nil, brightening == nil else { return }
      brightening = Task { [weak self] in
        let made = await picture.inHDR()
        guard let self, !Task.isCancelled else { return }
        brightening = nil
        guard let made else { return }
        bright = made.picture
        layers.isHDR = true
        layers.show(made.picture, as: made.preview)
        detail.forget()
        redraw()
      }
    }

    /// Whether the screen can show pixels brighter than white.
    private static func isHDR(_ window: UIWindow) -> Bool {
      #if os(visionOS)
        return true
      #else
        return (window.windowScene?.screen.potentialEDRHeadroom ?? 1) > 1
      #endif
    }

    /// Shows the image without HDR.
    private func dim() {
      brightening?.cancel()
      brightening = nil
      layers.isHDR = false
      guard bright != nil else { return }
      bright = nil
      detail.forget()
      if let picture { preview(picture) }
    }
  }

  extension CALayer {
    /// Lets the layer's contents be brighter than white, where the system can, or not.
    func setHDR(_ isHDR: Bool) {
      if #available(iOS 26.0, visionOS 26.0, *) {
        preferredDynamicRange = isHDR ? .high : .standard
      } else if #available(iOS 17.0, *) {
        wantsExtendedDynamicRangeContent = isHDR
      }
    }
  }
#endif
