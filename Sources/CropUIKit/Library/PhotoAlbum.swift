#if canImport(UIKit)
  import Photos
  import UIKit

  /// An album, or the camera roll, as assets: no picture is loaded.
  @MainActor
  public struct PhotoAlbum {
    /// The name people gave it.
    public let title: String
    /// The pictures: in the album's order, in the camera roll the newest first.
    public let assets: PHFetchResult<PHAsset>

    /// Every user album, then the camera roll.
    ///
    /// - Parameter cameraRoll: the name to show for the camera roll.
    public static func all(cameraRoll: String) -> [PhotoAlbum] {
      var albums: [PhotoAlbum] = []
      let own = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
      for index in 0..<own.count {
        let collection = own.object(at: index)
        albums.append(
          PhotoAlbum(
            title: collection.localizedTitle ?? "",
            assets: PHAsset.fetchAssets(in: collection, options: .pictures)))
      }
      let roll = PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: nil)
      if let collection = roll.firstObject {
        albums.append(
          PhotoAlbum(
            title: cameraRoll,
            assets: PHAsset.fetchAssets(in: collection, options: .newestPictures)))
      }
      return albums
    }

    /// Saves a picture to the photo album, once the person has allowed adding.
    public static func save(_ image: UIImage) {
      Task {
        let answer = await PHPhotoLibrary.requestAuthorization(for: .addOnly)
        guard answer == .authorized || answer == .limited else { return }
        try? await PHPhotoLibrary.shared().performChanges { @Sendable in
          _ = PHAssetChangeRequest.creationRequestForAsset(from: image)
        }
      }
    }
  }
#endif
