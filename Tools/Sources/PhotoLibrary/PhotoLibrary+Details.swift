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
  /// Whether what was in its place before can be brought back.
  public let canRestore: Bool
}

extension PhotoLibrary {
  /// All that is known of a photo. Blocks: for a crop whose source is not known yet, files of the
  /// source's length are read.
  public func details(of photo: Photo) throws -> PhotoDetails {
    try findCrops(of: photo)
    let provenance = try index.provenance(of: photo.id)
    var source: Photo?
    if let provenance {
      source = try photo.source.map { try self.photo(now: $0) } ?? find(provenance, for: photo.id)
    }
    return try index.database.read { database in
      PhotoDetails(
        photo: photo, album: AlbumNames.id(of: photo.place.folder),
        crops: try PhotoIndex.crops(database, of: photo.id), source: source,
        recipe: provenance?.recipe,
        canRestore: try Bool.fetchOne(
          database, sql: "SELECT 1 FROM removal WHERE photo = ?", arguments: [photo.id.number])
          ?? false)
    }
  }

  /// The photo whose bytes a crop was cut from, whatever it is called by now; noted where it is found.
  private func find(_ provenance: Provenance, for crop: LibraryID) throws -> Photo? {
    let candidates = try index.photos(ofSize: provenance.sourceBytes)
    let ordered =
      candidates.filter { $0.name == provenance.sourceName }
      + candidates.filter { $0.name != provenance.sourceName }
    for photo in ordered.prefix(Self.mostCandidates) {
      guard let opened = try? open(photo), opened.stamp == photo.stamp,
        try Digests.sha256(of: opened.source) == provenance.checksum
      else { continue }
      try index.store(provenance, of: crop, source: photo.id)
      return photo
    }
    return nil
  }

  /// Notes which crops whose source is not known were cut from this photo.
  func findCrops(of photo: Photo) throws {
    let wanted = try index.checksums(ofLostSourcesOfSize: Int(photo.stamp.size))
    guard !wanted.isEmpty, let opened = try? open(photo), opened.stamp == photo.stamp else {
      return
    }
    let checksum = try Digests.sha256(of: opened.source)
    if wanted.contains(checksum) { try index.link(checksum, to: photo.id) }
  }

  /// The most files of the same length that are read to find one.
  private static let mostCandidates = 8
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

  /// The photos whose files have the given length.
  func photos(ofSize size: Int) throws -> [Photo] {
    try database.read { database in
      try Row.fetchAll(
        database,
        sql:
          "SELECT \(Photo.columns) FROM \(Photo.tables) WHERE photo.size = ? AND kind < 2 LIMIT 100",
        arguments: [size]
      ).map(Photo.init)
    }
  }

  /// What crops whose source is not known say of sources of the given length.
  func checksums(ofLostSourcesOfSize size: Int) throws -> Set<String> {
    try database.read { database in
      Set(
        try String.fetchAll(
          database,
          sql: "SELECT DISTINCT checksum FROM crop WHERE source IS NULL AND sourceBytes = ?",
          arguments: [size]))
    }
  }

  /// Notes that a photo is the source of all crops that name its checksum.
  func link(_ checksum: String, to id: LibraryID) throws {
    try database.write { database in
      try database.execute(
        sql: "UPDATE crop SET source = ? WHERE checksum = ? AND source IS NULL AND photo <> ?",
        arguments: [id.number, checksum, id.number])
    }
  }

  /// Gives a photo another id, unless that is taken.
  func rename(_ id: LibraryID, to new: LibraryID) throws {
    try database.write { database in
      try database.execute(
        sql: "UPDATE OR IGNORE photo SET id = ? WHERE id = ?", arguments: [new.number, id.number])
      try database.execute(
        sql: "UPDATE OR IGNORE crop SET photo = ? WHERE photo = ?",
        arguments: [new.number, id.number])
    }
  }
}
