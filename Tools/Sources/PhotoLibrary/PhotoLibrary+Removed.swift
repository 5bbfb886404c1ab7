import CropImaging
import Glibc

/// A photo in the trash that can be restored.
public struct RemovedPhoto: Sendable {
  /// The id that it had, and gets back.
  public let id: LibraryID
  /// The name of its file, for users.
  public let name: String
  /// When it was removed, in seconds since 1970.
  public let time: Int
}

extension PhotoLibrary {
  /// The photos that were moved to the trash and can be restored, the last one first. Blocks.
  public func removedPhotos() -> [RemovedPhoto] {
    removals.removed().compactMap { removal, time in
      guard removal.seemsThere, root.admits(removal.place) else { return nil }
      return RemovedPhoto(id: removal.photo, name: removal.place.name.name, time: time)
    }.sorted { ($0.time, $0.name) > ($1.time, $1.name) }
  }

  /// Opens the file of a photo in the trash. Blocks.
  ///
  /// - Throws: ``LibraryError/nothingToRestore``, or a `CropError` for a file that can't be read.
  public func openRemoved(_ id: LibraryID) throws -> ImageSource {
    guard let removal = removals.removal(of: id), removal.replacement == nil, removal.seemsThere,
      root.admits(removal.place)
    else { throw LibraryError.nothingToRestore }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let file = Glibc.open(removal.item.path.terminated, flags)
    guard file >= 0 else { throw LibraryError.nothingToRestore }
    return try ImageSource(
      adopting: file, name: removal.place.name.name, limits: engine.limits)
  }
}
