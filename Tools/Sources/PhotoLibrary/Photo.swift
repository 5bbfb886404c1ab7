import CropCore
import CropImaging

/// A photo in a list of the library.
public struct Photo: Sendable, Equatable {
  /// The id in URLs.
  public let id: LibraryID
  /// The location of its file.
  public let place: PhotoPlace
  /// The version of the file that the other properties were read from.
  public let stamp: FileStamp
  /// Its format; nil if the content is not recognized.
  public let format: ImageFormat?
  /// The width of the upright image in pixels; 0 if unknown.
  public let width: Int
  /// The height of the upright image in pixels; 0 if unknown.
  public let height: Int
  /// When it was taken; nil if unknown.
  public let captured: CaptureMoment?
  /// Why it can't be shown; nil if it can, as far as known.
  public let problem: PhotoProblem?
  /// The source of this crop; nil if it is not in the library.
  public let source: LibraryID?
  /// The sort key: milliseconds since 1970.
  let order: Int64

  /// The name of its file, for users.
  public var name: String { place.name.name }
  /// The id of the album of its folder.
  public var album: String { AlbumNames.id(of: place.folder) }
}

/// Why a photo can't be shown.
public struct PhotoProblem: Sendable, Hashable {
  /// A stable name, as in ``CropError/code``.
  public let code: String
  /// A one-line message.
  public let message: String

  init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: CropError) {
    self.init(code: error.code, message: error.message(for: .http))
  }
}

/// The location of a file: a folder, relative to the library's, and a name in it. Both are bytes,
/// not text.
public struct PhotoPlace: Hashable, Sendable {
  /// The folder, without slashes at its ends; empty for the library's own.
  public let folder: PathBytes
  /// The name of the file.
  public let name: PathBytes

  /// The file `name` in `folder`.
  public init(folder: PathBytes, name: PathBytes) {
    self.folder = folder
    self.name = name
  }

  /// The path from the library's folder.
  var path: PathBytes { folder.child(name) }
}

extension PathBytes {
  /// The path of `name` in this folder.
  func child(_ name: PathBytes) -> PathBytes {
    let slash = UInt8(ascii: "/")
    return bytes.isEmpty || bytes == [slash]
      ? PathBytes(bytes + name.bytes) : PathBytes(bytes + [slash] + name.bytes)
  }

  /// The last name of the path; nil if it has none.
  var last: PathBytes? {
    bytes.split(separator: UInt8(ascii: "/")).last.map { PathBytes(Array($0)) }
  }

  /// Whether this is `folder` or inside it.
  func isInside(_ folder: PathBytes) -> Bool {
    folder.bytes.isEmpty || self == folder
      || bytes.starts(with: folder.bytes + [UInt8(ascii: "/")])
  }

  /// Whether lists omit files with this name.
  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }
}

/// A list of photos.
public struct Album: Sendable, Equatable {
  /// The kind of album.
  public enum Kind: String, Sendable, CaseIterable {
    /// All photos.
    case all
    /// The newest photos.
    case recent
    /// Photos that were taken or uploaded here.
    case camera
    /// Crops that were saved here.
    case cropped
    /// The photos directly in one folder.
    case folder
    /// The photos that are in the library's folder, but in no folder in it.
    case root
  }

  /// The id in URLs.
  public let id: String
  /// The name for users; for folders, their path.
  public let name: String
  /// The kind of album.
  public let kind: Kind
  /// The number of photos.
  public let count: Int
  /// Its newest photo that can be shown.
  public let cover: LibraryID?
}

/// The id of a photo in URLs: a number derived from its first path, without containing it.
///
/// It stays the same when the file is renamed or moved inside the library, and when the index is
/// rebuilt (then derived from the current path).
public struct LibraryID: Hashable, Sendable {
  /// 1 or more.
  let number: Int64

  init(_ number: Int64) { self.number = number }

  /// The number for a path: the first 63 bits of its SHA-256, never 0. If two paths have the same
  /// number, which only happens on purpose, the index gives the second one the next unused number.
  init(of path: some Sequence<UInt8>) {
    let hash = Digests.sha256(of: path).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    number = max(1, Int64(truncatingIfNeeded: hash >> 1))
  }

  /// Parses ``text``; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 13, text.allSatisfy({ $0.isASCII && !$0.isUppercase && $0 != "+" }),
      let number = Int64(text, radix: 36), number > 0
    else { return nil }
    self.number = number
  }

  /// Letters and digits, at most 13.
  public var text: String { String(number, radix: 36) }
}
