#if canImport(UIKit)
  import CropUIKit
  import Photos
  import UIKit

  /// An album, or the camera roll, as a list of assets; no image is loaded.
  ///
  /// The results of a fetch never change and may be used on any thread.
  public struct PhotoAlbum: @unchecked Sendable {
    /// The album's title.
    public let title: String
    /// The photos: in the order of the album; in the camera roll, the newest first.
    public let assets: PHFetchResult<PHAsset>

    /// Fetches all of the user's albums, then the camera roll, outside the main thread.
    ///
    /// - Parameter cameraRoll: the title for the camera roll.
    @concurrent
    public static func all(cameraRoll: String) async -> [PhotoAlbum] {
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

    /// The album after a change of the library; nil if the change does not concern it.
    func after(_ change: PHChange) -> PhotoAlbum? {
      change.changeDetails(for: assets).map {
        PhotoAlbum(title: title, assets: $0.fetchResultAfterChanges)
      }
    }

    /// Saves an image to the photo album; asks the user for permission on first use.
    ///
    /// - Throws: `PictureError.noAccess` without permission, otherwise the error of Photos.
    public static func save(_ image: UIImage) async throws {
      try await change { _ = PHAssetChangeRequest.creationRequestForAsset(from: image) }
    }

    /// Saves an image file to the photo album unchanged, with its metadata.
    ///
    /// - Throws: `PictureError.noAccess` without permission, otherwise the error of Photos.
    public static func save(_ file: Data) async throws {
      try await change {
        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil)
      }
    }

    private static func change(_ change: @escaping @Sendable () -> Void) async throws {
      let answer = await PHPhotoLibrary.requestAuthorization(for: .addOnly)
      guard answer == .authorized || answer == .limited else { throw PictureError.noAccess }
      try await PHPhotoLibrary.shared().performChanges(change)
    }
  }

  /// Observes the photo library as long as this object exists.
  final class PhotoLibraryObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let changed: @MainActor @Sendable (PHChange) -> Void

    init(_ changed: @escaping @MainActor @Sendable (PHChange) -> Void) {
      self.changed = changed
      super.init()
      PHPhotoLibrary.shared().register(self)
    }

    deinit {
      PHPhotoLibrary.shared().unregisterChangeObserver(self)
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
      // A change is an immutable value.
      nonisolated(unsafe) let change = changeInstance
      Task { @MainActor in changed(change) }
    }
  }
#endif
