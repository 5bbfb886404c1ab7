import CropImaging
import FoundationEssentials
import Glibc

extension PhotoIndex {
  /// The index entry of a file.
  struct Known: Sendable {
    let id: LibraryID
    let stamp: FileStamp
    /// The code of its error.
    let problem: String?

    /// Whether the error may be gone although the file is the same: it could not be opened, or
    /// exceeded a limit.
    var isDoubtful: Bool {
      problem == CropError.inputUnreadable(file: "", detail: "").code
        || problem?.hasPrefix("limit-") == true
    }
  }

  /// The index entries of the files directly in a folder, by name.
  func known(in folder: PathBytes) throws -> [PathBytes: Known] {
    try database.read { database in
      var known: [PathBytes: Known] = [:]
      let rows = try database.rows(
        """
        SELECT name, id, size, modified, inode, problem FROM photo
        WHERE folder = \(Self.folderOfPath)
        """, [folder])
      for row in rows { known[try row[0]] = try Self.known(row) }
      return known
    }
  }

  /// The index entry of one file.
  func known(_ place: PhotoPlace) throws -> Known? {
    try database.read { database in
      try database.row(
        """
        SELECT name, id, size, modified, inode, problem FROM photo
        WHERE folder = \(Self.folderOfPath) AND name = ?
        """, [place.folder, place.name]
      ).map(Self.known)
    }
  }

  /// The number of a folder, whose path is the next argument.
  static let folderOfPath = "(SELECT id FROM folder WHERE path = ?)"

  private static func known(_ row: SQLRow) throws -> Known {
    Known(
      id: try row[1],
      stamp: FileStamp(size: try row[2], modified: try row[3], inode: try row[4]),
      problem: try row[5])
  }

  /// The paths of all folders that have files.
  func folders() throws -> [PathBytes] {
    try database.read { database in
      try database.rows(
        "SELECT path FROM folder WHERE EXISTS (SELECT 1 FROM photo WHERE folder = folder.id)"
      ).map { try $0[0] }
    }
  }

  /// The known places of the file with this inode.
  func places(ofInode inode: Int64) throws -> [(id: LibraryID, place: PhotoPlace, stamp: FileStamp)]
  {
    try database.read { database in
      try database.rows(
        """
        SELECT photo.id, folder.path, photo.name, size, modified, inode
        FROM photo JOIN folder ON folder.id = photo.folder WHERE inode = ? LIMIT 8
        """, [inode]
      ).map { row in
        (
          try row[0],
          PhotoPlace(folder: try row[1], name: try row[2]),
          FileStamp(size: try row[3], modified: try row[4], inode: try row[5])
        )
      }
    }
  }

  /// Adds rows to the index, replacing existing ones.
  ///
  /// - Returns: their ids, in the same order.
  @discardableResult
  func store(_ rows: [PhotoRow]) throws -> [LibraryID] {
    try database.write { database in
      try rows.map { try Self.store($0, in: database) }
    }
  }

  private static func store(_ row: PhotoRow, in database: Database) throws -> LibraryID {
    let folder = try store(folder: row.place.folder, in: database)
    let existing = try database.row(
      "SELECT id, size, modified, inode FROM photo WHERE folder = ? AND name = ?",
      [folder, row.place.name])
    let id: Int64 =
      try existing?[0] ?? free(LibraryID(of: row.place.path.bytes).number, in: database)
    try database.execute(
      """
      INSERT INTO photo VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET size = excluded.size, modified = excluded.modified,
        inode = excluded.inode, kind = excluded.kind, position = excluded.position,
        format = excluded.format, width = excluded.width, height = excluded.height,
        clock = excluded.clock, clockOffset = excluded.clockOffset, problem = excluded.problem,
        message = excluded.message
      """,
      [
        id, folder, row.place.name, row.stamp.size, row.stamp.modified, row.stamp.inode,
        row.kind.rawValue, row.position, row.format?.rawValue, row.width, row.height,
        row.captured?.clock, row.captured?.offset, row.problem?.code, row.problem?.message,
      ])
    if let existing,
      row.stamp != (try FileStamp(size: existing[1], modified: existing[2], inode: existing[3]))
    {
      // The content differs: the file is no longer the source of its crops, nor the crop that it
      // was.
      try forgetLinks(of: id, in: database)
    }
    if let provenance = row.provenance { try store(provenance, of: id, in: database) }
    return LibraryID(id)
  }

  private static func store(
    _ provenance: Provenance, of id: Int64, in database: Database
  ) throws {
    let recipe = try JSONEncoder().encode(provenance.recipe)
    let canvas = try provenance.canvas.map { try JSONEncoder().encode($0) }
    // The folder's watch may read a crop again while its source is being stored: keep the source.
    try database.execute(
      """
      INSERT INTO crop VALUES (?, NULL, ?, ?, ?, ?, ?)
      ON CONFLICT (photo) DO UPDATE SET
        source = CASE WHEN checksum = excluded.checksum AND sourceBytes = excluded.sourceBytes
          THEN source END,
        sourceBytes = excluded.sourceBytes, sourceName = excluded.sourceName,
        checksum = excluded.checksum, recipe = excluded.recipe, canvas = excluded.canvas
      """,
      [
        id, provenance.sourceBytes, provenance.sourceName, provenance.checksum,
        String(decoding: recipe, as: UTF8.self), canvas.map { String(decoding: $0, as: UTF8.self) },
      ])
  }

  private static func store(folder: PathBytes, in database: Database) throws -> Int64 {
    if let row = try database.row("SELECT id FROM folder WHERE path = ?", [folder]) {
      return try row[0]
    }
    try database.execute(
      "INSERT INTO folder (path, album) VALUES (?, ?)", [folder, AlbumNames.id(of: folder)])
    return database.lastInsertedID
  }

  /// The number, or the next unused one.
  private static func free(_ number: Int64, in database: Database) throws -> Int64 {
    var number = number
    while try database.row("SELECT 1 FROM photo WHERE id = ?", [number]) != nil {
      number = number == .max ? 1 : number + 1
    }
    return number
  }

  /// Records that a file has moved; its other data stay.
  ///
  /// - Returns: the photo that was at its new place before.
  func move(_ id: LibraryID, to place: PhotoPlace) throws -> LibraryID? {
    try database.write { database in
      let folder = try Self.store(folder: place.folder, in: database)
      let old: Int64? = try database.row(
        "SELECT id FROM photo WHERE folder = ? AND name = ? AND id <> ?",
        [folder, place.name, id.number])?[0]
      if let old { try Self.remove(old, in: database) }
      try database.execute(
        "UPDATE photo SET folder = ?, name = ? WHERE id = ?",
        [folder, place.name, id.number])
      return old.map { LibraryID($0) }
    }
  }

  func remove(_ ids: [LibraryID]) throws {
    try database.write { database in
      for id in ids { try Self.remove(id.number, in: database) }
    }
  }

  private static func remove(_ id: Int64, in database: Database) throws {
    try database.execute("DELETE FROM photo WHERE id = ?", [id])
    try forgetLinks(of: id, in: database)
  }

  /// Removes a photo's source, and removes it as the source of others.
  private static func forgetLinks(of id: Int64, in database: Database) throws {
    for sql in [
      "UPDATE crop SET source = NULL WHERE source = ?", "DELETE FROM crop WHERE photo = ?",
    ] {
      try database.execute(sql, [id])
    }
  }

  /// Records an error of decoding a version of a photo; false if it is already recorded or the file
  /// has changed.
  func note(_ problem: PhotoProblem, of id: LibraryID, stamp: FileStamp) throws -> Bool {
    try database.write { database in
      try database.execute(
        """
        UPDATE photo SET problem = ?, message = ?, kind = 1
        WHERE id = ? AND size = ? AND modified = ? AND inode = ? AND problem IS NULL
        """,
        [
          problem.code, problem.message, id.number, stamp.size, stamp.modified, stamp.inode,
        ])
      return database.changes > 0
    }
  }
}

extension PhotoIndex {
  func places(of ids: [LibraryID]) throws -> [(LibraryID, PhotoPlace)] {
    try database.read { database in
      let sql = """
        SELECT folder.path, photo.name FROM photo JOIN folder ON folder.id = photo.folder
        WHERE photo.id = ?
        """
      return try ids.compactMap { id in
        try database.row(sql, [id.number]).map { row in
          (id, PhotoPlace(folder: try row[0], name: try row[1]))
        }
      }
    }
  }
}

extension PhotoIndex {
  func store(_ provenance: Provenance, of id: LibraryID, source: LibraryID) throws {
    try database.write { database in
      try Self.store(provenance, of: id.number, in: database)
      try database.execute(
        "UPDATE crop SET source = ? WHERE photo = ?", [source.number, id.number])
    }
  }
}
