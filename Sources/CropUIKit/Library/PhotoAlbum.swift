#if canImport(UIKit)
  import Photos
  import UIKit

  /// An album, or the camera roll, as assets: no picture is loaded.
  ///
  /// Results of a fetch never change and may be used on any thread.
  public struct PhotoAlbum: @unchecked Sendable {
    /// The name people gave it.
    public let title: String
    /// The pictures: in the album's order, in the camera roll the newest first.
    public let assets: PHFetchResult<PHAsset>

    /// Every user album, then the camera roll; fetched away from the main thread.
    ///
    /// - Parameter cameraRoll: the name to show for the camera roll.
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

    /// Saves a picture to the photo album; the person is asked when it is first needed.
    ///
    /// - Throws: ``PictureError/noAccess`` without permission, else what Photos reports.
    public static func save(_ image: UIImage) async throws {
      try await change { _ = PHAssetChangeRequest.creationRequestForAsset(from: image) }
    }

    /// Saves a picture's file to the photo album as it is, with its metadata.
    ///
    /// - Throws: ``PictureError/noAccess`` without permission, else what Photos reports.
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

  /// Listens to the photo library as long as it is kept.
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
      // A change is a value that nobody changes.
      nonisolated(unsafe) let change = changeInstance
      Task { @MainActor in changed(change) }
    }
  }
#endif
