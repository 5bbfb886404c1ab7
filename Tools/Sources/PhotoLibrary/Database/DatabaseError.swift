import CSQLite

/// An error that SQLite reported.
struct DatabaseError: Error, Equatable, CustomStringConvertible {
  static let corrupt = SQLITE_CORRUPT

  /// SQLite's primary result code, such as `SQLITE_FULL`.
  let code: Int32
  /// What SQLite says about it.
  let message: String

  /// `code` is a primary or an extended result code.
  init(code: Int32, message: String) {
    self.code = code & 0xFF
    self.message = message
  }

  var description: String { "SQLite error \(code): \(message)" }

  /// Whether the file is not a database, is damaged, or has other tables than expected.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code) }

  /// Whether the file can't be opened or created.
  var isUnopenable: Bool { code == SQLITE_CANTOPEN }

  /// Whether the disk is full.
  var isFull: Bool { code == SQLITE_FULL }

  /// Whether another connection held a lock for too long.
  var isLocked: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
}
