import CSQLite

/// One connection to an SQLite database.
///
/// Prepared statements are kept, so the SQL of a call must not contain values.
final class Database {
  private let connection: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file, which is created if it does not exist; `:memory:` is an empty database that is
  /// never stored. Waits up to `patience` seconds for a lock of another connection.
  ///
  /// - Throws: ``DatabaseError``.
  init(path: String, patience: Double = 0) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw DatabaseError(code: code, message: message)
    }
    connection = opened
    sqlite3_busy_timeout(connection, Int32(clamping: Int(patience * 1000)))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(connection)
  }

  /// The id of the row that the last `INSERT` added.
  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(connection) }

  /// How many rows the last `INSERT`, `UPDATE` or `DELETE` changed.
  var changes: Int { Int(sqlite3_changes(connection)) }

  /// Runs any number of statements without arguments and results.
  ///
  /// - Throws: ``DatabaseError``.
  func run(script: String) throws(DatabaseError) {
    try check(sqlite3_exec(connection, script, nil, nil, nil))
  }

  /// Runs a statement and ignores its results.
  ///
  /// - Throws: ``DatabaseError``.
  func execute(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(DatabaseError) {
    try forEachRow(of: sql, arguments) { _ in true }
  }

  /// All rows of a result.
  ///
  /// - Throws: ``DatabaseError``.
  func rows(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(DatabaseError) -> [SQLRow]
  {
    var rows: [SQLRow] = []
    try forEachRow(of: sql, arguments) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// The first row of a result; nil if it is empty.
  ///
  /// - Throws: ``DatabaseError``.
  func row(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(DatabaseError) -> SQLRow? {
    var found: SQLRow?
    try forEachRow(of: sql, arguments) { row in
      found = row
      return false
    }
    return found
  }

  /// Runs work in a transaction that `sql` starts, and undoes it if it fails.
  func transaction<Result>(
    startingWith sql: String, _ work: (Database) throws -> Result
  ) throws -> Result {
    try execute(sql)
    do {
      let result = try work(self)
      try execute("COMMIT")
      return result
    } catch {
      // Fails if SQLite has already undone the transaction, as after an error of the disk.
      try? execute("ROLLBACK")
      throw error
    }
  }
}

extension Database {
  private func forEachRow(
    of sql: String, _ arguments: [any SQLConvertible], _ body: (SQLRow) -> Bool
  ) throws(DatabaseError) {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, argument) in arguments.enumerated() {
      try bind(argument.sqlValue, to: statement, at: Int32(index + 1))
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { return try check(code) }
      if !body(Self.row(of: statement)) { return }
    }
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(connection, sql, -1, 0, &statement, nil))
    guard let statement else {
      throw DatabaseError(code: SQLITE_ERROR, message: "the SQL has no statement")
    }
    statements[sql] = statement
    return statement
  }

  private func bind(
    _ value: SQLValue, to statement: OpaquePointer, at index: Int32
  ) throws(DatabaseError) {
    // SQLITE_TRANSIENT, a macro with a cast: SQLite copies the bytes.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: try check(sqlite3_bind_null(statement, index))
    case .integer(let number): try check(sqlite3_bind_int64(statement, index, number))
    case .real(let number): try check(sqlite3_bind_double(statement, index, number))
    case .text(let text):
      try check(sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), copied))
    case .blob(let bytes):
      // An empty array may have no address, which would bind null.
      let code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), copied)
      try check(code)
    }
  }

  private static func row(of statement: OpaquePointer) -> SQLRow {
    SQLRow(
      values: (0..<sqlite3_column_count(statement)).map { column in
        let count = Int(sqlite3_column_bytes(statement, column))
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
          guard let text = sqlite3_column_text(statement, column) else { return .null }
          return .text(
            String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
          let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: count)
          return .blob([UInt8](bytes))
        default: return .null
        }
      })
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(
      code: sqlite3_extended_errcode(connection),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}
