import Foundation
import Testing

@testable import PhotoLibrary

@Suite struct `The database` {
  private func memory() throws -> Database {
    let database = try Database(path: ":memory:")
    try database.run(script: "CREATE TABLE t (a, b)")
    return database
  }

  @Test func `returns the values that it got`() throws {
    let database = try memory()
    try database.execute("INSERT INTO t VALUES (?, ?)", [Int64.min, "a\u{0}'ü"])
    #expect(database.lastInsertedID == 1 && database.changes == 1)
    try database.execute("INSERT INTO t VALUES (?, ?)", [[UInt8](), Int?.none])
    try database.execute("INSERT INTO t VALUES (?, ?)", [[UInt8(0), 255], Int?.some(7)])
    let rows = try database.rows("SELECT a, b FROM t")
    #expect(
      rows.map(\.values) == [
        [.integer(.min), .text("a\u{0}'ü")], [.blob([]), .null], [.blob([0, 255]), .integer(7)],
      ])
    let (text, none): (String, Int?) = (try rows[0][1], try rows[1][1])
    #expect(text == "a\u{0}'ü" && none == nil)
    #expect(try database.row("SELECT 1 FROM t WHERE a = 5") == nil)
  }

  @Test func `reports a value of another class, and a column that does not exist`() throws {
    let row = SQLRow(values: [.text("1"), .real(1), .integer(1 << 40)])
    #expect(throws: DatabaseError.self) { let _: Int = try row[0] }
    #expect(throws: DatabaseError.self) { let _: Int? = try row[1] }
    #expect(throws: DatabaseError.self) { let _: Int = try row[3] }
    #expect(try row[2] as Int == 1 << 40)
  }

  @Test func `undoes a transaction that fails`() throws {
    struct Failure: Error {}
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let pool = try DatabasePool(path: folder.path("a.sqlite"), patience: 1)
    try pool.write { try $0.run(script: "CREATE TABLE t (a)") }
    #expect(throws: Failure.self) {
      try pool.write { database in
        try database.execute("INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(try pool.read { try $0.rows("SELECT a FROM t").count } == 0)
    #expect(throws: DatabaseError.self) {
      try pool.read { try $0.execute("INSERT INTO t VALUES (1)") }
    }
  }

  @Test func `shows a reader no changes made meanwhile`() throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let pool = try DatabasePool(path: folder.path("a.sqlite"), patience: 1)
    try pool.write { try $0.run(script: "CREATE TABLE t (a)") }
    try pool.read { database in
      #expect(try database.rows("SELECT a FROM t").isEmpty)
      try pool.write { try $0.execute("INSERT INTO t VALUES (1)") }
      #expect(try database.rows("SELECT a FROM t").isEmpty)
    }
    #expect(try pool.read { try $0.rows("SELECT a FROM t").count } == 1)
  }

  @Test func `says that another connection has locked it`() throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("a.sqlite")
    let (first, second) = (try Database(path: path), try Database(path: path))
    try first.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: DatabaseError.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(error?.isLocked == true)
  }
}
