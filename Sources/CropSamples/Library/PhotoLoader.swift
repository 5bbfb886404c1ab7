#if canImport(UIKit)
  import Photos
  import UIKit

  /// Loads thumbnails for cells, and the original only for the chosen photo.
  @MainActor
  final class PhotoLoader {
    private let manager = PHCachingImageManager()

    /// Requests a thumbnail, which may be delivered twice: first a rough one, then a sharp one.
    ///
    /// - Parameter side: the side of the cell, in pixels.
    /// - Returns: an identifier to cancel the request.
    func thumbnail(
      of asset: PHAsset, side: CGFloat, _ show: @escaping @MainActor @Sendable (UIImage) -> Void
    ) -> PHImageRequestID {
      let options = PHImageRequestOptions()
      options.deliveryMode = .opportunistic
      options.resizeMode = .fast
      options.isNetworkAccessAllowed = true
      return manager.requestImage(
        for: asset, targetSize: CGSize(width: side, height: side), contentMode: .aspectFill,
        options: options,
        // Photos may call back on any thread.
        resultHandler: { @Sendable image, _ in
          guard let image else { return }
          Task { @MainActor in show(image) }
        })
    }

    func cancel(_ request: PHImageRequestID) {
      manager.cancelImageRequest(request)
    }

    /// Loads the file of a photo, from the network if necessary.
    ///
    /// - Returns: the bytes; nil if they are unavailable.
    func original(of asset: PHAsset) async -> Data? {
      let options = PHImageRequestOptions()
      options.isNetworkAccessAllowed = true
      options.deliveryMode = .highQualityFormat
      options.version = .current
      return await withCheckedContinuation { continuation in
        manager.requestImageDataAndOrientation(for: asset, options: options) {
          @Sendable data, _, _, _ in
          continuation.resume(returning: data)
        }
      }
    }
  }
#endif
