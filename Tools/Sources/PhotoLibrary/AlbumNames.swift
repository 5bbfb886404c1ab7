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
    // 128 bits: nobody finds two folders of one name. A sign in front, so that it can't equal one of the words.
    default: "-" + Digests.text(Digests.sha256(of: folder.bytes).prefix(16))
    }
  }

  /// The albums that hold the photos of a folder.
  static func albums(of folder: PathBytes) -> [String] {
    [Album.Kind.all.rawValue, Album.Kind.recent.rawValue, id(of: folder)]
  }
}
