import CropCore
import CropImaging
import Foundation
import Glibc
import TestMaterial
import Testing

@testable import PhotoLibrary

/// The index follows the disk, whatever happens to either.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryIndexTests {
  private static let order =
    #"{"recipe": {"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}}"#

  @Test(arguments: Thorough.all(["photo", "photo_order", "folder"], or: 1))
  func `an index with one damaged page is rebuilt`(part: String) async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    await (try LibraryServer(folder)).server.stop()
    let path = try LibraryServer.index(of: folder)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let page = try #require(try page(of: part, path))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    _ = try await library.json("POST /api/photos/\(id)/crops", Self.order, status: 201)
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    #expect(try await library.json("POST /api/photos/\(id)/restore")["id"] as? String == id)
    await library.server.stop()
  }

  @Test(
    arguments: Thorough.all(
      ["DROP TABLE crop", "DROP INDEX photo_size", "ALTER TABLE photo ADD COLUMN x"], or: 1))
  func `an index of this version with other tables is rebuilt`(change: String) async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    await (try LibraryServer(folder)).server.stop()
    let path = try LibraryServer.index(of: folder)
    try execute(change, path)
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    _ = try await library.json("POST /api/photos/\(id)/crops", Self.order, status: 201)
    await library.server.stop()
  }

  private func execute(_ sql: String, _ path: String) throws {
    try PhotoIndex(path: path).database.write { try $0.run(script: sql) }
  }

  @Test func `a folder in the place of the index is named`() async throws {
    let folder = try LibraryServer.folder([:])
    await (try LibraryServer(folder)).server.stop()
    let path = try LibraryServer.index(of: folder)
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    mkdir(path, 0o700)
    #expect(throws: CropError.outputUncreatable(path: path, detail: "it is a folder; remove it")) {
      _ = try LibraryServer.library(over: folder)
    }
  }

  /// The number of the first page of a table or an index.
  private func page(of part: String, _ path: String) throws -> Int? {
    try PhotoIndex(path: path).database.read {
      try $0.row("SELECT rootpage FROM sqlite_master WHERE name = ?", [part])?[0]
    }
  }

  @Test func `a full disk is distinguished from other errors of the index`() throws {
    let folder = try Folder()
    let index = try PhotoIndex(path: folder.path("index.sqlite"))
    let error = #expect(throws: (any Error).self) {
      try index.database.write { database in
        try database.run(script: "PRAGMA max_page_count = 1")
        for number in 0..<1000 {
          try database.execute(
            "INSERT INTO folder VALUES (?, zeroblob(100000), ?)", [number, "\(number)"])
        }
      }
    }
    #expect(LibraryError(try #require(error)) == .diskFull(place: "the index of the library"))
    let other = #expect(throws: (any Error).self) {
      try index.database.write { try $0.execute("nonsense") }
    }
    #expect(LibraryError(try #require(other)) == nil)
  }

  @Test func `an index that can't be written is logged, and complete soon after it can`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let index = try PhotoIndex(path: LibraryServer.index(of: folder))
    // Fails like a full disk.
    try index.database.write {
      try $0.run(
        script: "CREATE TRIGGER f BEFORE INSERT ON photo BEGIN SELECT RAISE(ABORT, 'no room'); END")
    }
    for name in ["b.jpg", "c.jpg"] {
      try LibraryServer.add("jpeg-420-227x149.jpg", as: name, to: folder)
    }
    try await eventually("it is logged") { library.server.log.contains("no room") }
    #expect(try await library.photos().count == 1)
    try index.database.write { try $0.run(script: "DROP TRIGGER f") }
    try await eventually("all photos are there") { try await library.photos().count == 3 }
    try await eventually("that is logged") {
      library.server.log.contains("index is written again")
    }
    #expect(library.server.log.components(separatedBy: "no room").count == 2)
    await library.server.stop()
  }

  @Test func `a photo that replaces a crop is not a crop, nor is a later file there`()
    async throws
  {
    let folder = try LibraryServer.folder([
      "a.jpg": "jpeg-420-227x149.jpg", "o.jpg": "gray-gamma22.jpg",
    ])
    let library = try await LibraryServer(folder)
    let (a, o) = (try await library.id("a.jpg"), try await library.id("o.jpg"))
    let saved = try await library.json("POST /api/photos/\(a)/crops", Self.order, status: 201)
    let crop = try #require(saved["id"] as? String)
    let events = try Connection(port: library.server.port)
    events.send(
      Data("GET /api/events HTTP/1.1\r\n\(library.server.ownFields)\r\n".utf8))
    #expect(await events.read(until: "event: indexing").hasPrefix("HTTP/1.1 200"))
    let photos = LibraryServer.photos(folder)
    let place = "\(photos)/Cropped/a-cropped.jpg"
    #expect(rename("\(photos)/o.jpg", place) == 0)
    try await eventually("the photo has moved") {
      try await library.photos()["a-cropped.jpg"]?["id"] as? String == o
    }
    #expect(try await library.server.send("GET /api/photos/\(crop)").status == 404)
    // Reported before a later file at the same place gets the same id.
    var reported = ""
    func isRemoved() -> Bool {
      reported.contains(#"{"id":"\#(crop)","change":"removed"}"#)
        || reported.contains(#"{"change":"removed","id":"\#(crop)"}"#)
    }
    while !isRemoved() {
      let more = await events.read()
      try #require(!more.isEmpty, "\(reported)")
      reported += String(decoding: more, as: UTF8.self)
    }
    try FileManager.default.removeItem(atPath: place)
    try await eventually("it is gone") {
      try await Array(library.photos().keys) == ["a.jpg"]
    }
    try LibraryServer.add("png-rgba8.png", as: "Cropped/a-cropped.jpg", to: folder)
    try await eventually("another one is there") {
      try await library.photos()["a-cropped.jpg"] != nil
    }
    let photo = try await library.json(
      "GET /api/photos/\(try await library.id("a-cropped.jpg"))")
    #expect(photo["cropOf"] == nil && photo["recipe"] is NSNull, "\(photo)")
    let source = try await library.json("GET /api/photos/\(a)")
    #expect((source["crops"] as? [[String: any Sendable]])?.isEmpty == true)
    await library.server.stop()
  }

  @Test func `a crop whose photo can't have another's id stays its own`() throws {
    let folder = try Folder()
    let index = try PhotoIndex(path: folder.path("index.sqlite"))
    var rows = (1...2).map { number in
      PhotoRow(
        place: PhotoPlace(folder: PathBytes(""), name: PathBytes("\(number).jpg")),
        stamp: FileStamp(size: 1, modified: 1, inode: Int64(number)), kind: .picture)
    }
    rows[1].provenance = Provenance(
      recipe: CropRecipe(), sourceName: "a.jpg", sourceBytes: 1, checksum: "0")
    let ids = try index.store(rows)
    try index.rename(ids[1], to: ids[0])
    #expect(try index.provenance(of: ids[0]) == nil)
    #expect(try index.provenance(of: ids[1])?.sourceName == "a.jpg")
  }

  @Test func `a crop's source stays known until its file changes`() throws {
    let folder = try Folder()
    let index = try PhotoIndex(path: folder.path("index.sqlite"))
    let provenance = Provenance(
      recipe: CropRecipe(), sourceName: "1.jpg", sourceBytes: 1, checksum: "0")
    func row(_ number: Int, modified: Int64 = 1, _ provenance: Provenance? = nil) -> PhotoRow {
      var row = PhotoRow(
        place: PhotoPlace(folder: PathBytes(""), name: PathBytes("\(number).jpg")),
        stamp: FileStamp(size: 1, modified: modified, inode: Int64(number)), kind: .picture)
      row.provenance = provenance
      return row
    }
    let ids = try index.store([row(1), row(2, provenance)])
    func crops() throws -> [LibraryID] {
      try index.database.read { try PhotoIndex.crops($0, of: ids[0]) }.map(\.id)
    }
    try index.store(provenance, of: ids[1], source: ids[0])
    // Both are indexed again, as the folder watch may do at any time.
    try index.store([row(1), row(2, provenance)])
    #expect(try crops() == [ids[1]])
    try index.store([row(1, modified: 2)])
    #expect(try crops() == [])
    try index.store(provenance, of: ids[1], source: ids[0])
    var other = provenance
    other.checksum = "1"
    try index.store([row(2, other)])
    #expect(try crops() == [])
    try index.store(provenance, of: ids[1], source: ids[0])
    try index.store([row(2, modified: 2)])
    #expect(try crops() == [])
    #expect(try index.provenance(of: ids[1]) == nil)
  }

  @Test func `a pipe in a photo's place is not read`() throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try LibraryServer.library(over: folder)
    let place = PhotoPlace(folder: PathBytes(""), name: PathBytes("a.jpg"))
    try library.indexer.refresh([place])
    let known = try #require(try library.index.known(place))
    let photo = try library.index.photo(now: known.id)
    let path = LibraryServer.photos(folder) + "/a.jpg"
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    #expect(throws: LibraryError.gone(name: "a.jpg")) { try library.files.open(photo) }
    #expect(FileReader(root: library.root, engine: library.engine).row(at: place) == nil)
    library.stop()
  }

  @Test func `files over a limit are checked again when the server restarts`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let strict = try await LibraryServer(folder, "--limit-pixels", "10000")
    let id = try await strict.id("a.jpg")
    #expect(try await strict.photos()["a.jpg"]?["problem"] != nil)
    let refused = try await strict.server.send("GET /api/photos/\(id)/thumbnail")
    #expect(refused.status == 413 && refused.problem == "limit-pixels", "\(refused)")
    await strict.server.stop()
    let library = try await LibraryServer(folder)
    #expect(try await library.photos()["a.jpg"]?["problem"] == nil)
    #expect(try await library.server.send("GET /api/photos/\(id)/thumbnail").status == 200)
    await library.server.stop()
  }

  @Test func `a limit that a thumbnail was over is not remembered`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let place = PhotoPlace(folder: PathBytes(""), name: PathBytes("a.jpg"))
    let library = try LibraryServer.library(over: folder)
    try library.indexer.refresh([place])
    let known = try #require(try library.index.known(place))
    let photo = try library.index.photo(now: known.id)
    let strict = try LibraryServer.library(over: folder, limits: Limits(pixels: 10_000))
    let error = await #expect(throws: CropError.self) {
      try await strict.thumbnails.thumbnail(of: photo, .large)
    }
    #expect(error?.code == "limit-pixels")
    #expect(try library.index.photo(now: known.id).problem == nil)
    #expect(try await !library.thumbnails.thumbnail(of: photo, .large).bytes.isEmpty)
    for library in [library, strict] { library.stop() }
  }
}
