import Foundation
import Glibc
import Testing

@testable import CropServer

/// Clients that disconnect before they get their response.
@Suite(.serialized, .enabled(if: !Picture.all.isEmpty))
struct ServerLeavingTests {
  @Test func `a crop ends when its client leaves, and the next one has its place`() async throws {
    let server = try await RunningServer("--jobs", "1", "--queue", "4", "--limit-seconds", "600")
    let path = try Picture.named("camera-canon-orient6-gps.jpg").path
    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
    func request(_ format: String) -> Data {
      let head =
        "POST /api/crop?encoding=%7B%22format%22%3A%22\(format)%22%7D HTTP/1.1\r\n"
        + "\(server.ownFields)Connection: close\r\nContent-Length: \(picture.count)\r\n\r\n"
      return Data(head.utf8) + picture
    }
    // A crop that never ends has the only slot, and others wait for it.
    let workers = try await server.heldWorkers()
    var leavers = [try Connection(port: server.port)]
    leavers[0].send(request("webp"))
    try await server.pictures(atWork: 1)
    #expect(workers.areHeld)
    for _ in 0..<2 {
      let leaver = try Connection(port: server.port)
      leaver.send(request("webp"))
      leavers.append(leaver)
    }
    leavers = []
    try await workers.endOne()
    #expect(try await server.exchange(request("jpeg")).status == 200)
    // Their requests are not counted as failures of the server.
    try await eventually("the requests are counted") {
      let metrics = try await server.send("GET /api/metrics").text
      #expect(!metrics.contains(#"status="500""#))
      return metrics.contains(#"route="/api/crop",status="503"} 3"#)
    }
    #expect(await server.stop() == 0)
  }

  /// A library of one photo, and the request for a crop of it.
  private func library(
    in folder: Folder
  ) async throws -> (LibraryServer, (_ action: String, _ format: String) -> Data) {
    let library = try await LibraryServer(
      folder, "--jobs", "1", "--queue", "40", "--limit-seconds", "600")
    let id = try await library.id("photo.jpg")
    // Listing it prefetches its thumbnail.
    #expect(try await library.server.send("GET /api/photos/\(id)/thumbnail").status == 200)
    return (
      library,
      { action, format in
        let body = #"{"recipe": {"tilt": 3}, "encoding": {"format": "\#(format)"}}"#
        let head =
          "POST /api/photos/\(id)/\(action) HTTP/1.1\r\n\(library.server.ownFields)"
          + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Data((head + body).utf8)
      }
    )
  }

  @Test(arguments: ["crops", "replace"])
  func `a cancelled crop is not saved, and replaces nothing`(action: String) async throws {
    let folder = try LibraryServer.folder(["photo.jpg": "camera-canon-orient6-gps.jpg"])
    let (library, request) = try await library(in: folder)
    let original = try Data(contentsOf: folder.url("Photos/photo.jpg"))
    let workers = try await library.server.heldWorkers()
    do {
      let leaver = try Connection(port: library.server.port)
      leaver.send(request(action, "webp"))
      try await library.server.pictures(atWork: 1)
      #expect(workers.areHeld)
    }
    try await workers.endOne()
    // There is one slot, so everything that was running has finished when this returns.
    #expect(try await library.server.exchange(request("crops", "jpeg")).status == 201)
    #expect(Folder.names(in: folder.path("Photos/Cropped")) == ["photo-cropped.jpg"])
    #expect(try Data(contentsOf: folder.url("Photos/photo.jpg")) == original)
    let trash = folder.path("data/Trash/files")
    #expect(Folder.names(in: trash) == [])
    #expect(await library.server.stop() == 0)
  }

  @Test(arguments: ["crops", "replace"])
  func `a crop whose client leaves before its turn is not saved`(action: String) async throws {
    let folder = try LibraryServer.folder(["photo.jpg": "camera-canon-orient6-gps.jpg"])
    let (library, request) = try await library(in: folder)
    let original = try Data(contentsOf: folder.url("Photos/photo.jpg"))
    let workers = try await library.server.heldWorkers()
    let first = try Connection(port: library.server.port)
    first.send(request("crops", "png"))
    try await library.server.pictures(atWork: 1)
    #expect(workers.areHeld)
    for _ in 0..<20 {
      try Connection(port: library.server.port).send(request(action, "jpeg"))
    }
    // All of them have connected, and the server has noticed that they left.
    #expect(try await library.server.send("GET /api/albums").status == 200)
    try await eventually("only the first is left") {
      try Processes.connections(to: library.server.port) == 1
    }
    workers.release()
    #expect(try await first.answer().status == 201)
    #expect(try await library.server.send("POST /api/info", body: original).status == 200)
    #expect(Folder.names(in: folder.path("Photos/Cropped")) == ["photo-cropped.png"])
    #expect(try Data(contentsOf: folder.url("Photos/photo.jpg")) == original)
    #expect(await library.server.stop() == 0)
  }

  @Test func `streams of events whose pages left make room for others`() async throws {
    let folder = try LibraryServer.folder([:])
    // Keep-alive comments are off: the server must notice clients that leave without them.
    let server = try await ServerInside(over: folder) { $0.heartbeat = .seconds(1 << 40) }
    let head = Data(
      "GET /api/events HTTP/1.1\r\n\(server.ownFields)\r\n".utf8)
    let port = server.port
    func stream() async throws -> (Connection, Data) {
      let connection = try Connection(port: port)
      connection.send(head)
      return (connection, await connection.read())
    }
    var streams: [Connection] = []
    var answer = Data("HTTP/1.1 200".utf8)
    while answer.starts(with: Data("HTTP/1.1 200".utf8)), streams.count < 100 {
      let (connection, start) = try await stream()
      streams.append(connection)
      answer = start
    }
    #expect(answer.starts(with: Data("HTTP/1.1 429".utf8)))
    streams = []
    try await eventually("there is room") {
      try await stream().1.starts(with: Data("HTTP/1.1 200".utf8))
    }
    await server.stop()
  }
}
