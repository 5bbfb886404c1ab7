import CSystemCalls
import Glibc

/// An open folder that confines file access to the files beneath it.
///
/// Every name is resolved from the folder by openat2(2): it never follows symbolic links and never
/// leaves the folder through `..`, even while other programs rename files.
public final class ConfinedFolder: Sendable {
  let file: Descriptor
  /// The folder's name in messages.
  public let name: String

  /// Opens the folder at `path`; symbolic links in `path` are followed.
  ///
  /// - Throws: ``CropError/inputMissing(file:)`` or ``CropError/inputUnreadable(file:detail:)``.
  public init(path: PathBytes) throws(CropError) {
    name = path.name
    let raw = ckc_system_open(path.terminated, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw Self.problem(errno, name: path.name) }
    file = Descriptor(adopting: raw)
  }

  /// Opens the folder at `place` beneath `folder`; an empty `place` is `folder` itself.
  ///
  /// - Throws: as ``open(_:flags:)``.
  public init(_ place: PathBytes, beneath folder: ConfinedFolder) throws(CropError) {
    let raw = try folder.open(place, flags: O_RDONLY | O_DIRECTORY)
    file = Descriptor(adopting: raw)
    name = place.bytes.isEmpty ? folder.name : place.name
  }

  /// The folder's identity, the same under any name; nil if the system can't report it.
  public var identity: FileIdentity? { file.status.map(FileIdentity.init) }

  /// The open folder's descriptor; valid while this object exists.
  public var descriptor: Int32 { file.raw }

  /// Opens the file at `place`, a path relative to this folder, with close-on-exec. The caller
  /// closes the descriptor. A path that exceeds the system's limit is resolved in pieces.
  ///
  /// - Throws: ``CropError/inputMissing(file:)``, or ``CropError/inputUnreadable(file:detail:)``,
  ///   also for a symbolic link on the path.
  public func open(
    _ place: PathBytes, flags: Int32 = O_RDONLY | O_NONBLOCK | O_NOCTTY
  ) throws(CropError) -> Int32 {
    guard !place.bytes.contains(0) else { throw .inputMissing(file: place.name) }
    var folder = file
    var rest = place.bytes.isEmpty ? ArraySlice(".".utf8) : place.bytes[...]
    while rest.count >= Int(PATH_MAX) {
      guard let slash = rest.prefix(Int(PATH_MAX) - 1).lastIndex(of: UInt8(ascii: "/")) else {
        break
      }
      folder = try Descriptor(
        adopting: Self.opened(rest[..<slash], in: folder, O_RDONLY | O_DIRECTORY, place))
      rest = rest[(slash + 1)...]
    }
    return try Self.opened(rest, in: folder, flags, place)
  }

  private static func opened(
    _ path: ArraySlice<UInt8>, in folder: Descriptor, _ flags: Int32, _ place: PathBytes
  ) throws(CropError) -> Int32 {
    let raw = ckc_system_open_beneath(folder.raw, PathBytes(Array(path)).terminated, flags)
    guard raw >= 0 else { throw problem(errno, name: place.name) }
    return raw
  }

  /// Opens the image at `place`, a path relative to this folder.
  ///
  /// - Throws: as ``open(_:flags:)`` and ``ImageSource/init(adopting:name:limits:)``.
  public func picture(
    _ place: PathBytes, limits: Limits = Limits()
  ) throws(CropError) -> ImageSource {
    try ImageSource(adopting: open(place), name: place.name, limits: limits)
  }

  /// Creates the folder `name` directly in this one, unless it exists.
  ///
  /// - Throws: ``CropError/outputUncreatable(path:detail:)``.
  public func makeFolder(_ name: PathBytes) throws(CropError) {
    guard mkdirat(file.raw, name.terminated, 0o777) == 0 || errno == EEXIST else {
      if errno == ENOSPC || errno == EDQUOT { throw .diskFull(path: name.name) }
      throw .outputUncreatable(path: name.name, detail: words(for: errno))
    }
  }

  private static func problem(_ error: Int32, name: String) -> CropError {
    switch error {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .inputMissing(file: name)
    case EMFILE, ENFILE: .resourceUnavailable(error, name)
    case ELOOP, EXDEV: .inputUnreadable(file: name, detail: "the path contains a symbolic link")
    default: .inputUnreadable(file: name, detail: words(for: error))
    }
  }
}
