import Foundation
import Glibc
import Testing

/// Clients that leave before their answer is there.
@Suite(.serialized, .enabled(if: !Picture.all.isEmpty))
struct ServerLeavingTests {
  @Test func `a crop ends when its client leaves, and the next one has its place`() async throws {
    let server = try await RunningServer("--jobs", "1", "--queue", "4")
    let path = try Picture.named("camera-canon-orient6-gps.jpg").path
    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
    func request(_ encoding: String) -> Data {
      // Twice as wide and high: HEIC takes its time to be coded.
      let recipe = "%7B%22output%22%3A%7B%22width%22%3A3072%2C%22height%22%3A4096%7D%7D"
      let query =
        (encoding == "heic" ? "recipe=\(recipe)&" : "")
        + "encoding=%7B%22format%22%3A%22\(encoding)%22%7D"
      let head =
        "POST /api/crop?\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Connection: close\r\nContent-Length: \(picture.count)\r\n\r\n"
      return Data(head.utf8) + picture
    }
    let clock = ContinuousClock()
    var start = clock.now
    #expect(try await server.exchange(request("heic")).status == 200)
    let slow = clock.now - start
    guard slow > .seconds(1) else {
      print("SKIPPED: a client that leaves; HEIC is coded in \(slow)")
      return
    }
    for _ in 0..<3 {
      let leaver = try Connection(port: server.port)
      leaver.send(request("heic"))
      usleep(300_000)
    }
    start = clock.now
    #expect(try await server.exchange(request("jpeg")).status == 200)
    let next = clock.now - start
    // Those that left would take three times as long.
    #expect(next < slow * 2, "\(next) after three that left, each of \(slow)")
    #expect(await server.stop() == 0)
  }

  @Test func `what is cancelled is not saved, and replaces nothing`() async throws {
    let folder = try LibraryServer.folder(["photo.jpg": "camera-canon-orient6-gps.jpg"])
    defer { folder.remove() }
    let library = try await LibraryServer(folder, "--jobs", "1", "--queue", "4")
    let id = try await library.id("photo.jpg")
    let original = try Data(contentsOf: folder.url("Photos/photo.jpg"))
    func request(_ action: String, _ format: String) -> Data {
      let body =
        #"{"recipe": {"output": {"width": 3072, "height": 4096}}, "#
        + #""encoding": {"format": "\#(format)"}}"#
      let head =
        "POST /api/photos/\(id)/\(action) HTTP/1.1\r\nHost: 127.0.0.1:\(library.server.port)\r\n"
        + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      return Data((head + body).utf8)
    }
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await library.server.exchange(request("crops", "heic")).status == 201)
    let slow = clock.now - start
    guard slow > .seconds(1) else {
      print("SKIPPED: a save that is cancelled; HEIC is coded in \(slow)")
      return
    }
    for action in ["crops", "replace"] {
      let leaver = try Connection(port: library.server.port)
      leaver.send(request(action, "heic"))
      // The second one leaves while it still waits for its turn.
      let waiting = try Connection(port: library.server.port)
      waiting.send(request(action, "heic"))
      try await Task.sleep(for: .milliseconds(300))
    }
    // There is one place, so whatever was under way has ended when this is done.
    #expect(try await library.server.exchange(request("crops", "jpeg")).status == 201)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("Photos/Cropped")).sorted()
        == ["photo-cropped.heic", "photo-cropped.jpg"])
    #expect(try Data(contentsOf: folder.url("Photos/photo.jpg")) == original)
    let trash = folder.path("data/Trash/files")
    #expect(((try? FileManager.default.contentsOfDirectory(atPath: trash)) ?? []) == [])
    #expect(await library.server.stop() == 0)
  }

  @Test func `a crop whose client leaves at once is not saved`() async throws {
    let folder = try LibraryServer.folder(["photo.jpg": "camera-canon-orient6-gps.jpg"])
    defer { folder.remove() }
    let library = try await LibraryServer(folder, "--jobs", "1", "--queue", "40")
    let id = try await library.id("photo.jpg")
    func request(_ recipe: String) -> Data {
      let body = #"{"recipe": \#(recipe)}"#
      let head =
        "POST /api/photos/\(id)/crops HTTP/1.1\r\nHost: 127.0.0.1:\(library.server.port)\r\n"
        + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      return Data((head + body).utf8)
    }
    for _ in 0..<20 {
      // Decoded, turned by a little and coded: long enough to see that nobody is there.
      try Connection(port: library.server.port).send(request(#"{"tilt": 3}"#))
    }
    let last = request(#"{"rect": {"x": 0, "y": 0, "width": 64, "height": 64}}"#)
    #expect(try await library.server.exchange(last).status == 201)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("Photos/Cropped"))
        == ["photo-cropped.jpg"])
    #expect(await library.server.stop() == 0)
  }

  @Test func `streams of events whose pages left make room for others`() async throws {
    let folder = try LibraryServer.folder([:])
    defer { folder.remove() }
    let library = try await LibraryServer(folder)
    let head = Data(
      "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(library.server.port)\r\n\r\n".utf8)
    func stream() throws -> (Connection, Data) {
      let connection = try Connection(port: library.server.port)
      connection.send(head)
      return (connection, connection.read(timeout: 20))
    }
    var streams: [Connection] = []
    var answer = Data("HTTP/1.1 200".utf8)
    while answer.starts(with: Data("HTTP/1.1 200".utf8)), streams.count < 100 {
      let (connection, start) = try stream()
      streams.append(connection)
      answer = start
    }
    #expect(answer.starts(with: Data("HTTP/1.1 429".utf8)))
    streams = []
    let start = ContinuousClock.now
    try await library.eventually("there is room") {
      try stream().1.starts(with: Data("HTTP/1.1 200".utf8))
    }
    // Not only when the next sign of life can't be written.
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(await library.server.stop() == 0)
  }
}
