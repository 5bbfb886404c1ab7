import CropImaging

/// Why a library could not do what it was asked.
public enum LibraryError: Error, Sendable, Equatable {
  /// There is no such photo.
  case noPhoto
  /// There is no such album.
  case noAlbum
  /// The position in a list is none.
  case badPosition
  /// The file is no longer there.
  case gone(name: String)
  /// The file is not the one that was meant: it was changed or replaced.
  case changed(name: String)
  /// Nothing was removed or replaced that could be brought back.
  case nothingToRestore
  /// The file could not be put into the trash, or back.
  case trash(detail: String)
  /// Too many wait already.
  case busy
}
