import CropImaging
import Foundation
import Glibc
import Testing

@testable import PhotoLibrary

/// A restored file is the removed one, whatever happened to the trash and the index.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryRemovalTests {
  private static let order =
    #"{"recipe": {"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}}"#

  private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  private func photo(_ name: String, of folder: Folder) -> Data? {
    bytes("\(LibraryServer.photos(folder))/\(name)")
  }

  private func id(_ library: LibraryServer, album: String) async throws -> String {
    let albums = try await library.json("GET /api/albums")["albums"] as? [[String: any Sendable]]
    let found = albums?.first { $0["name"] as? String == album }
    return try #require(
      try await library.photos(in: found?["id"] as? String ?? "")["IMG_1.jpg"]?["id"] as? String)
  }

  @Test func `another photo that got a trashed one's name in the trash is not put in its place`()
    async throws
  {
    let library = try await LibraryServer([
      "A/IMG_1.jpg": "jpeg-420-227x149.jpg", "B/IMG_1.jpg": "gray-gamma22.jpg",
    ])
    let (a, b) = (try await id(library, album: "A"), try await id(library, album: "B"))
    let other = try #require(photo("B/IMG_1.jpg", of: library.folder))
    _ = try await library.json("POST /api/photos/\(a)/replace", Self.order)
    let crop = try #require(photo("A/IMG_1.jpg", of: library.folder))
    try FileManager.default.removeItem(atPath: library.folder.path("data/Trash"))
    #expect(try await library.server.send("POST /api/photos/\(b)/trash").status == 204)
    #expect(bytes(library.folder.path("data/Trash/files/IMG_1.jpg")) == other)
    #expect(try await library.json("GET /api/photos/\(a)")["canRestore"] as? Bool == false)
    let answer = try await library.server.send("POST /api/photos/\(a)/restore")
    #expect(answer.status == 409 && answer.problem == "trash", "\(answer)")
    #expect(photo("A/IMG_1.jpg", of: library.folder) == crop)
    #expect(try await library.json("POST /api/photos/\(b)/restore")["id"] as? String == b)
    #expect(photo("B/IMG_1.jpg", of: library.folder) == other)
    await library.server.stop()
  }

  @Test func `photos in the trash are listed and shown until they are restored`() async throws {
    let library = try await LibraryServer([
      "a.jpg": "jpeg-420-227x149.jpg", "b.jpg": "gray-gamma22.jpg",
    ])
    func removed() async throws -> [String] {
      let list = try await library.json("GET /api/trash")["photos"] as? [[String: any Sendable]]
      return (list ?? []).compactMap { $0["name"] as? String }
    }
    let (a, b) = (try await library.id("a.jpg"), try await library.id("b.jpg"))
    _ = try await library.json("POST /api/photos/\(b)/replace", Self.order)
    #expect(try await removed() == [])
    #expect(try await library.server.send("POST /api/photos/\(a)/trash").status == 204)
    #expect(try await removed() == ["a.jpg"])
    let preview = try await library.server.send("GET /api/trash/\(a)/preview?maxSide=100")
    #expect(preview.status == 200 && preview.fields["content-type"] == "image/jpeg")
    // A replaced photo is not in this list, and nothing else of the trash can be read.
    for id in [b, "zzzz"] {
      #expect(try await library.server.send("GET /api/trash/\(id)/preview").status >= 400)
    }
    _ = try await library.json("POST /api/photos/\(a)/restore")
    #expect(try await removed() == [])
    await library.server.stop()
  }

  @Test func `a replaced photo keeps its time`() async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let path = "\(LibraryServer.photos(library.folder))/a.jpg"
    let id = try await library.id("a.jpg")
    var (before, after) = (stat(), stat())
    #expect(stat(path, &before) == 0)
    _ = try await library.json("POST /api/photos/\(id)/replace", Self.order)
    #expect(stat(path, &after) == 0)
    #expect(before.st_mtim.tv_sec == after.st_mtim.tv_sec)
    #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_ino != after.st_ino)
    await library.server.stop()
  }

  @Test(arguments: ["trash", "replace"])
  func `a file of the same length and time is not what was removed`(action: String) async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let original = try #require(photo("a.jpg", of: library.folder))
    let id = try await library.id("a.jpg")
    let answer = try await library.server.send(
      "POST /api/photos/\(id)/\(action)", body: Data(Self.order.utf8))
    #expect(answer.status < 300, "\(answer)")
    let after = photo("a.jpg", of: library.folder)
    let trashed = library.folder.path("data/Trash/files/a.jpg")
    var status = stat()
    #expect(stat(trashed, &status) == 0 && unlink(trashed) == 0)
    try Data(original.reversed()).write(to: URL(fileURLWithPath: trashed))
    #expect(utimensat(AT_FDCWD, trashed, [status.st_atim, status.st_mtim], 0) == 0)
    let refused = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(refused.status == 409 && refused.problem == "trash", "\(refused)")
    #expect(photo("a.jpg", of: library.folder) == after)
    #expect(bytes(trashed) == Data(original.reversed()))
    // Equal bytes are recognized as the removed file, also in a different file.
    try original.write(to: URL(fileURLWithPath: trashed))
    #expect(try await library.json("POST /api/photos/\(id)/restore")["id"] as? String == id)
    #expect(photo("a.jpg", of: library.folder) == original)
    await library.server.stop()
  }

  @Test(arguments: ["deleted", "damaged", "old"])
  func `removed and replaced photos are restored without the index`(index: String) async throws {
    let folder = try LibraryServer.folder([
      "a.jpg": "jpeg-420-227x149.jpg", "b.jpg": "gray-gamma22.jpg", "c.jpg": "jpeg-420-227x149.jpg",
    ])
    let photos = LibraryServer.photos(folder)
    let names = ["a.jpg", "b.jpg", "d.jpg"]
    let first = try await LibraryServer(folder)
    // A renamed file has a different id in a rebuilt index.
    let renamed = try await first.id("c.jpg")
    #expect(rename("\(photos)/c.jpg", "\(photos)/d.jpg") == 0)
    try await eventually("it is renamed") { try await first.photos()["d.jpg"] != nil }
    let originals = names.map { photo($0, of: folder) }
    let (a, b) = (try await first.id("a.jpg"), try await first.id("b.jpg"))
    #expect(try await first.id("d.jpg") == renamed)
    #expect(try await first.server.send("POST /api/photos/\(a)/trash").status == 204)
    for id in [b, renamed] {
      _ = try await first.json("POST /api/photos/\(id)/replace", Self.order)
    }
    await first.server.stop()
    let path = try LibraryServer.index(of: folder)
    switch index {
    case "deleted":
      try FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    case "damaged":
      for ending in ["-wal", "-shm"] { unlink(path + ending) }
      try Data(repeating: 7, count: 20_000).write(to: URL(fileURLWithPath: path))
    default:
      try PhotoIndex(path: path).database.write {
        try $0.run(script: "PRAGMA user_version = 1")
      }
    }
    let second = try await LibraryServer(folder)
    #expect(try await second.json("POST /api/photos/\(a)/restore")["name"] as? String == "a.jpg")
    for name in ["b.jpg", "d.jpg"] {
      let id = try await second.id(name)
      #expect(try await second.json("GET /api/photos/\(id)")["canRestore"] as? Bool == true)
      _ = try await second.json("POST /api/photos/\(id)/restore")
      #expect(try await second.json("GET /api/photos/\(id)")["canRestore"] as? Bool == false)
    }
    #expect(names.map { photo($0, of: folder) } == originals)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("data/Trash/files")) == [])
    await second.server.stop()
  }

  @Test func `files removed from the trash are forgotten at the next start`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try LibraryServer.library(over: folder)
    let place = PhotoPlace(folder: PathBytes(""), name: PathBytes("a.jpg"))
    try library.indexer.refresh([place])
    let photo = try library.index.photo(now: try #require(try library.index.known(place)).id)
    try library.trash.move(photo)
    library.stop()
    let records = try UserFolders(environment: ["XDG_DATA_HOME": folder.path("data")])
      .removals(of: library.root.path)
    // A missing trash may be on a disk that is not mounted now.
    let (trash, away) = (folder.path("data/Trash"), folder.path("data/away"))
    #expect(rename(trash, away) == 0)
    #expect(RemovalRecords(folder: records).removal(of: photo.id) != nil)
    #expect(rename(away, trash) == 0)
    #expect(RemovalRecords(folder: records).removal(of: photo.id) != nil)
    #expect(unlink("\(trash)/files/a.jpg") == 0)
    #expect(RemovalRecords(folder: records).removal(of: photo.id) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: records) == [])
  }

  @Test(arguments: ["", "{}", "null", #"{"version": 2}"#, "../../x"])
  func `an unreadable record is ignored`(text: String) throws {
    let folder = try Folder()
    let id = try #require(LibraryID("x1"))
    _ = try folder.write(text.utf8, as: "x1.json")
    #expect(RemovalRecords(folder: folder.path).removal(of: id) == nil)
  }

  @Test func `a record holds any name, and no path`() throws {
    let folder = try Folder()
    let records = RemovalRecords(folder: folder.path)
    func removal(name: [UInt8]) throws -> Removal {
      let root = try ConfinedFolder(path: PathBytes(folder.path))
      _ = try folder.write([1, 2, 3], as: "file")
      return Removal(
        photo: LibraryID(5),
        place: PhotoPlace(folder: PathBytes([0xFF, 0x2F, 0x25]), name: PathBytes(name)),
        replacement: FileStamp(size: 1, modified: -2, inode: 3),
        item: Trash.Item(trash: PathBytes("/\u{1F3D4} \n"), name: PathBytes([0xFE])),
        original: try RemovedFile(PathBytes("file"), in: root, limit: 10))
    }
    let odd = try removal(name: Array("%41+ü\n\"\\".utf8) + [0xFF])
    try records.note(odd, after: nil)
    #expect(records.removal(of: odd.photo) == odd)
    #expect(RemovalRecords(folder: folder.path).removal(of: odd.photo) == odd)
    try records.note(removal(name: Array("../x".utf8)), after: nil)
    #expect(records.removal(of: odd.photo) == nil)
  }

  @Test func `a file that is copied into the trash keeps its permissions and times`() throws {
    let folder = try Folder()
    let path = try folder.write([1, 2, 3], as: "a")
    #expect(chmod(path, 0o640) == 0)
    let time = timespec(tv_sec: 1_600_000_000, tv_nsec: 5)
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    let root = try ConfinedFolder(path: PathBytes(folder.path))
    let source = try root.open(PathBytes("a"))
    defer { close(source) }
    try FileCopy.make(of: source, as: PathBytes("b"), in: root.descriptor, limit: 3)
    let copy = try #require(root.status(of: PathBytes("b")))
    #expect(copy.st_mode & 0o777 == 0o640 && copy.st_mtim.tv_sec == time.tv_sec)
    #expect(bytes(folder.path("b")) == Data([1, 2, 3]))
    lseek(source, 0, SEEK_SET)
    #expect(throws: CropError.self) {
      try FileCopy.make(of: source, as: PathBytes("c"), in: root.descriptor, limit: 2)
    }
    #expect(folder.names == ["a", "b"])
  }
}
