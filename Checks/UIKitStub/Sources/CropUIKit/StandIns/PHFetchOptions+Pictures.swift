import Photos

extension PHFetchOptions {
  /// Stands in for the options that need key-value coding.
  static var pictures: PHFetchOptions { PHFetchOptions() }

  /// Stands in for the options that need key-value coding.
  static var newestPictures: PHFetchOptions { PHFetchOptions() }
}
