import CropImaging
import Glibc

/// The folder of a library, opened anew for each use: one that was removed and made anew is found, also
/// on another disk, and no disk is kept busy in between.
struct LibraryRoot: Sendable {
  /// Its real path: absolute, without links.
  let path: PathBytes
  /// The files that there are for the library, wherever they lie in the folder; nil for all.
  var files: NamedFiles?

  /// Whether a file of that place may be part of the library.
  func admits(_ place: PhotoPlace) -> Bool {
    files?.contains(place) ?? !place.name.isHidden
  }

  /// The folder that has the path now. A link that took the place of a part of the path is not followed.
  ///
  /// - Throws: ``CropError/inputMissing(file:)`` or ``CropError/inputUnreadable(file:detail:)``.
  func opened() throws(CropError) -> ConfinedFolder {
    let top = try ConfinedFolder(path: PathBytes("/"))
    return try ConfinedFolder(
      PathBytes(Array(path.bytes.drop { $0 == UInt8(ascii: "/") })), beneath: top)
  }

  /// A folder of the library; an empty path is the library's own.
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

  /// Whether there is no file at `place`. One that can't be asked for, as no more files can be opened,
  /// may be there.
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
