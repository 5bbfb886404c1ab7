#if canImport(UIKit)
  import Photos

  extension PHFetchOptions {
    /// Photos without videos, in the album's order.
    static var pictures: PHFetchOptions {
      let options = PHFetchOptions()
      options.predicate = NSPredicate(format: "mediaType = %d", PHAssetMediaType.image.rawValue)
      return options
    }

    /// Photos without videos, the newest first.
    static var newestPictures: PHFetchOptions {
      let options = pictures
      options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
      return options
    }
  }
#endif
