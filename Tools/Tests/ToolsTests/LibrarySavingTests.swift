import Foundation
import TestMaterial
import Testing

/// The library with real folders and sockets: creating, saving and removing files.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibrarySavingTests {
  private static let recipe = #"{"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}"#

  @Test func `a thumbnail is kept where every program finds it`() async throws {
    let library = try await LibraryServer(["a b.jpg": "jpeg-440-restart-nokia.jpg"])
    let photo = try #require(try await library.photos()["a b.jpg"])
    let (id, version) = (try #require(photo["id"] as? String), photo["version"] as? String ?? "")
    for (size, side) in [("large", 256), ("x-large", 512)] {
      let address = "GET /api/photos/\(id)/thumbnail?size=\(size)"
      let answer = try await library.server.send(address)
      #expect(answer.status == 200)
      #expect(answer.fields["content-type"] == "image/png")
      #expect(answer.fields["cache-control"] == "private, no-cache")
      // The sides in a PNG: four bytes each, 16 bytes from the start.
      let start = answer.body.startIndex
      #expect(answer.body[(start + 20)..<(start + 24)].reduce(0) { $0 << 8 | Int($1) } == side)
      let lasting = try await library.server.send("\(address)&v=\(version)")
      #expect(lasting.fields["cache-control"]?.contains("immutable") == true)
      let tag = try #require(answer.fields["etag"])
      let again = try await library.server.send(address, ["If-None-Match": tag])
      #expect(again.status == 304 && again.body.isEmpty)
      let kept = library.folder.path("cache/thumbnails/\(size)")
      let files = try FileManager.default.contentsOfDirectory(atPath: kept)
      #expect(files.count == 1 && files.first?.count == 36)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(kept)/\(files[0])"))
      #expect(bytes == answer.body)
      #expect(bytes.range(of: Data("Thumb::URI\0file:///".utf8)) != nil)
      #expect(bytes.range(of: Data("/Photos/a%20b.jpg".utf8)) != nil)
      let mode = try FileManager.default.attributesOfItem(atPath: "\(kept)/\(files[0])")
      #expect(mode[.posixPermissions] as? Int == 0o600)
    }
    #expect(
      try await library.server.send("GET /api/photos/\(id)/thumbnail?size=huge").status == 400)
    await library.server.stop()
  }

  @Test func `a crop is saved beside its photo and found again without the index`() async throws {
    let folder = try LibraryServer.folder(["Trip/photo.jpg": "jpeg-444-icc-xmp.jpg"])
    let first = try await LibraryServer(folder)
    let id = try await first.id("photo.jpg")
    for (name, x) in [("photo-cropped.jpg", 8), ("photo-cropped-2.jpg", 16)] {
      let recipe = Self.recipe.replacingOccurrences(of: "8, \"y\"", with: "\(x), \"y\"")
      let saved = try await first.json(
        "POST /api/photos/\(id)/crops", "{\"recipe\": \(recipe)}", status: 201)
      #expect(saved["name"] as? String == name)
      #expect(saved["width"] as? Int == 64 && saved["height"] as? Int == 48)
      #expect(saved["lossless"] as? Bool == true)
      #expect(first.has("Cropped/\(name)"))
    }
    await first.server.stop()
    try FileManager.default.removeItem(atPath: folder.path("data"))
    // The source has a different name now.
    try FileManager.default.moveItem(
      atPath: LibraryServer.photos(folder) + "/Trip/photo.jpg",
      toPath: LibraryServer.photos(folder) + "/Trip/other.jpg")
    let second = try await LibraryServer(folder)
    let other = try await second.id("other.jpg")
    try await eventually("the list tells what each crop was cut from") {
      let crops = try await second.photos(in: "cropped").values
      return crops.count == 2 && crops.allSatisfy { $0["cropOf"] as? String == other }
    }
    let crop = try await second.json("GET /api/photos/\(second.id("photo-cropped.jpg"))")
    #expect(crop["album"] as? String == "cropped")
    #expect((crop["source"] as? [String: any Sendable])?["name"] as? String == "other.jpg")
    let recipe = crop["recipe"] as? [String: any Sendable]
    let rect = recipe?["rect"] as? [String: any Sendable]
    #expect(rect?["x"] as? Int == 8 && rect?["width"] as? Int == 64)
    let source = try await second.json("GET /api/photos/\(second.id("other.jpg"))")
    #expect((source["crops"] as? [[String: any Sendable]])?.count == 2)
    await second.server.stop()
  }

  @Test func `equal crops of a photo are one file, until it is gone or something differs`()
    async throws
  {
    let folder = try LibraryServer.folder(["photo.jpg": "jpeg-444-icc-xmp.jpg"])
    let library = try await LibraryServer(folder)
    let line = "POST /api/photos/\(try await library.id("photo.jpg"))/crops"
    func saved(_ encoding: String, status: Int) async throws -> String {
      let body = "{\"recipe\": \(Self.recipe), \"encoding\": \(encoding)}"
      return try #require(try await library.json(line, body, status: status)["name"] as? String)
    }
    for (encoding, name) in [
      ("{}", "photo-cropped.jpg"), (#"{"lossless": "never"}"#, "photo-cropped-2.jpg"),
    ] {
      #expect(try await saved(encoding, status: 201) == name)
      #expect(try await saved(encoding, status: 200) == name)
    }
    let cropped = LibraryServer.photos(folder) + "/Cropped"
    // No other file is left either, not even temporarily.
    #expect(Folder.names(in: cropped) == ["photo-cropped-2.jpg", "photo-cropped.jpg"])
    // A file that was changed is not mistaken for the crop.
    let first = URL(fileURLWithPath: "\(cropped)/photo-cropped.jpg")
    var bytes = try Data(contentsOf: first)
    bytes[bytes.count - 3] ^= 1
    try bytes.write(to: first)
    #expect(try await saved("{}", status: 201) == "photo-cropped-3.jpg")
    await library.server.stop()
  }

  @Test func `a photo that changed or went away is not cropped`() async throws {
    let library = try await LibraryServer([
      "a.jpg": "jpeg-420-227x149.jpg", "b.jpg": "jpeg-420-227x149.jpg",
    ])
    let photos = try await library.photos()
    let version = try #require(photos["a.jpg"]?["version"] as? String)
    let (a, b) = (try await library.id("a.jpg"), try await library.id("b.jpg"))
    try LibraryServer.add("gray-gamma22.jpg", as: "a.jpg", to: library.folder)
    let body = Data("{\"recipe\": \(Self.recipe), \"version\": \"\(version)\"}".utf8)
    for action in ["crops", "replace"] {
      let changed = try await library.server.send("POST /api/photos/\(a)/\(action)", body: body)
      #expect(changed.status == 409 && changed.problem == "changed", "\(changed)")
    }
    try FileManager.default.removeItem(atPath: LibraryServer.photos(library.folder) + "/b.jpg")
    for line in ["POST /api/photos/\(b)/crops", "POST /api/photos/\(b)/trash"] {
      let gone = try await library.server.send(line, body: Data(#"{"recipe": {}}"#.utf8))
      #expect(gone.status == 404, "\(gone)")
    }
    #expect(!library.has("Cropped"))
    await library.server.stop()
  }

  @Test func `trash and replace are undone by restore`() async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let path = LibraryServer.photos(library.folder) + "/a.jpg"
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let id = try await library.id("a.jpg")
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    #expect(!library.has("a.jpg"))
    #expect(try await library.server.send("GET /api/photos/\(id)").status == 404)
    #expect(try await library.json("POST /api/photos/\(id)/restore")["id"] as? String == id)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
    let order = "{\"recipe\": \(Self.recipe)}"
    let replaced = try await library.json("POST /api/photos/\(id)/replace", order)
    #expect(replaced["width"] as? Int == 64)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != original)
    #expect(try await library.json("GET /api/photos/\(id)")["canRestore"] as? Bool == true)
    #expect(try await library.json("POST /api/photos/\(id)/restore")["width"] as? Int == 227)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
    let again = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(again.status == 409 && again.problem == "nothing-to-restore", "\(again)")
    // A file that someone else put there is not deleted.
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    try LibraryServer.add("gray-gamma22.jpg", as: "a.jpg", to: library.folder)
    let taken = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(taken.status == 409, "\(taken)")
    await library.server.stop()
  }

  @Test(
    arguments: Thorough.all(
      [
        (#"{}"#, "invalid-recipe"), (#"{"recipe": null}"#, "invalid-recipe"),
        ("[]", "invalid-recipe"),
        (#"{"recipie": {}}"#, "invalid-recipe"), (#"{"recipe": {}, "nix": 1}"#, "invalid-recipe"),
        (#"{"recipe": {"nix": 1}}"#, "invalid-recipe"),
        (#"{"recipe": {}, "encoding": {"nix": 1}}"#, "invalid-encoding"),
        (#"{"recipe": {}, "encoding": {"quality": 0}}"#, "invalid-encoding"),
        (#"{"recipe": {}, "encoding": []}"#, "invalid-encoding"),
        (#"{"recipe": {}, "encoding": {"quality": 80.5}}"#, "invalid-encoding"),
        (#"{"recipe": {"mirrored": 1}}"#, "invalid-recipe"),
        (#"{"recipe": {}, "version": 1}"#, "invalid-recipe"),
        (#"{"aspect": "3:0"}"#, "invalid-recipe"), (#"{"aspect": "3:"}"#, "invalid-recipe"),
        (#"{"aspect": "3:2", "recipe": {}}"#, "invalid-recipe"),
      ], or: 5))
  func `an order that is not understood whole is refused whole`(
    body: String, code: String
  ) async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let id = try await library.id("a.jpg")
    let before = try Data(contentsOf: library.folder.url("Photos/a.jpg"))
    for action in ["crops", "replace"] {
      let answer = try await library.server.send(
        "POST /api/photos/\(id)/\(action)", body: Data(body.utf8))
      #expect(answer.status == 400 && answer.problem == code, "\(body): \(answer)")
      #expect(!body.contains("nix") || answer.text.contains(#"\"nix\" is not known"#))
      // Not in the decoder's own words.
      #expect(!answer.text.contains("decode") && !answer.text.contains("data"), "\(answer)")
    }
    #expect(!library.has("Cropped"))
    #expect(try Data(contentsOf: library.folder.url("Photos/a.jpg")) == before)
    await library.server.stop()
  }

  @Test func `an original is sent whole, in parts, or not again`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let line = "GET /api/photos/\(try await library.id("a.jpg"))/original"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: LibraryServer.photos(folder) + "/a.jpg"))
    let whole = try await library.server.send(line)
    #expect(whole.status == 200 && whole.body == bytes)
    #expect(whole.fields["content-disposition"]?.contains("a.jpg") == true)
    for (range, wanted) in [
      ("bytes=0-9", bytes.prefix(10)), ("bytes=-5", bytes.suffix(5)),
      ("bytes=100-", bytes.dropFirst(100)), ("bytes=5-999999999", bytes.dropFirst(5)),
      ("Bytes=0-9", bytes.prefix(10)),
    ] {
      let part = try await library.server.send(line, ["Range": range])
      #expect(part.status == 206 && part.body == wanted, "\(range)")
    }
    for range in ["bytes=999999-", "bytes=-0"] {
      let answer = try await library.server.send(line, ["Range": range])
      #expect(answer.status == 416 && answer.problem == "range", "\(range): \(answer)")
      #expect(answer.fields["content-range"] == "bytes */\(bytes.count)")
    }
    for range in ["bytes=9-5", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5", "bytes=-"] {
      #expect(try await library.server.send(line, ["Range": range]).status == 200, "\(range)")
    }
    let head = try await library.server.send(
      line.replacing("GET", with: "HEAD"), ["Range": "bytes=999999-"])
    #expect(head.status == 200 && head.fields["content-length"] == "\(bytes.count)", "\(head)")
    let tag = try #require(whole.fields["etag"])
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      #expect(try await library.server.send(line, ["If-None-Match": known]).status == 304)
    }
    let stale = try await library.server.send(line, ["Range": "bytes=0-9", "If-Range": "\"x\""])
    #expect(stale.status == 200 && stale.body == bytes)
    await library.server.stop()
  }

  @Test func `photos are cropped to a ratio by the ratio alone`() async throws {
    let library = try await LibraryServer([
      "a.jpg": "jpeg-420-227x149.jpg", "b.jpg": "jpeg-444-icc-xmp.jpg",
    ])
    for name in ["a.jpg", "b.jpg"] {
      let id = try await library.id(name)
      let saved = try await library.json(
        "POST /api/photos/\(id)/crops", #"{"aspect": "1:1"}"#, status: 201)
      let whole = try await library.json("GET /api/photos/\(id)")
      let sides = [whole["width"] as? Int ?? 0, whole["height"] as? Int ?? 0]
      #expect(saved["width"] as? Int == sides.min() && saved["height"] as? Int == sides.min())
    }
    await library.server.stop()
  }

  @Test func `names are shown without characters that change the direction of text`() async throws {
    let reported = "trip\u{202E}gpj.exe\u{2066}"
    let library = try await LibraryServer(["\(reported)/\(reported).jpg": "jpeg-420-227x149.jpg"])
    let id = try await library.id("tripgpj.exe.jpg")
    let albums = try await library.json("GET /api/albums")["albums"] as? [[String: any Sendable]]
    #expect(albums?.contains { $0["name"] as? String == "tripgpj.exe" } == true)
    let original = try await library.server.send("GET /api/photos/\(id)/original")
    #expect(
      original.fields["content-disposition"]
        == "attachment; filename=\"tripgpj.exe.jpg\"; filename*=UTF-8''tripgpj.exe.jpg")
    let order = "{\"recipe\": \(Self.recipe), \"version\": \"other\"}"
    let changed = try await library.server.send(
      "POST /api/photos/\(id)/crops", body: Data(order.utf8))
    #expect(changed.status == 409 && !changed.text.contains("\u{202E}"), "\(changed)")
    await library.server.stop()
  }

  @Test func `uploads are saved in the album Camera`() async throws {
    let library = try await LibraryServer([:])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Picture.named("png-rgba8.png").path))
    for (query, name) in [
      ("?name=../../x.jpg", "x.png"), ("?name=.hidden", "hidden.png"), ("?name=x.jpg", "x-2.png"),
    ] {
      let answer = try await library.server.send("POST /api/photos\(query)", body: bytes)
      #expect(answer.status == 201, "\(answer)")
      #expect(library.has("Camera/\(name)"), "\(query): \(answer)")
    }
    #expect(try await library.server.send("POST /api/photos", body: bytes).status == 201)
    let words = try await library.server.send("POST /api/photos", body: Data("words".utf8))
    #expect(words.status == 415)
    #expect(try await library.photos(in: "camera").count == 4)
    await library.server.stop()
  }

  @Test func `a picture that is sent may be larger than the server's memory`() async throws {
    let library = try await LibraryServer([:])
    let small = try Data(contentsOf: URL(fileURLWithPath: Picture.named("png-rgba8.png").path))
    #expect(try await library.server.send("POST /api/photos", body: small).status == 201)
    try await library.server.allowMemory(more: 75 << 20)
    let photo = try Picture.named("jpeg-420-227x149.jpg")
    let large = try Data(contentsOf: URL(fileURLWithPath: photo.path)) + Data(count: 150 << 20)
    let answer = try await library.server.send("POST /api/photos?name=x.jpg", body: large)
    #expect(answer.status == 201, "\(answer)")
    let saved = LibraryServer.photos(library.folder) + "/Camera/x.jpg"
    #expect(try Data(contentsOf: URL(fileURLWithPath: saved)) == large)
    await library.server.stop()
  }

  @Test func `a file in the way of an album is named`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let photos = LibraryServer.photos(folder)
    try Data().write(to: URL(fileURLWithPath: "\(photos)/Cropped"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos)/Camera", withDestinationPath: folder.path)
    let library = try await LibraryServer(folder)
    let photo = try Data(contentsOf: URL(fileURLWithPath: "\(photos)/a.jpg"))
    let crop = "POST /api/photos/\(try await library.id("a.jpg"))/crops"
    for (line, body, name) in [
      (crop, Data("{\"recipe\": \(Self.recipe)}".utf8), "Cropped"),
      ("POST /api/photos?name=x.jpg", photo, "Camera"),
    ] {
      let answer = try await library.server.send(line, body: body)
      #expect(answer.status == 409 && answer.problem == "output-uncreatable", "\(answer)")
      #expect(answer.text.contains(name), "\(answer)")
    }
    await library.server.stop()
  }

  @Test(arguments: [
    "preview?maxSide=64", "preview?maxSide=64&hdr=keep", "thumbnail?size=large",
  ])
  func `a picture of a changed photo is not kept as the one that was asked for`(
    address: String
  ) async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let photo = try #require(try await library.photos()["a.jpg"])
    let (id, version) = (photo["id"] as? String ?? "", photo["version"] as? String ?? "")
    let line = "GET /api/photos/\(id)/\(address)&v=\(version)"
    let before = try await library.server.send(line)
    #expect(before.fields["cache-control"]?.contains("immutable") == true, "\(before)")
    // Before or after the index detects it: in neither case is the new image mistaken for the old
    // one.
    try LibraryServer.add("gray-gamma22.jpg", as: "a.jpg", to: folder)
    let after = try await library.server.send(line)
    #expect(after.status == 200 && after.body != before.body)
    #expect(after.fields["cache-control"] == "private, no-cache", "\(after)")
    #expect(after.fields["etag"] != before.fields["etag"])
    await library.server.stop()
  }

  @Test func `one page too many that wants to listen is told so, until another one leaves`()
    async throws
  {
    let library = try await LibraryServer([:])
    let port = library.server.port
    let request = Data("GET /api/events HTTP/1.1\r\n\(library.server.ownFields)\r\n".utf8)
    var listening: [Connection] = []
    for _ in 0..<64 {
      let connection = try Connection(port: port)
      connection.send(request)
      #expect(await connection.read().starts(with: Data("HTTP/1.1 200".utf8)))
      listening.append(connection)
    }
    for _ in 0..<3 {
      let refused = try await library.server.send("GET /api/events")
      #expect(refused.status == 429 && refused.problem == "busy", "\(refused)")
      #expect(refused.text.contains("too many pages have this library open"))
      #expect(refused.fields["retry-after"] == "5")
    }
    // Clients that do not listen are served normally.
    #expect(try await library.server.send("GET /api/albums").status == 200)
    listening.removeLast()
    try await eventually("a place is free again") {
      let next = try Connection(port: port)
      next.send(request)
      return await next.read().starts(with: Data("HTTP/1.1 200".utf8))
    }
    withExtendedLifetime(listening) {}
    #expect(await library.server.stop() == 0)
  }

  @Test func `events report changes and end with the server`() async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let connection = try Connection(port: library.server.port)
    connection.send(
      Data("GET /api/events HTTP/1.1\r\n\(library.server.ownFields)\r\n".utf8))
    let start = await connection.read(until: "event: indexing\ndata: ")
    #expect(start.lowercased().contains("content-type: text/event-stream"), "\(start)")
    try LibraryServer.add("png-rgba8.png", as: "b.png", to: library.folder)
    try await eventually("it is listed") { try await library.photos()["b.png"] != nil }
    let id = try await library.id("b.png")
    let news = await connection.read(until: "\"\(id)\"")
    #expect(news.contains("event: changed\ndata: "), "\(news)")
    #expect(await library.server.stop() == 0)
    // Ended as HTTP requires, not cut off.
    let end = String(decoding: await connection.readAll(), as: UTF8.self)
    #expect(end.hasSuffix("0\r\n\r\n"), "\(end)")
  }

  @Test func `thumbnails of a client that left are not made`() async throws {
    let folder = try LibraryServer.folder(
      Dictionary(
        uniqueKeysWithValues: (0..<30).map { ("\($0).jpg", "jpeg-420-227x149.jpg") }))
    let library = try await LibraryServer(folder, "--jobs", "1", "--limit-seconds", "600")
    // Requested one by one: a list would have them prefetched.
    let first = try await library.json("GET /api/albums/all/photos?limit=1")
    let cover = try #require((first["photos"] as? [[String: any Sendable]])?.first)
    // Thumbnails have a worker of their own.
    let shown = try #require(cover["id"] as? String)
    #expect(try await library.server.send("GET /api/photos/\(shown)/thumbnail").status == 200)
    let workers = try await library.server.heldWorkers()
    let ids = try await library.photos().values.compactMap { $0["id"] as? String }
    // One is being prefetched while the worker is held. The next page replaces the others, and would
    // replace this one too if it had not been sent yet.
    try await library.server.pictures(atWork: 1)
    _ = try await library.json("GET /api/albums/cropped/photos")
    let head = "HTTP/1.1\r\n\(library.server.ownFields)Connection: close\r\n\r\n"
    let leavers = try ids.map { id in
      let connection = try Connection(port: library.server.port)
      connection.send(Data("GET /api/photos/\(id)/thumbnail?size=x-large \(head)".utf8))
      connection.finishSending()
      return connection
    }
    for leaver in leavers { #expect(try await leaver.answer().problem == "cancelled") }
    workers.release()
    #expect(try await library.server.send("GET /api/photos/\(shown)/thumbnail").status == 200)
    // The folder is only created with the first file.
    #expect(!FileManager.default.fileExists(atPath: folder.path("cache/thumbnails/x-large")))
    await library.server.stop()
  }
}
