#if canImport(UIKit)
  import Photos
  import UIKit

  /// Small pictures for cells; the whole one only for the photo that was chosen.
  @MainActor
  final class PhotoLoader {
    private let manager = PHCachingImageManager()

    /// Asks for a small picture, which may come twice: first a rough one, then a sharp one.
    ///
    /// - Parameter side: of the cell, in pixels.
    /// - Returns: a number to cancel the wish with.
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
        // Photos may answer on any thread.
        resultHandler: { @Sendable image, _ in
          guard let image else { return }
          Task { @MainActor in show(image) }
        })
    }

    /// Takes a wish back.
    func cancel(_ request: PHImageRequestID) {
      manager.cancelImageRequest(request)
    }

    /// The file of a photo, loaded now, from the network if it is not here.
    ///
    /// - Returns: the bytes; nil if they can't be had.
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
