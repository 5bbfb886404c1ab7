import CropImaging
import GRDB
import Glibc

/// A file that was read to find what a crop was cut from, in the state it was in.
struct TriedSource: Hashable {
  let checksum: String
  let photo: LibraryID
  let stamp: FileStamp
}

extension Indexer {
  /// Finds the photos that crops were cut from, where that is not known: after the index was made
  /// anew, or when a source has come back. Reads the files that have a lost source's length.
  ///
  /// - Parameter size: look only for sources of this length, in bytes; nil looks for all.
  func findSources(ofSize size: Int? = nil) throws {
    for lost in try index.lostSources(ofSize: size) where isRunning {
      guard let source = try source(lost) else { continue }
      for crop in try index.link(lost, to: source.id) {
        events.note(.changed, crop.id, in: crop.folder)
      }
    }
  }

  /// The photo that has a lost source's bytes, whatever it is called by now.
  private func source(_ lost: LostSource) throws -> Photo? {
    let candidates = try index.photos(ofSize: lost.bytes)
    let ordered =
      candidates.filter { $0.name == lost.name } + candidates.filter { $0.name != lost.name }
    for photo in ordered.prefix(Self.mostCandidates) where isRunning {
      let tried = TriedSource(checksum: lost.checksum, photo: photo.id, stamp: photo.stamp)
      guard !triedSources.withLock({ $0.contains(tried) }) else { continue }
      guard let checksum = checksum(of: photo) else { continue }
      if checksum == lost.checksum { return photo }
      triedSources.withLock { _ = $0.insert(tried) }
    }
    return nil
  }

  /// The checksum of a photo's file; nil where it is no longer the one that the index knows.
  private func checksum(of photo: Photo) -> String? {
    guard let raw = try? root.open(photo.place.path) else { return nil }
    guard FileStamp(of: raw) == photo.stamp else {
      close(raw)
      return nil
    }
    guard
      let source = try? PictureSource(
        adopting: raw, name: photo.name, limits: Limits(bytes: .max))
    else { return nil }
    return try? Digests.sha256(of: source)
  }

  /// The most files of the same length that are read to find one.
  private static let mostCandidates = 8
}

/// What crops say of a photo they were cut from, of which it is not known which one it is.
struct LostSource: Hashable {
  let checksum: String
  let bytes: Int
  let name: String
}

extension PhotoIndex {
  /// The sources of crops that are not known, though there are files of their length.
  func lostSources(ofSize size: Int?) throws -> [LostSource] {
    try database.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT DISTINCT checksum, sourceBytes, sourceName FROM crop
          WHERE source IS NULL \(size == nil ? "" : "AND sourceBytes = :size")
          AND EXISTS (SELECT 1 FROM photo WHERE size = sourceBytes AND kind < 2 AND id <> crop.photo)
          """, arguments: size.map { ["size": $0] } ?? []
      ).map { LostSource(checksum: $0[0], bytes: $0[1], name: $0[2]) }
    }
  }

  /// The photos whose files have the given length.
  fileprivate func photos(ofSize size: Int) throws -> [Photo] {
    try database.read { database in
      try Row.fetchAll(
        database,
        sql:
          "SELECT \(Photo.columns) FROM \(Photo.tables) WHERE photo.size = ? AND kind < 2 LIMIT 100",
        arguments: [size]
      ).map(Photo.init)
    }
  }

  /// Notes that a photo is the source of all crops that name its checksum.
  ///
  /// - Returns: those crops, and the folders they are in.
  fileprivate func link(
    _ lost: LostSource, to id: LibraryID
  ) throws -> [(id: LibraryID, folder: PathBytes)] {
    try database.write { database in
      let condition = "source IS NULL AND sourceBytes = ? AND checksum = ? AND crop.photo <> ?"
      let arguments: StatementArguments = [lost.bytes, lost.checksum, id.number]
      let crops = try Row.fetchAll(
        database,
        sql: """
          SELECT crop.photo, folder.path FROM crop JOIN photo ON photo.id = crop.photo
          JOIN folder ON folder.id = photo.folder WHERE \(condition)
          """, arguments: arguments)
      try database.execute(
        sql: "UPDATE crop SET source = ? WHERE \(condition)", arguments: [id.number] + arguments)
      return crops.map { (LibraryID($0[0]), PathBytes($0.bytes(1))) }
    }
  }
}
