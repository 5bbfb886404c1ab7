import Dispatch
import Synchronization

/// Connections to one database file in write-ahead mode: one writes at a time, and several read
/// beside it, each from an unchanging state.
final class DatabasePool: Sendable {
  /// A connection that one thread uses at a time, which the pool ensures.
  private struct Connection: @unchecked Sendable {
    let database: Database
  }

  private let path: String
  private let patience: Double
  private let writer: Connection
  private let writing = DispatchSemaphore(value: 1)
  private let idle = Mutex<[Connection]>([])
  private let places: DispatchSemaphore
  private let queue = DispatchQueue(label: "cropkit.library.database", attributes: .concurrent)

  /// Opens or creates the file. Waits up to `patience` seconds for locks of other programs.
  ///
  /// - Throws: ``DatabaseError``.
  init(path: String, patience: Double, readers: Int = 4) throws(DatabaseError) {
    self.path = path
    self.patience = patience
    writer = Connection(database: try Self.connection(path, patience))
    places = DispatchSemaphore(value: readers)
  }

  private static func connection(
    _ path: String, _ patience: Double
  ) throws(DatabaseError) -> Database {
    let database = try Database(path: path, patience: patience)
    // In write-ahead mode, `NORMAL` can't damage the file; a power cut may undo the last changes.
    _ = try database.row("PRAGMA journal_mode = WAL")
    try database.run(script: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000")
    return database
  }

  /// Runs work that may change the database. If it throws, nothing is changed. Blocks.
  ///
  /// - Throws: ``DatabaseError``, and errors of `work`.
  func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
    writing.wait()
    defer { writing.signal() }
    return try writer.database.transaction(startingWith: "BEGIN IMMEDIATE", work)
  }

  /// Runs work that only reads; changes by others during it are not seen. Blocks.
  ///
  /// - Throws: ``DatabaseError``, and errors of `work`.
  func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
    places.wait()
    defer { places.signal() }
    let reader = try idle.withLock { $0.popLast() } ?? newReader()
    defer { idle.withLock { $0.append(reader) } }
    return try reader.database.transaction(startingWith: "BEGIN", work)
  }

  /// Like ``read(_:)``, but suspends instead of blocking.
  func read<Result: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: .init { try self.read(work) }) }
    }
  }

  private func newReader() throws -> Connection {
    let database = try Self.connection(path, patience)
    try database.run(script: "PRAGMA query_only = 1")
    return Connection(database: database)
  }
}
