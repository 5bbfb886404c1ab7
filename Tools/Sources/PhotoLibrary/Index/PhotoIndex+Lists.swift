import CropImaging
import FoundationEssentials
import Glibc

/// A list of photos.
enum PhotoList: Hashable, Sendable {
  case all
  case recent
  case folder(PathBytes)
}

/// A position in a list: the next photos are older, or as old with a smaller name or number.
struct PhotoPosition: Hashable, Sendable {
  let order: Int64
  let name: PathBytes
  let id: Int64

  init(order: Int64, name: PathBytes, id: Int64) {
    self.order = order
    self.name = name
    self.id = id
  }

  init(_ photo: Photo) {
    self.init(order: photo.order, name: photo.place.name, id: photo.id.number)
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let order = Int64(parts[0], radix: 36),
      let id = Int64(parts[1], radix: 36), let name = Digests.bytes(of: parts[2])
    else { return nil }
    self.init(order: order, name: PathBytes(name), id: id)
  }

  var text: String {
    [String(order, radix: 36), String(id, radix: 36), Digests.text(name.bytes)]
      .joined(separator: ".")
  }

  /// The values of the columns that lists are sorted by.
  fileprivate var arguments: [any SQLConvertible] { [order, name, id] }
}

extension PhotoIndex {
  /// The maximum length of the list of recent photos.
  static let mostRecent = 500

  /// The photos of a list after a position, newest first; those of the same time are sorted by name.
  static func photos(
    _ database: Database, in list: PhotoList, after position: PhotoPosition?, limit: Int
  ) throws -> [Photo] {
    var conditions = ["kind < 2"]
    var arguments: [any SQLConvertible] = []
    if case .folder(let path) = list {
      conditions.append("photo.folder = \(folderOfPath)")
      arguments += [path]
    }
    if let position {
      conditions.append("(position, photo.name, photo.id) < (?, ?, ?)")
      arguments += position.arguments
    }
    if list == .recent, let last = try oldestRecent(database) {
      conditions.append("(position, photo.name, photo.id) >= (?, ?, ?)")
      arguments += last.arguments
    }
    arguments += [limit]
    let index = if case .folder = list { "photo_album" } else { "photo_order" }
    let sql = """
      SELECT \(Photo.columns) FROM photo INDEXED BY \(index)
      JOIN folder ON folder.id = photo.folder LEFT JOIN crop ON crop.photo = photo.id
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY position DESC, photo.name DESC, photo.id DESC LIMIT ?
      """
    return try database.rows(sql, arguments).map(
      Photo.init)
  }

  /// The oldest of the recent photos; nil if all photos are recent.
  private static func oldestRecent(_ database: Database) throws -> PhotoPosition? {
    let row = try database.row(
      """
      SELECT position, name, id FROM photo INDEXED BY photo_order WHERE kind < 2
      ORDER BY position DESC, name DESC, id DESC LIMIT 1 OFFSET \(mostRecent - 1)
      """)
    return try row.map { PhotoPosition(order: try $0[0], name: try $0[1], id: try $0[2]) }
  }

  /// The photo with this number; nil if there is none.
  static func photo(_ database: Database, _ id: LibraryID) throws -> Photo? {
    try database.row(
      "SELECT \(Photo.columns) FROM \(Photo.tables) WHERE photo.id = ? AND kind < 2",
      [id.number]
    ).map(Photo.init)
  }

  /// The crops of a photo, newest first.
  static func crops(_ database: Database, of id: LibraryID) throws -> [Photo] {
    try database.rows(
      """
      SELECT \(Photo.columns) FROM \(Photo.tables) WHERE crop.source = ? AND kind < 2
      ORDER BY position DESC, photo.name DESC, photo.id DESC LIMIT 1000
      """, [id.number]
    ).map(Photo.init)
  }

  /// The folders with photos: path, number of photos, and the newest photo that can be shown.
  static func folders(
    _ database: Database
  ) throws -> [(path: PathBytes, count: Int, cover: LibraryID?)] {
    try database.rows(
      """
      SELECT folder.path, counted.number, (
        SELECT id FROM photo INDEXED BY photo_album WHERE folder = counted.folder AND kind < 2 AND kind = 0
        ORDER BY position DESC, name DESC, id DESC LIMIT 1)
      FROM (SELECT folder, COUNT(*) AS number FROM photo INDEXED BY photo_album
        WHERE kind < 2 GROUP BY folder) AS counted JOIN folder ON folder.id = counted.folder
      """
    ).map { row in
      (try row[0], try row[1], try row[2])
    }
  }

  /// The newest of all photos that can be shown.
  static func newest(_ database: Database) throws -> LibraryID? {
    try database.row(
      """
      SELECT id FROM photo INDEXED BY photo_order WHERE kind < 2 AND kind = 0
      ORDER BY position DESC, name DESC, id DESC LIMIT 1
      """
    ).map { try $0[0] }
  }
}
