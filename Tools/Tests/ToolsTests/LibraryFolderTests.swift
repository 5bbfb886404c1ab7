import CropImaging
import Foundation
import Glibc
import Synchronization
import TestMaterial
import Testing

@testable import PhotoLibrary

/// The library's folder, whatever happens to it and whatever it contains.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryFolderTests {
  private static let order =
    #"{"recipe": {"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}}"#

  @Test(arguments: ["removed", "moved away"])
  func `a recreated library folder is listed`(how: String) async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let photos = LibraryServer.photos(library.folder)
    let id = try await library.id("a.jpg")
    if how == "removed" {
      try FileManager.default.removeItem(atPath: photos)
    } else {
      #expect(rename(photos, library.folder.path("elsewhere")) == 0)
    }
    try await eventually("nothing is left") { try await library.photos().isEmpty }
    for path in ["thumbnail", "original"] {
      #expect(try await library.server.send("GET /api/photos/\(id)/\(path)").status == 404)
    }
    try LibraryServer.add("gray-gamma22.jpg", as: "Trip/b.jpg", to: library.folder)
    try await eventually("the new folder is seen") {
      try await Array(library.photos().keys) == ["b.jpg"]
    }
    try LibraryServer.add("png-rgba8.png", as: "Trip/c.png", to: library.folder)
    try await eventually("and watched") { try await library.photos()["c.png"] != nil }
    let new = try await library.id("b.jpg")
    _ = try await library.json("POST /api/photos/\(new)/crops", Self.order, status: 201)
    #expect(library.has("Cropped/b-cropped.jpg"))
    await library.server.stop()
  }

  @Test func `a folder is listed that gets the inode of the library's folder`() async throws {
    let library = try await LibraryServer(["0.jpg": "jpeg-420-227x149.jpg"])
    let photos = LibraryServer.photos(library.folder)
    // The file system decides about the inode; it is the same in most rounds.
    for round in 1...8 {
      try FileManager.default.removeItem(atPath: photos)
      try await eventually("nothing is left") { try await library.photos().isEmpty }
      try LibraryServer.add("gray-gamma22.jpg", as: "\(round).jpg", to: library.folder)
      try await eventually("the new folder is seen") {
        try await Array(library.photos().keys) == ["\(round).jpg"]
      }
    }
    await library.server.stop()
  }

  @Test func `a link in the place of the library's folder is not followed`() async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let photos = LibraryServer.photos(library.folder)
    #expect(rename(photos, library.folder.path("real")) == 0 && symlink("real", photos) == 0)
    try await eventually("nothing is left") { try await library.photos().isEmpty }
    await library.server.stop()
  }

  @Test func `a server started inside the library does not stay there`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let photos = LibraryServer.photos(folder)
    let server = try await RunningServer(
      options: ["--library", ".", "--samples", "../Photos"],
      environment: ["XDG_CACHE_HOME": folder.path("cache")], in: photos)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(server.process)/cwd")
        == "/")
    // Files that were named relative to it are found.
    try await eventually("the photo is listed") {
      try await server.send("GET /api/albums/all/photos").text.contains("\"a.jpg\"")
    }
    #expect(try await server.send("GET /api/samples").text.contains("\"a.jpg\""))
    #expect(await server.stop() == 0)
    let behind = try await RunningServer(options: ["--socket", "../s"], in: photos)
    let connection = try Connection(path: folder.path("s"))
    let head = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    let request = Data("\(head)\(RunningServer.credentials)\r\n".utf8)
    #expect(try await connection.exchange(request).status == 200)
    #expect(await behind.stop() == 0)
    #expect(!folder.names.contains("s"))
  }

  @Test func `a server at rest holds nothing in the library open`() async throws {
    let folder = try LibraryServer.folder(["Trip/a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let photos = LibraryServer.photos(folder)
    let id = try await library.id("a.jpg")
    #expect(try await library.server.send("GET /api/photos/\(id)/thumbnail").status == 200)
    _ = try await library.json("POST /api/photos/\(id)/crops", Self.order, status: 201)
    let process = "/proc/\(library.server.process)"
    func held() throws -> [String] {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd")
      return (files.map { "fd/\($0)" } + ["cwd", "root"]).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/\($0)")
      }.filter { $0.hasPrefix(photos) }
    }
    try await eventually("nothing is held") { try held().isEmpty }
    await library.server.stop()
  }

  @Test func `a photo behind a path of more than 4096 bytes is listed, cropped and trashed`()
    async throws
  {
    let folder = try LibraryServer.folder([:])
    let photos = LibraryServer.photos(folder)
    let name = String(repeating: "d", count: 250)
    let photo = try Data(
      contentsOf: URL(fileURLWithPath: Picture.named("jpeg-420-227x149.jpg").path))
    var place = open(photos, O_RDONLY | O_DIRECTORY)
    for _ in 0..<40 {
      #expect(mkdirat(place, name, 0o700) == 0)
      let next = openat(place, name, O_RDONLY | O_DIRECTORY)
      close(place)
      place = next
    }
    defer { close(place) }
    let path = "/proc/self/fd/\(place)/a.jpg"
    try photo.write(to: URL(fileURLWithPath: path))
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    #expect(try await library.server.send("GET /api/photos/\(id)/thumbnail").status == 200)
    _ = try await library.json("POST /api/photos/\(id)/crops", Self.order, status: 201)
    _ = try await library.json("POST /api/photos/\(id)/replace", Self.order)
    #expect(try await library.json("POST /api/photos/\(id)/restore")["width"] as? Int == 227)
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await library.json("POST /api/photos/\(id)/restore")["id"] as? String == id)
    #expect(FileManager.default.contents(atPath: path) == photo)
    await library.server.stop()
    // FileManager cannot remove so long a path.
    #expect(try await Program.shell("rm -rf Photos", folder: folder.path).status == 0)
  }

  @Test(arguments: [(0o600, 0o600), (0o640, 0o640), (0o400, 0o600), (0o666, 0o644), (0o755, 0o644)])
  func `who may not read a photo may not read its crop`(photo: Int, crop: Int) async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    #expect(chmod(LibraryServer.photos(folder) + "/a.jpg", mode_t(photo)) == 0)
    // What the umask leaves; it can't be read without changing it for all tests.
    var plain = stat()
    #expect(stat(try folder.write([1], as: "plain"), &plain) == 0)
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    _ = try await library.json("POST /api/photos/\(id)/crops", Self.order, status: 201)
    var status = stat()
    #expect(stat(LibraryServer.photos(folder) + "/Cropped/a-cropped.jpg", &status) == 0)
    #expect(status.st_mode & 0o777 == mode_t(crop) & plain.st_mode)
    await library.server.stop()
  }

  /// Two names with the same 63 bits of FNV-1a.
  @Test func `folders whose names were made to collide are two albums`() async throws {
    let names = ["Ngyrfmo2vixyab", "Ncx7imud4m6hgf"]
    let folder = try LibraryServer.folder([
      "\(names[0])/a.jpg": "jpeg-420-227x149.jpg", "\(names[1])/b.jpg": "gray-gamma22.jpg",
    ])
    let library = try await LibraryServer(folder)
    let all = try await library.json("GET /api/albums")["albums"] as? [[String: any Sendable]]
    for (name, photo) in zip(names, ["a.jpg", "b.jpg"]) {
      let album = all?.first { $0["name"] as? String == name }
      let id = try #require(album?["id"] as? String, "\(name)")
      #expect(try await Array(library.photos(in: id).keys) == [photo])
    }
    await library.server.stop()
  }

  @Test func `an index locked by another program is reported, and nothing is changed`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let photo = FileManager.default.contents(atPath: LibraryServer.photos(folder) + "/a.jpg")
    let index = try PhotoIndex(path: LibraryServer.index(of: folder), patience: 300)
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let holding: Void = onOwnThread {
      // Signals even if the index can't be locked, so that the test continues.
      defer { held.signal() }
      try index.database.write { _ in
        held.signal()
        release.wait()
      }
    }
    await onOwnThread { held.wait() }
    defer { release.signal() }
    // Each waits for the lock.
    for action in Thorough.all(["crops", "replace", "trash"], or: 1) {
      let answer = try await library.server.send(
        "POST /api/photos/\(id)/\(action)", body: Data(Self.order.utf8))
      #expect(answer.status == 503 && answer.problem == "index-locked", "\(action): \(answer)")
      #expect(
        FileManager.default.contents(atPath: LibraryServer.photos(folder) + "/a.jpg") == photo)
    }
    #expect(Folder.names(in: LibraryServer.photos(folder) + "/Cropped") == [])
    // Scanning continues.
    #expect(try await library.photos()["a.jpg"] != nil)
    release.signal()
    try await holding
    await library.server.stop()
  }
}
