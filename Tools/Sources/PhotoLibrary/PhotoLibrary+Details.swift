import CropCore
import CropImaging
import FoundationEssentials
import Glibc

/// A photo with all its known details.
public struct PhotoDetails: Sendable {
  /// The photo itself.
  public let photo: Photo
  /// The crops of it, newest first.
  public let crops: [Photo]
  /// The photo it was cropped from, if that is in the library and unchanged.
  public let source: Photo?
  /// The recipe, if it is a saved crop.
  public let recipe: CropRecipe?
  /// The canvas behind it, if it is a crop with one.
  public let canvas: FilledCanvas?
  /// The crop that another program stored for it; nil if its source is in the library.
  public let mark: CropMark?
  /// Whether the version that it replaced can be restored.
  public let canRestore: Bool
  /// The number of targets stored for it or for its source; nil if none are stored.
  public let targetCount: Int?
}

extension PhotoLibrary {
  /// All details of a photo. Blocks to read the trash, the stored targets and the crop of another
  /// program; no image is decoded. An unknown source is searched for in the background, and an
  /// event reports when it is found.
  public func details(of photo: Photo) throws -> PhotoDetails {
    let provenance = try index.provenance(of: photo.id)
    let photo = try index.photo(now: photo.id)
    let source = try photo.source.map { try index.photo(now: $0) }
    let removal = trash.records.removal(of: photo)
    let kept = try? keptTargets(of: photo)
    let mark = provenance == nil ? mark(of: photo) : nil
    return try index.database.read { database in
      PhotoDetails(
        photo: photo,
        crops: try PhotoIndex.crops(database, of: photo.id), source: source,
        recipe: provenance?.recipe, canvas: provenance?.canvas, mark: mark,
        canRestore: removal.map { $0.replacement == photo.stamp && $0.seemsThere } ?? false,
        targetCount: kept?.document.targets.count)
    }
  }
}

extension PhotoIndex {
  /// A photo's origin, according to its metadata.
  func provenance(of id: LibraryID) throws -> Provenance? {
    try database.read { database in
      guard
        let row = try database.row(
          "SELECT sourceBytes, sourceName, checksum, recipe, canvas FROM crop WHERE photo = ?",
          [id.number]),
        let recipe = try? JSONDecoder().decode(
          CropRecipe.self, from: Data((try row[3] as String).utf8))
      else { return nil }
      let canvas = try (row[4] as String?).flatMap {
        try? JSONDecoder().decode(FilledCanvas.self, from: Data($0.utf8))
      }
      return Provenance(
        recipe: recipe, canvas: canvas, sourceName: try row[1], sourceBytes: try row[0],
        checksum: try row[2])
    }
  }

  /// Gives a photo another id, unless it is already used.
  func rename(_ id: LibraryID, to new: LibraryID) throws {
    try database.write { database in
      try database.execute(
        "UPDATE OR IGNORE photo SET id = ? WHERE id = ?", [new.number, id.number])
      guard database.changes > 0 else { return }
      try database.execute(
        "UPDATE OR IGNORE crop SET photo = ? WHERE photo = ?",
        [new.number, id.number])
    }
  }
}
