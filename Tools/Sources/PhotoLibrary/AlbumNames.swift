import CropImaging

/// The albums of folders.
enum AlbumNames {
  /// The folder for photos that are taken or uploaded here.
  static let camera = PathBytes("Camera")
  /// The folder for crops.
  static let cropped = PathBytes("Cropped")

  static func id(of folder: PathBytes) -> String {
    switch folder {
    case PathBytes([]): Album.Kind.root.rawValue
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

  /// Whether an album comes before another: numbers by their value, and letters regardless of case.
  /// Browsers sort again by the rules of their language.
  static func areInOrder(_ first: String, _ second: String) -> Bool {
    var (first, second) = (first.lowercased()[...], second.lowercased()[...])
    while let left = first.first, let right = second.first {
      if left.isWholeNumber, right.isWholeNumber {
        let numbers = (first.prefix(while: \.isWholeNumber), second.prefix(while: \.isWholeNumber))
        let digits = (numbers.0.drop { $0 == "0" }, numbers.1.drop { $0 == "0" })
        if digits.0.count != digits.1.count { return digits.0.count < digits.1.count }
        if digits.0 != digits.1 { return digits.0 < digits.1 }
        first = first.dropFirst(numbers.0.count)
        second = second.dropFirst(numbers.1.count)
      } else if left != right {
        return left < right
      } else {
        first = first.dropFirst()
        second = second.dropFirst()
      }
    }
    return first.isEmpty && !second.isEmpty
  }
}
