import CropImaging
import GRDB

/// Why a library could not do what it was asked.
public enum LibraryError: Error, Sendable, Equatable {
  /// There is no such photo.
  case noPhoto
  /// There is no such album.
  case noAlbum
  /// The position in a list is not one that the library gave out.
  case badPosition
  /// The file is no longer there.
  case gone(name: String)
  /// The file is not the one that was meant: it was changed or replaced.
  case changed(name: String)
  /// Another program saved the file while it was to be replaced, twice: both are kept, the earlier one
  /// under the name `kept` beside the other.
  case bothKept(name: String, kept: String)
  /// Nothing was removed or replaced that could be brought back.
  case nothingToRestore
  /// No targets are kept of the photo.
  case noTargets
  /// The file could not be put into the trash, or back.
  case trash(detail: String)
  /// There is no room left on the disk of a place.
  case diskFull(place: String)
  /// Another program holds the index of the library.
  case indexLocked
  /// Too many wait already.
  case busy
}

extension LibraryError {
  /// What an error of the index says of the world; nil for any other error.
  public init?(_ error: any Error) {
    guard let error = error as? DatabaseError else { return nil }
    switch error.resultCode.primaryResultCode {
    case .SQLITE_FULL: self = .diskFull(place: "the index of the library")
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .indexLocked
    default: return nil
    }
  }
}
