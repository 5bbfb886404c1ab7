import CropImaging

/// Why an operation of the library failed.
public enum LibraryError: Error, Sendable, Equatable {
  /// There is no such photo.
  case noPhoto
  /// There is no such album.
  case noAlbum
  /// The position is not one that the library returned.
  case badPosition
  /// The file no longer exists.
  case gone(name: String)
  /// The file was changed or replaced.
  case changed(name: String)
  /// Another program saved the file twice while it was being replaced. Both versions are kept, the
  /// earlier one next to the other under the name `kept`.
  case bothKept(name: String, kept: String)
  /// The photo has no removed or replaced version to restore.
  case nothingToRestore
  /// No targets are stored for the photo.
  case noTargets
  /// The file could not be moved to the trash, or restored.
  case trash(detail: String)
  /// The disk of a folder is full.
  case diskFull(place: String)
  /// Another program has locked the library's index.
  case indexLocked
  /// The queue is full.
  case busy
}

extension LibraryError {
  /// The error of the library that corresponds to one of the index; nil for any other error.
  public init?(_ error: any Error) {
    guard let error = error as? DatabaseError else { return nil }
    if error.isFull {
      self = .diskFull(place: "the index of the library")
    } else if error.isLocked {
      self = .indexLocked
    } else {
      return nil
    }
  }

  /// Runs work that saves a record of the library in the user's data folder, whose path is of no use
  /// to clients.
  ///
  /// - Throws: ``diskFull(place:)``, and other errors of `work`.
  static func savingRecords(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch CropError.diskFull {
      throw LibraryError.diskFull(place: "the records of the library")
    }
  }
}
