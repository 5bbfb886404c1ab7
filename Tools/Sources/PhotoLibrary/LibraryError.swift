import CropImaging
import GRDB

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
  /// There is no room left on the disk of a place.
  case diskFull(place: String)
  /// Too many wait already.
  case busy
}

extension LibraryError {
  /// What an error of the index says of the world; nil for any other error.
  public init?(_ error: any Error) {
    guard let error = error as? DatabaseError,
      error.resultCode.primaryResultCode == .SQLITE_FULL
    else { return nil }
    self = .diskFull(place: "the index of the library")
  }
}
