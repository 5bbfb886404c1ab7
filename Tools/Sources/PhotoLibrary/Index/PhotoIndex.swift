import CropImaging
import Glibc

/// Information about the photos of one library. It is a cache of the disk and may be deleted while
/// no server is running.
final class PhotoIndex: Sendable {
  let database: DatabasePool

  /// Opens the index at `path`, or creates it. A damaged index, or one of another version, is
  /// replaced.
  ///
  /// - Throws: `DatabaseError` if no index can be stored there.
  /// - Parameter patience: how many seconds to wait while another program has locked the index.
  init(path: String, patience: Double = 5) throws {
    do {
      database = try Self.open(path, patience)
    } catch let error as DatabaseError where error.isDamage {
      for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
      database = try Self.open(path, patience)
    }
  }

  /// Increased whenever the tables change.
  private static let version = 6

  private static func open(_ path: String, _ patience: Double) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, patience: patience)
    try pool.write { database in
      let version: Int = try database.row("PRAGMA user_version")?[0] ?? 0
      guard version != Self.version else {
        // An index whose tables another program has changed would always fail.
        guard try schema(of: database) == schemaOfNewIndex() else {
          throw DatabaseError(code: DatabaseError.corrupt, message: "its tables are different")
        }
        return
      }
      if version != 0 {
        for table in ["crop", "removal", "photo", "folder"] {
          try database.run(script: "DROP TABLE IF EXISTS \(table)")
        }
      }
      try database.run(script: tables + "PRAGMA user_version = \(Self.version)")
    }
    // Checks every page, so that damage is found now and not during a response: a tenth of a second
    // for 100,000 photos.
    let report: String? = try pool.read { try $0.row("PRAGMA quick_check(1)")?[0] }
    guard report == "ok" else {
      throw DatabaseError(code: DatabaseError.corrupt, message: report ?? "no report")
    }
    return pool
  }

  /// The tables and indexes of a database, as they were created.
  private static func schema(of database: Database) throws -> [String] {
    try database.rows(
      "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL"
    ).map { try $0[0] }.sorted()
  }

  private static func schemaOfNewIndex() throws -> [String] {
    let database = try Database(path: ":memory:")
    try database.run(script: tables)
    return try schema(of: database)
  }

  /// Names and paths are bytes. `kind`: 0 an image, 1 a broken image, 2 another file. `position` is
  /// the order in lists, in milliseconds since 1970.
  private static let tables = """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, album TEXT NOT NULL UNIQUE);
    CREATE TABLE photo (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL,
      kind INTEGER NOT NULL, position INTEGER NOT NULL, format TEXT,
      width INTEGER NOT NULL, height INTEGER NOT NULL,
      clock INTEGER, clockOffset INTEGER, problem TEXT, message TEXT,
      UNIQUE (folder, name));
    CREATE INDEX photo_inode ON photo (inode);
    CREATE INDEX photo_size ON photo (size);
    CREATE INDEX photo_order ON photo (position DESC, name DESC, id DESC) WHERE kind < 2;
    CREATE INDEX photo_album ON photo (folder, position DESC, name DESC, id DESC) WHERE kind < 2;
    CREATE TABLE crop (
      photo INTEGER PRIMARY KEY, source INTEGER, sourceBytes INTEGER NOT NULL,
      sourceName TEXT NOT NULL, checksum TEXT NOT NULL, recipe TEXT NOT NULL,
      canvas TEXT);
    CREATE INDEX crop_source ON crop (source);
    CREATE INDEX crop_size ON crop (sourceBytes) WHERE source IS NULL;
    """
}
