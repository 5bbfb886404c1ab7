import CropCore
import CropImaging

/// A photo of a library, as its list shows it.
public struct Photo: Sendable, Equatable {
  /// What it is called in addresses.
  public let id: LibraryID
  /// Where it is.
  public let place: PhotoPlace
  /// The state of the file that the rest was read from.
  public let stamp: FileStamp
  /// Its format; nil where the content is not recognized.
  public let format: PictureFormat?
  /// The upright size in pixels, 0 where it is not known.
  public let width: Int
  /// The upright size in pixels, 0 where it is not known.
  public let height: Int
  /// When it was taken.
  public let captured: CaptureMoment?
  /// Why it can't be shown; nil if it can, as far as is known.
  public let problem: PhotoProblem?
  /// The photo it was cut from, if that is in the library.
  public let source: LibraryID?
  /// Where it stands in the order: milliseconds since 1970.
  let order: Int64

  /// Its file's name, for a person.
  public var name: String { place.name.name }
}

/// Why a photo can't be shown.
public struct PhotoProblem: Sendable, Hashable {
  /// A stable name, as of ``CropError/code``.
  public let code: String
  /// One line for a person.
  public let message: String

  init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: CropError) {
    self.init(code: error.code, message: error.message)
  }
}

/// Where a file is: a folder, from the library's, and a name in it. Both are bytes, not text.
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

  /// The last name of the path; nil where it has none.
  var last: PathBytes? {
    bytes.split(separator: UInt8(ascii: "/")).last.map { PathBytes(Array($0)) }
  }

  /// Whether this is `folder` or lies in it.
  func isInside(_ folder: PathBytes) -> Bool {
    folder.bytes.isEmpty || self == folder
      || bytes.starts(with: folder.bytes + [UInt8(ascii: "/")])
  }

  /// Whether the name is one that lists leave out.
  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }
}

/// A list of photos.
public struct Album: Sendable, Equatable {
  /// What an album holds.
  public enum Kind: String, Sendable, CaseIterable {
    /// Every photo.
    case all
    /// The newest ones.
    case recent
    /// What was taken or sent here.
    case camera
    /// What was cropped here.
    case cropped
    /// The photos directly in one folder.
    case folder
  }

  /// What it is called in addresses.
  public let id: String
  /// What a person calls it: for folders their path.
  public let name: String
  /// What it holds.
  public let kind: Kind
  /// How many photos.
  public let count: Int
  /// Its newest photo that can be shown.
  public let cover: LibraryID?
}
