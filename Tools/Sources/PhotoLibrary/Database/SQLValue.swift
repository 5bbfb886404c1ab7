/// A value of a column, in the five classes that SQLite stores.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type whose values can be stored in a column and read from one.
protocol SQLConvertible {
  /// The stored value.
  var sqlValue: SQLValue { get }
  /// Nil if the value is of another class, or out of range.
  init?(_ value: SQLValue)
}

extension SQLConvertible where Self: FixedWidthInteger {
  var sqlValue: SQLValue { .integer(Int64(clamping: self)) }

  init?(_ value: SQLValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(exactly: number)
  }
}

extension Int: SQLConvertible {}
extension Int64: SQLConvertible {}

extension String: SQLConvertible {
  var sqlValue: SQLValue { .text(self) }

  init?(_ value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension [UInt8]: SQLConvertible {
  var sqlValue: SQLValue { .blob(self) }

  init?(_ value: SQLValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  var sqlValue: SQLValue { self?.sqlValue ?? .null }

  init?(_ value: SQLValue) {
    if value == .null {
      self = nil
      return
    }
    guard let wrapped = Wrapped(value) else { return nil }
    self = wrapped
  }
}

/// The values of one row of a result.
struct SQLRow: Sendable {
  /// The value of each selected column.
  let values: [SQLValue]

  /// The value of a column, from 0.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` if the stored value is of another class: the
  ///   file was written by another program.
  subscript<Value: SQLConvertible>(_ column: Int) -> Value {
    get throws(DatabaseError) {
      guard values.indices.contains(column), let value = Value(values[column]) else {
        throw DatabaseError(
          code: DatabaseError.corrupt, message: "column \(column) has an unexpected value")
      }
      return value
    }
  }
}
