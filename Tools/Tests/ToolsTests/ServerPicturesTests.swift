import Foundation
import Glibc
import Testing

/// The server's calls with real images.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct ServerPicturesTests {
  private func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: Picture.named(name).path))
  }

  private let recipe = #"{"rect": {"x": 10, "y": 20, "width": 100, "height": 50}}"#

  @Test func `a picture is cropped and the answer says how`() async throws {
    let server = try await RunningServer()
    let picture = try bytes(of: "jpeg-420-227x149.jpg")
    let encoding = #"{"format": "png"}"#
    let answer = try await server.send(
      "POST /api/crop?recipe=\(recipe.query)&encoding=\(encoding.query)&name=%C3%9Cn%C3%AF%2Fa+b.jpg",
      body: picture)
    #expect(answer.status == 200, "\(answer)")
    #expect(answer.fields["content-type"] == "image/png")
    #expect(answer.fields["cropkit-size"] == "100x50")
    #expect(answer.fields["cropkit-format"] == "png")
    #expect(answer.fields["cropkit-lossless"] != nil)
    #expect(
      answer.fields["content-disposition"]
        == "attachment; filename=\"a b-cropped.png\"; filename*=UTF-8''a%20b-cropped.png")
    #expect(answer.body.prefix(4) == Data([0x89, 0x50, 0x4e, 0x47]))
    #expect(answer.fields["content-length"] == "\(answer.body.count)")
    await server.stop()
  }

  @Test func `the server's crop is the command's crop`() async throws {
    let server = try await RunningServer()
    for name in ["orient-landscape-6.jpg", "png-rgba16-interlaced.png", "tiff-lzw-rgb.tif"] {
      let json = #"{"rect": {"x": 3, "y": 5, "width": 20, "height": 24}}"#
      let answer = try await server.send(
        "POST /api/crop?recipe=\(json.query)", body: bytes(of: name))
      let command = try await Program.cropkit.run(
        "crop", try Picture.named(name).path, "--rect", "3,5,20,24", "-o", "-")
      #expect(answer.status == 200, "\(answer)")
      #expect(answer.body == command.output, "\(name)")
    }
    await server.stop()
  }

  @Test func `around a shape the result is transparent unless a format that can't be is asked for`()
    async throws
  {
    let server = try await RunningServer()
    let ellipse = #"{"rect": {"x": 0, "y": 0, "width": 32, "height": 24}, "shape": "ellipse"}"#
    for (name, encoding, type) in [
      ("jpeg-420-227x149.jpg", "{}", "image/png"),
      ("jpeg-420-227x149.jpg", #"{"format": "webp"}"#, "image/webp"),
      ("jpeg-420-227x149.jpg", ##"{"format": "jpeg", "background": "#000000"}"##, "image/jpeg"),
      ("png-rgba16-interlaced.png", "{}", "image/png"),
    ] {
      let answer = try await server.send(
        "POST /api/crop?recipe=\(ellipse.query)&encoding=\(encoding.query)", body: bytes(of: name))
      #expect(answer.status == 200, "\(answer)")
      #expect(answer.fields["content-type"] == type, "\(name) \(encoding)")
    }
    await server.stop()
  }

  @Test func `what is readable of a damaged picture is shown and cropped where that is asked for`()
    async throws
  {
    let server = try await RunningServer()
    let whole = try bytes(of: "jpeg-420-227x149.jpg")
    let damaged = whole.prefix(whole.count * 2 / 3)
    for call in ["info?", "preview?maxSide=64&"] {
      let refused = try await server.send("POST /api/\(call)lenient=false", body: damaged)
      #expect(refused.status == 422 && refused.problem == "truncated", "\(refused)")
      let shown = try await server.send("POST /api/\(call)lenient=true", body: damaged)
      #expect(shown.status == 200, "\(shown)")
      let wrong = try await server.send("POST /api/\(call)lenient=1", body: damaged)
      #expect(wrong.status == 400, "\(wrong)")
    }
    let encoding = #"{"lenient": true}"#
    let cropped = try await server.send("POST /api/crop?encoding=\(encoding.query)", body: damaged)
    #expect(cropped.status == 200 && cropped.fields["cropkit-size"] == "227x149", "\(cropped)")
    await server.stop()
  }

  @Test func `a canvas, a trimmed border and a rectangle that is cut are those of the command`()
    async throws
  {
    let folder = try Folder()
    let server = try await RunningServer()
    let photo = try bytes(of: "jpeg-420-227x149.jpg")
    let encoding = ##"{"format": "png", "canvas": "1:1", "margin": 20, "fill": "#ff8800"}"##
    let laid = try await server.send("POST /api/crop?encoding=\(encoding.query)", body: photo)
    #expect(laid.fields["cropkit-size"] == "267x267", "\(laid)")
    let alone = try await Program.cropkit.run(
      "crop", try folder.write(photo, as: "a.jpg"), "--canvas", "1:1", "--margin", "20", "--fill",
      "#ff8800", "-o", folder.path("a.png"))
    #expect(alone.status == 0, "\(alone)")
    #expect(try laid.body == Data(contentsOf: URL(fileURLWithPath: folder.path("a.png"))))

    let border = try await server.send("POST /api/border?tolerance=auto", body: laid.body)
    let inside = try JSONSerialization.jsonObject(with: border.body) as? [String: Int]
    #expect(inside == ["x": 20, "y": 59, "width": 227, "height": 149, "found": 1])
    let trimmed = try await server.send("POST /api/crop?trim=24", body: laid.body)
    #expect(trimmed.fields["cropkit-size"] == "227x149", "\(trimmed)")
    let whole = try await server.send("POST /api/crop?trim=auto", body: trimmed.body)
    #expect(whole.fields["cropkit-warnings"] == "nothing-to-trim", "\(whole)")
    let box = #"{"rect": {"x": -3.5, "y": 100, "width": 64, "height": 90}}"#.query
    let outside = try await server.send("POST /api/crop?recipe=\(box)", body: photo)
    #expect(outside.status == 422 && outside.problem == "invalid-recipe", "\(outside)")
    let cut = try await server.send("POST /api/crop?outside=clamp&recipe=\(box)", body: photo)
    #expect(cut.fields["cropkit-size"] == "61x49", "\(cut)")
    #expect(cut.fields["cropkit-warnings"] == "clamped", "\(cut)")
    let wrong = try await server.send("POST /api/border?tolerance=256", body: laid.body)
    #expect(wrong.status == 400, "\(wrong)")
    let lonely = try await server.send(
      "POST /api/crop?encoding=\(#"{"fill": "blur"}"#.query)", body: photo)
    #expect(lonely.status == 400 && lonely.problem == "usage", "\(lonely)")
    await server.stop()
  }

  @Test func `previews and headers of pictures browsers do not show`() async throws {
    let server = try await RunningServer("--limit-seconds", "600")
    for name in [
      "heic-iphone-grid-irot3.heic", "tiff-gray16-deflate.tif", "camera-canon-orient6-gps.jpg",
    ] {
      let picture = try bytes(of: name)
      let preview = try await server.send("POST /api/preview?maxSide=256", body: picture)
      #expect(preview.status == 200, "\(preview)")
      #expect(preview.fields["content-type"] == "image/jpeg")
      let sides = preview.fields["cropkit-size"]?.split(separator: "x").compactMap { Int($0) } ?? []
      #expect(sides.max().map { $0 <= 256 } == true)
      let info = try await server.send("POST /api/info", body: picture)
      #expect(info.status == 200)
      #expect(info.text.contains("\"shown\"") && !info.text.contains("\"thumbnail\":\""))
      let more = try await server.send("POST /api/info?thumbnail=true", body: picture)
      #expect(more.status == 200)
      // A JPEG in Base64 starts with these letters.
      #expect(more.text.contains("\"thumbnail\":\"/9j/") == name.hasSuffix(".heic"), "\(name)")
    }
    await server.stop()
  }

  @Test func `samples are listed, sent and previewed by id`() async throws {
    let folder = try Folder()
    _ = try folder.write(bytes(of: "orient-portrait-6.jpg"), as: "upright-street.jpg")
    _ = try folder.write(Data("text".utf8), as: "readme.md")
    let server = try await RunningServer("--samples", folder.path)
    struct List: Decodable {
      struct Item: Decodable {
        let id: String
        let name: String
        let title: String
        let width: Int
        let height: Int
        let url: String
        let thumbnail: String
      }
      let samples: [Item]
    }
    let list = try JSONDecoder().decode(
      List.self, from: try await server.send("GET /api/samples").body)
    try #require(list.samples.count == 1)
    let item = list.samples[0]
    #expect(item.name == "upright-street.jpg" && item.title == "Upright street")
    #expect(item.width == 450 && item.height == 600)
    let whole = try await server.send("GET /\(item.url)")
    #expect(try whole.body == bytes(of: "orient-portrait-6.jpg"))
    let tag = try #require(whole.fields["etag"])
    #expect(try await server.send("GET /\(item.url)", ["If-None-Match": tag]).status == 304)
    let preview = try await server.send("GET /\(item.thumbnail)")
    #expect(preview.status == 200, "\(preview)")
    #expect(preview.fields["content-type"] == "image/jpeg")
    _ = try folder.write(bytes(of: "orient-landscape-1.jpg"), as: item.name)
    let changed = try await server.send("GET /\(item.url)", ["If-None-Match": tag])
    #expect(try changed.body == bytes(of: "orient-landscape-1.jpg"))
    let oldTag = try #require(preview.fields["etag"])
    let other = try await server.send("GET /\(item.thumbnail)", ["If-None-Match": oldTag])
    #expect(other.status == 200 && other.body != preview.body)
    try FileManager.default.removeItem(at: folder.url("upright-street.jpg"))
    for address in [item.url, "\(item.url)/preview?maxSide=77"] {
      let gone = try await server.send("GET /\(address)")
      #expect(gone.status == 404 && gone.problem == "input-missing", "\(gone)")
      #expect(!gone.text.contains(folder.path), "\(gone)")
    }
    await server.stop()
  }

  @Test func `samples do not wait for a crop`() async throws {
    let folder = try Folder()
    let original = try bytes(of: "camera-canon-orient6-gps.jpg")
    _ = try folder.write(original, as: "photo.jpg")
    let server = try await RunningServer(
      "--samples", folder.path, "--jobs", "1", "--queue", "0", "--limit-seconds", "600")
    let list = try await server.send("GET /api/samples").text
    let id = try #require(list.firstMatch(of: /"id":"([0-9a-f]+)"/)?.1)
    // A crop that lasts as long as the worker is held.
    let workers = try await server.heldWorkers()
    let head =
      "POST /api/crop?encoding=\(#"{"format": "png"}"#.query) HTTP/1.1\r\n\(server.ownFields)"
      + "Connection: close\r\nContent-Length: \(original.count)\r\n\r\n"
    let slow = try Connection(port: server.port)
    slow.send(Data(head.utf8) + original)
    try await server.pictures(atWork: 1)
    #expect(try await server.send("POST /api/crop", body: original).status == 429)
    #expect(try await server.send("GET /api/samples/\(id)").body == original)
    let preview = try await server.send("GET /api/samples/\(id)/preview?maxSide=200")
    #expect(preview.status == 200, "\(preview)")
    let again = try await server.send("GET /api/samples/\(id)/preview?maxSide=200")
    #expect(again.body == preview.body)
    workers.release()
    #expect(try await slow.answer().status == 200)
    await server.stop()
  }

  @Test(arguments: Picture.refused)
  func `a damaged picture is a problem with a code`(picture: Picture) async throws {
    let server = try await RunningServer()
    let answer = try await server.send(
      "POST /api/crop", body: Data(contentsOf: URL(fileURLWithPath: picture.path)))
    #expect([413, 422].contains(answer.status), "\(answer)")
    #expect(answer.problem != nil)
    #expect(try await server.send("GET /").status == 200)
    await server.stop()
  }

  @Test func `invalid requests are reported before the picture is read`() async throws {
    let server = try await RunningServer()
    let picture = try bytes(of: "jpeg-420-227x149.jpg")
    for (query, code) in [
      ("recipe=%7B", "invalid-recipe"), ("recipe", "invalid-recipe"), ("recip=%7B%7D", "usage"),
      ("recipe=%FF", "usage"), ("recipe=%7B%7D&recipe=%7B%7D", "usage"),
      ("recipe=%7B%22x%22%3A1%7D", "invalid-recipe"),
      ("encoding=%7B%22quality%22%3A0%7D", "invalid-encoding"), ("encoding=1", "invalid-encoding"),
    ] {
      let answer = try await server.send("POST /api/crop?\(query)", body: picture)
      #expect(answer.status == 400, "\(answer)")
      #expect(answer.problem == code)
    }
    for (name, json) in [("encoding", #"{"qualty": 9}"#), ("recipe", #"{"qualty": 9}"#)] {
      let answer = try await server.send("POST /api/crop?\(name)=\(json.query)", body: picture)
      #expect(answer.problem == "invalid-\(name)")
      #expect(answer.text.contains(#"\"qualty\" is not known"#), "\(answer.text)")
    }
    let outside = #"{"rect": {"x": 0, "y": 0, "width": 228, "height": 149}}"#
    let answer = try await server.send("POST /api/crop?recipe=\(outside.query)", body: picture)
    #expect(answer.status == 422, "\(answer)")
    #expect(answer.problem == "invalid-recipe")
    #expect(answer.text.contains("227 × 149"))
    for side in ["0", "-1", "4097", "x", "99999999999999999999"] {
      let answer = try await server.send("POST /api/preview?maxSide=\(side)", body: picture)
      #expect(answer.status == 400)
    }
    await server.stop()
  }

  @Test func `a body that is too long is refused early`() async throws {
    let server = try await RunningServer("--limit-bytes", "100K")
    // With a Content-Length: the response comes although nothing is sent.
    let announced = try await server.send("POST /api/crop", ["Content-Length": "102401"])
    #expect(announced.status == 413, "\(announced)")
    #expect(announced.problem == "limit-bytes")
    let absurd = try await server.send(
      "POST /api/crop", ["Content-Length": "9223372036854775807"])
    #expect(absurd.status == 413, "\(absurd)")
    // Without one: the response comes in the middle of the body.
    let head =
      "POST /api/crop HTTP/1.1\r\n\(server.ownFields)Transfer-Encoding: chunked\r\n\r\n"
    let chunk = Data("10000\r\n".utf8) + Data(repeating: 7, count: 0x10000) + Data("\r\n".utf8)
    let endless = try await server.exchange(
      Data(head.utf8) + (0..<64).reduce(Data()) { all, _ in all + chunk })
    #expect(endless.status == 413, "\(endless)")
    // Sent completely by a client that only reads afterwards.
    let whole = try await server.send("POST /api/crop", body: Data(repeating: 7, count: 3_000_000))
    #expect(whole.status == 413, "\(whole)")
    await server.stop()
  }

  @Test func `a wrong length is a broken upload`() async throws {
    let server = try await RunningServer()
    let picture = try bytes(of: "jpeg-420-227x149.jpg")
    let head =
      "POST /api/crop HTTP/1.1\r\n\(server.ownFields)Content-Length: \(picture.count + 10)\r\n\r\n"
    let connection = try Connection(port: server.port)
    connection.send(Data(head.utf8) + picture)
    connection.finishSending()
    let answer = await connection.readAll()
    #expect(!answer.starts(with: Data("HTTP/1.1 200".utf8)))
    // A Content-Length that is too short: the image is truncated, and the rest is not a request.
    let short = try await server.send("POST /api/crop", ["Content-Length": "100"], body: picture)
    #expect(short.status == 422 || short.status == 415, "\(short)")
    #expect(try await server.send("GET /").status == 200)
    await server.stop()
  }

  @Test func `many simultaneous crops are made or rejected, never lost`() async throws {
    let server = try await RunningServer("--jobs", "2", "--queue", "4")
    let picture = try bytes(of: "camera-canon-orient6-gps.jpg")
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<24 {
        group.addTask {
          let answer = try await server.send("POST /api/crop", body: picture)
          if answer.status == 429 {
            #expect(answer.fields["retry-after"] != nil)
            #expect(answer.problem == "busy")
          }
          return answer.status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == 200 || $0 == 429 }, "\(statuses)")
    #expect(statuses.count { $0 == 200 } >= 6)
    #expect(try await server.send("POST /api/info", body: picture).status == 200)
    await server.stop()
  }

  @Test func `a crop that runs is finished before the server stops`() async throws {
    let server = try await RunningServer("--limit-seconds", "600")
    // Small, since the server waits for it only for some time.
    let picture = try bytes(of: "jpeg-420-227x149.jpg")
    let encoding = #"{"format": "png"}"#.query
    let workers = try await server.heldWorkers()
    async let answer = server.send("POST /api/crop?encoding=\(encoding)", body: picture)
    try await server.pictures(atWork: 1)
    async let status = server.stop()
    try await eventually("nobody is let in any more") {
      (try? Connection(port: server.port)) == nil
    }
    workers.release()
    #expect(try await answer.status == 200)
    #expect(await status == 0)
  }

  /// It is linked with libjpeg, which encodes the result, and with no other codec.
  @Test func `the server never decodes`() async throws {
    let server = try await RunningServer()
    let picture = try bytes(of: "camera-canon-orient6-gps.jpg")
    for _ in 0..<5 {
      #expect(try await server.send("POST /api/preview?maxSide=512", body: picture).status == 200)
    }
    let maps = try Processes.text(of: "/proc/\(server.process)/maps")
    for library in ["libvips", "libheif", "libpng", "libwebp", "libtiff"] {
      #expect(!maps.contains(library))
    }
    await server.stop()
  }

  @Test func `a worker that is killed is one error, and the next crop works`() async throws {
    let folder = try LibraryServer.folder([:])
    let worker = try await FakeWorker(.die, in: folder)
    let server = try await ServerInside(over: folder) { $0.worker = worker.path }
    let picture = try bytes(of: "jpeg-420-227x149.jpg")
    let encoding = #"{"format": "png"}"#.query
    func crop() async throws -> Answer {
      try await server.send("POST /api/crop?encoding=\(encoding)", body: picture)
    }
    let first = try await crop()
    #expect(first.status == 500, "\(first)")
    #expect(first.problem == "worker-died")
    #expect(worker.orders == 1)
    #expect(try await crop().status == 200)
    await server.stop()
  }

  @Test func `no worker is left when the server is killed`() async throws {
    let server = try await RunningServer()
    let picture = try bytes(of: "jpeg-420-227x149.jpg")
    #expect(try await server.send("POST /api/preview", body: picture).status == 200)
    let workers = Processes.children(of: server.process)
    #expect(!workers.isEmpty)
    await server.stop(signal: SIGKILL)
    for worker in workers {
      try await eventually("worker \(worker) is gone") { kill(worker, 0) != 0 }
    }
  }
}
