import CropImaging

/// The albums of folders.
enum AlbumNames {
  /// The folder for photos that are taken or uploaded here.
  static let camera = PathBytes("Camera")
  /// The folder for crops.
  static let cropped = PathBytes("Cropped")

  /// The album's id for a folder.
  static func id(of folder: PathBytes) -> String {
    switch folder {
    case camera: Album.Kind.camera.rawValue
    case cropped: Album.Kind.cropped.rawValue
    // 128 bits make collisions of two folders infeasible. The prefix keeps it different from the
    // words.
    default: "-" + Digests.text(Digests.sha256(of: folder.bytes).prefix(16))
    }
  }

  /// The albums that hold the photos of a folder.
  static func albums(of folder: PathBytes) -> [String] {
    [Album.Kind.all.rawValue, Album.Kind.recent.rawValue, id(of: folder)]
  }
}
