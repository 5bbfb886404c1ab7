import CropImaging

/// Which folders are which albums.
enum AlbumNames {
  /// The folder for what is taken or sent here.
  static let camera = PathBytes("Camera")
  /// The folder for what is cropped here.
  static let cropped = PathBytes("Cropped")

  /// What the album of a folder is called in addresses.
  static func id(of folder: PathBytes) -> String {
    switch folder {
    case camera: Album.Kind.camera.rawValue
    case cropped: Album.Kind.cropped.rawValue
    // A letter in front, so that it is none of the words above.
    default: "-" + LibraryID(of: folder.bytes).text
    }
  }

  /// The albums that hold the photos of a folder.
  static func albums(of folder: PathBytes) -> [String] {
    [Album.Kind.all.rawValue, Album.Kind.recent.rawValue, id(of: folder)]
  }
}
