import CropImaging
import Glibc
import Synchronization

/// The folder of a library, reopened for each use, so that a folder that was removed and recreated
/// is found, even on another disk, and a disk can be unmounted in between.
struct LibraryRoot: Sendable {
  /// Its real path: absolute, without links.
  let path: PathBytes
  /// The only files that belong to the library, wherever they are in the folder; nil for all.
  var files: NamedFiles?

  /// Whether a file at this place may belong to the library.
  func admits(_ place: PhotoPlace) -> Bool {
    files?.contains(place) ?? !place.name.isHidden
  }

  /// Opens the folder that has the path now. If a link replaced a part of the path, it is not
  /// followed.
  ///
  /// - Throws: ``CropError/inputMissing(file:)`` or ``CropError/inputUnreadable(file:detail:)``.
  func opened() throws(CropError) -> ConfinedFolder {
    let top = try ConfinedFolder(path: PathBytes("/"))
    return try ConfinedFolder(
      PathBytes(Array(path.bytes.drop { $0 == UInt8(ascii: "/") })), beneath: top)
  }

  /// Opens a folder of the library; an empty path is the library's own.
  ///
  /// - Throws: as ``opened()``.
  func folder(_ place: PathBytes) throws(CropError) -> ConfinedFolder {
    try ConfinedFolder(place, beneath: opened())
  }

  /// Opens a file of the library. The caller closes it.
  ///
  /// - Throws: as ``opened()``.
  func open(_ place: PhotoPlace) throws(CropError) -> Int32 {
    if files?.contains(place) == false { throw .inputMissing(file: place.name.name) }
    return try opened().open(place.path)
  }

  /// Whether there is no file at `place`. If that can't be determined, for example with too many
  /// open files, it may exist.
  func isGone(_ place: PhotoPlace) -> Bool {
    do throws(CropError) {
      return try folder(place.folder).stamp(of: place.name) == nil
    } catch .resourceUnavailable {
      return false
    } catch {
      return true
    }
  }

  /// The stamp of the file at `place`; nil for anything else.
  func stamp(of place: PhotoPlace) -> FileStamp? {
    (try? folder(place.folder))?.stamp(of: place.name)
  }
}

/// The files of a library that is not a folder: those that the user named, and crops saved beside
/// them.
final class NamedFiles: Sendable {
  private let places = Mutex<Set<PhotoPlace>>([])

  /// All files, in no order.
  var all: [PhotoPlace] { places.withLock { Array($0) } }

  func contains(_ place: PhotoPlace) -> Bool { places.withLock { $0.contains(place) } }

  func insert(_ place: PhotoPlace) { places.withLock { _ = $0.insert(place) } }

  func remove(_ place: PhotoPlace) { places.withLock { _ = $0.remove(place) } }
}
