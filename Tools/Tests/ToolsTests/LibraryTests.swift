import Foundation
import TestMaterial
import Testing

/// The library with real folders and sockets: listing photos.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryTests {
  private static let ten = Dictionary(
    uniqueKeysWithValues: (0..<10).map { ("Trip/\($0).jpg", "jpeg-420-227x149.jpg") })

  @Test func `albums are the folders and four more, with counts and covers`() async throws {
    let folder = try LibraryServer.folder(
      Self.ten.merging(["a.png": "png-rgba8.png", ".hidden.jpg": "jpeg-420-227x149.jpg"]) { a, _ in
        a
      })
    let library = try await LibraryServer(folder)
    let answer = try await library.json("GET /api/albums")
    #expect(answer["folder"] as? String == "Photos")
    let albums = try #require(answer["albums"] as? [[String: any Sendable]])
    #expect(
      albums.map { $0["name"] as? String } == [
        "All", "Recent", "Camera", "Cropped", "Photos", "Trip",
      ])
    #expect(albums.map { $0["count"] as? Int } == [11, 11, 0, 0, 1, 10])
    #expect(albums.map { $0["cover"] != nil } == [true, true, false, false, true, true])
    await library.server.stop()
  }

  @Test func `a list is paged, newest first, every photo once, whatever comes meanwhile`()
    async throws
  {
    let folder = try LibraryServer.folder(Self.ten)
    for number in 0..<10 {
      let time = Date(timeIntervalSince1970: Double(1_600_000_000 + number / 2 * 1000))
      try FileManager.default.setAttributes(
        [.modificationDate: time],
        ofItemAtPath: LibraryServer.photos(folder) + "/Trip/\(number).jpg")
    }
    let library = try await LibraryServer(folder)
    var seen: [String] = []
    var times: [String] = []
    var after = ""
    repeat {
      let page = try await library.json("GET /api/albums/all/photos?limit=3\(after)")
      for photo in try #require(page["photos"] as? [[String: any Sendable]]) {
        seen.append(photo["name"] as? String ?? "")
        times.append(photo["modified"] as? String ?? "")
      }
      if seen.count == 3 {
        try LibraryServer.add("png-rgba8.png", as: "new.png", to: folder)
        try await eventually("the new one") { try await library.photos()["new.png"] != nil }
      }
      // Null at the end, and never missing.
      let next = try #require(page["next"])
      after = (next as? String).map { "&after=\($0)" } ?? ""
    } while !after.isEmpty
    #expect(seen.sorted() == (0..<10).map { "\($0).jpg" })
    #expect(times == times.sorted().reversed())
    for wrong in ["limit=0", "limit=x", "after=x", "after=zz.", "limit=1001", "offset=3"] {
      #expect(try await library.server.send("GET /api/albums/all/photos?\(wrong)").status == 400)
    }
    for album in ["nothing", "-zz", "..", "-", "Trip"] {
      #expect(try await library.server.send("GET /api/albums/\(album)/photos").status == 404)
    }
    await library.server.stop()
  }

  @Test func `photos stand where they were taken in time, also without reading them whole`()
    async throws
  {
    let library = try await LibraryServer([
      "a.jpg": "camera-nikon-gps-422.jpg", "b.heic": "heic-iphone-grid-irot3.heic",
      "c.jpg": "icc-displayp3-apple-gainmap.jpg", "d.jpg": "jpeg-420-227x149.jpg",
    ])
    let list = try await library.json("GET /api/albums/all/photos")
    let photos = try #require(list["photos"] as? [[String: any Sendable]])
    #expect(photos.map { $0["name"] as? String } == ["d.jpg", "c.jpg", "b.heic", "a.jpg"])
    #expect(
      photos.map { $0["captured"] as? String } == [
        nil, "2026-01-07T15:20:14+01:00", "2018-07-31T14:52:07", "2008-10-22T16:28:39",
      ])
    await library.server.stop()
  }

  @Test func `links are not followed and hidden folders not entered`() async throws {
    let folder = try LibraryServer.folder([
      "real.jpg": "jpeg-420-227x149.jpg", ".cache/x.jpg": "jpeg-420-227x149.jpg",
    ])
    let photos = LibraryServer.photos(folder)
    for (link, target) in [
      ("file.jpg", Picture.all[0].path), ("out", Picture.folder), ("in.jpg", "real.jpg"),
      ("loop", "."),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(photos)/\(link)", withDestinationPath: target)
    }
    let library = try await LibraryServer(folder)
    #expect(try await Array(library.photos().keys) == ["real.jpg"])
    // Nor is a file that replaces a photo later.
    let id = try await library.id("real.jpg")
    #expect(try await library.server.send("GET /api/photos/\(id)/thumbnail").status == 200)
    try FileManager.default.removeItem(atPath: "\(photos)/real.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos)/real.jpg", withDestinationPath: Picture.all[0].path)
    for path in ["original", "preview", "thumbnail"] {
      let answer = try await library.server.send("GET /api/photos/\(id)/\(path)")
      #expect([404, 409].contains(answer.status), "\(answer)")
    }
    await library.server.stop()
  }

  @Test(
    arguments: Thorough.all(
      [
        "a b.jpg", "new\nline.jpg", "<img src=x onerror=alert(1)>.jpg", "%2e%2e%2f.jpg",
        "\u{1F3D4}\u{FE0F}.jpg", "-x.jpg", "a[fail_on=none].jpg", "invalid", "long",
      ], or: 4))
  func `any name is listed, shown and cropped`(name: String) async throws {
    let folder = try LibraryServer.folder([:])
    var bytes = Array(name.utf8)
    if name == "invalid" { bytes = [0x66, 0xFF, 0xFE, 0x2E, 0x6A, 0x70, 0x67] }
    if name == "long" { bytes = Array((String(repeating: "é", count: 125) + ".jpg").utf8) }
    let source = try Picture.named("jpeg-420-227x149.jpg").path
    let target = Array("\(LibraryServer.photos(folder))/".utf8) + bytes
    #expect(
      link(source, target.map { CChar(bitPattern: $0) } + [0]) == 0 || Self.copy(source, target))
    let library = try await LibraryServer(folder)
    let photos = try await library.photos()
    let photo = try #require(photos.first?.value)
    #expect(photo["name"] as? String == String(decoding: bytes, as: UTF8.self))
    let id = try #require(photo["id"] as? String)
    let thumbnail = try await library.server.send("GET /api/photos/\(id)/thumbnail")
    #expect(thumbnail.status == 200)
    let original = try await library.server.send("GET /api/photos/\(id)/original")
    #expect(original.body == (try Data(contentsOf: URL(fileURLWithPath: source))))
    let crop = #"{"recipe": {"rect": {"x": 1, "y": 2, "width": 30, "height": 40}}}"#
    let saved = try await library.json("POST /api/photos/\(id)/crops", crop, status: 201)
    #expect(saved["cropOf"] as? String == id)
    #expect((saved["name"] as? String ?? "").hasSuffix("-cropped.jpg"))
    await library.server.stop()
  }

  private static func copy(_ source: String, _ target: [UInt8]) -> Bool {
    guard let data = FileManager.default.contents(atPath: source) else { return false }
    let file = creat(target.map { CChar(bitPattern: $0) } + [0], 0o600)
    defer { close(file) }
    return data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == data.count
  }

  @Test func `a broken picture is listed with its reason, and again after a restart`() async throws
  {
    let folder = try LibraryServer.folder([
      "header.jpg": "bad-jpeg-header.jpg", "bomb.png": "bomb-png-65536x65536.png",
    ])
    let photos = LibraryServer.photos(folder)
    // Valid at its start, truncated in its pixels.
    let whole = try Data(contentsOf: URL(fileURLWithPath: Picture.named("cmyk-noprofile.jpg").path))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: "\(photos)/half.jpg"))
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(photos)/words.jpg"))
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(photos)/words.txt"))
    for round in 1...2 {
      let library = try await LibraryServer(folder)
      let list = try await library.photos()
      #expect(list.keys.sorted() == ["bomb.png", "half.jpg", "header.jpg", "words.jpg"])
      for (name, code, status) in [
        ("bomb.png", "limit-pixels", 413), ("header.jpg", "corrupt", 422),
        ("words.jpg", "unsupported-format", 415),
      ] {
        let problem = list[name]?["problem"] as? [String: any Sendable]
        #expect(problem?["code"] as? String == code, "\(name) in round \(round)")
        let id = try await library.id(name)
        let answer = try await library.server.send("GET /api/photos/\(id)/thumbnail")
        #expect(answer.status == status && answer.problem == code, "\(answer)")
        let preview = try await library.server.send("GET /api/photos/\(id)/preview")
        #expect(preview.status == status && preview.problem == code, "\(preview)")
        let odd = try await library.server.send("GET /api/photos/\(id)?size=large")
        #expect(odd.status == 400 && odd.problem == "usage", "\(odd)")
      }
      let half = try await library.id("half.jpg")
      let answer = try await library.server.send("GET /api/photos/\(half)/thumbnail")
      #expect(answer.status == 422 && answer.problem == "truncated", "\(answer)")
      try await eventually("the reason is in the list") {
        try await library.photos()["half.jpg"]?["problem"] != nil
      }
      await library.server.stop()
    }
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.path("cache/thumbnails/fail/cropkit")
      ).count == 1)
  }

  @Test func `changes in the folders are noticed`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let photos = LibraryServer.photos(folder)
    try LibraryServer.add("png-rgba8.png", as: "deep/er/b.png", to: folder)
    try await eventually("a new one in new folders") {
      try await library.photos()["b.png"] != nil
    }
    let id = try await library.id("b.png")
    let old = try await library.photos()["a.jpg"]?["version"] as? String
    try LibraryServer.add("gray-gamma22.jpg", as: "a.jpg", to: folder)
    try await eventually("a changed one") {
      let photo = try await library.photos()["a.jpg"]
      return photo?["width"] as? Int == 400 && photo?["version"] as? String != old
    }
    try FileManager.default.moveItem(
      atPath: "\(photos)/deep/er/b.png", toPath: "\(photos)/deep/er/c.png")
    try await eventually("a renamed one") { try await library.photos()["c.png"] != nil }
    #expect(try await library.id("c.png") == id)
    try FileManager.default.moveItem(atPath: "\(photos)/deep", toPath: "\(photos)/elsewhere")
    try await eventually("a moved folder") {
      let albums = try await library.json("GET /api/albums")["albums"] as? [[String: any Sendable]]
      return albums?.contains { $0["name"] as? String == "elsewhere/er" } == true
    }
    #expect(try await library.id("c.png") == id)
    try LibraryServer.add("png-rgba8.png", as: "elsewhere/er/d.png", to: folder)
    try await eventually("one in the moved folder") {
      try await library.photos()["d.png"] != nil
    }
    try FileManager.default.removeItem(atPath: "\(photos)/elsewhere")
    try await eventually("deleted ones") {
      try await Array(library.photos().keys) == ["a.jpg"]
    }
    await library.server.stop()
  }

  @Test func `a damaged index is rebuilt`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    await (try LibraryServer(folder)).server.stop()
    let index = try LibraryServer.index(of: folder)
    try Data(repeating: 7, count: 20_000).write(to: URL(fileURLWithPath: index))
    let library = try await LibraryServer(folder)
    #expect(try await library.photos()["a.jpg"] != nil)
    await library.server.stop()
  }

  @Test func `without a folder of pictures there is no library`() async throws {
    let server = try await RunningServer()
    for path in ["/api/albums", "/api/albums/all/photos", "/api/photos/1", "/api/events"] {
      let answer = try await server.send("GET \(path)")
      #expect(answer.status == 404 && answer.problem == "no-library", "\(path): \(answer)")
    }
    await server.stop()
    let missing = try await Program.server.run("--port", "0", "--library", "/nowhere/at/all")
    #expect(missing.status == 66, "\(missing)")
  }

  @Test func `a library that is a file is refused by its name`() async throws {
    let folder = try Folder()
    let file = folder.url("photo.jpg")
    try Data("a file".utf8).write(to: file)
    let outcome = try await Program.server.run("--port", "0", "--library", file.path)
    #expect(outcome.status == 66 && outcome.errors.contains("it is not a folder"), "\(outcome)")
    #expect(outcome.errors.contains(file.path), "\(outcome)")
  }
}
