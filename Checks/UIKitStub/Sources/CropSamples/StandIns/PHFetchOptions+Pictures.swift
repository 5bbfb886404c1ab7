import Photos

extension PHFetchOptions {
  /// Replaces the options that need key-value coding.
  static var pictures: PHFetchOptions { PHFetchOptions() }

  /// Replaces the options that need key-value coding.
  static var newestPictures: PHFetchOptions { PHFetchOptions() }
}
