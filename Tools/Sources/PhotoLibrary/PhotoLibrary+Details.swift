import CropCore
import CropImaging
import Foundation
import GRDB

/// A photo with all that is known of it.
public struct PhotoDetails: Sendable {
  /// The photo itself.
  public let photo: Photo
  /// The album of its folder.
  public let album: String
  /// What was cut from it, newest first.
  public let crops: [Photo]
  /// What it was cut from, if that is in the library, unchanged.
  public let source: Photo?
  /// How it was cut, if it is a saved crop.
  public let recipe: CropRecipe?
  /// Whether what it replaced can be brought back.
  public let canRestore: Bool
  /// How many targets are kept of it, or of what it was cut from; nil where none were kept.
  public let targetCount: Int?
}

extension PhotoLibrary {
  /// All that is known of a photo. Blocks for a look at the trash and the kept targets; no picture is read,
  /// but where targets are kept of a file of the same length. A source that is
  /// not known is looked for in the background, and an event tells when it is found.
  public func details(of photo: Photo) throws -> PhotoDetails {
    let provenance = try index.provenance(of: photo.id)
    let photo = try self.photo(now: photo.id)
    let source = try photo.source.map { try self.photo(now: $0) }
    let removal = removals.removal(of: photo)
    let kept = try? keptTargets(of: photo)
    return try index.database.read { database in
      PhotoDetails(
        photo: photo, album: AlbumNames.id(of: photo.place.folder),
        crops: try PhotoIndex.crops(database, of: photo.id), source: source,
        recipe: provenance?.recipe,
        canRestore: removal.map { $0.replacement == photo.stamp && $0.seemsThere } ?? false,
        targetCount: kept?.document.targets.count)
    }
  }
}

extension PhotoIndex {
  /// What a photo says of where it comes from.
  func provenance(of id: LibraryID) throws -> Provenance? {
    try database.read { database in
      guard
        let row = try Row.fetchOne(
          database,
          sql: "SELECT sourceBytes, sourceName, checksum, recipe FROM crop WHERE photo = ?",
          arguments: [id.number]),
        let recipe = try? JSONDecoder().decode(
          CropRecipe.self, from: Data((row[3] as String).utf8))
      else { return nil }
      return Provenance(recipe: recipe, sourceName: row[1], sourceBytes: row[0], checksum: row[2])
    }
  }

  /// Gives a photo another id, unless that is taken.
  func rename(_ id: LibraryID, to new: LibraryID) throws {
    try database.write { database in
      try database.execute(
        sql: "UPDATE OR IGNORE photo SET id = ? WHERE id = ?", arguments: [new.number, id.number])
      guard database.changesCount > 0 else { return }
      try database.execute(
        sql: "UPDATE OR IGNORE crop SET photo = ? WHERE photo = ?",
        arguments: [new.number, id.number])
    }
  }
}
