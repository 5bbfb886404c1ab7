import Foundation
import Glibc
import Testing

/// HTTP's requirements for a server, over real sockets.
@Suite(.serialized)
struct ServerHTTPTests {
  /// Sends a request after which the server closes the connection; otherwise it fails after the
  /// timeout.
  private static func answer(
    _ server: RunningServer, _ request: String
  ) async throws -> (answer: Answer, text: String) {
    let connection = try Connection(port: server.port)
    connection.send(Data(request.utf8))
    let bytes = await connection.readAll()
    #expect(!connection.isOpen, "\(request)")
    return (try Answer(bytes), String(decoding: bytes, as: UTF8.self))
  }

  @Test(arguments: [
    ("HTTP/1.0", ""), ("HTTP/1.0", "Connection: close\r\n"), ("HTTP/1.1", "Connection: close\r\n"),
    ("HTTP/1.1", "Connection: Close\r\n"), ("HTTP/1.1", "Connection: x-y, close\r\n"),
    ("HTTP/1.0", "Connection: x\r\n"),
  ])
  func `a connection ends where its request does not ask for more`(
    version: String, field: String
  ) async throws {
    let server = try await RunningServer()
    let (answer, text) = try await Self.answer(
      server, "GET /api/samples \(version)\r\n\(server.ownFields)\(field)\r\n")
    #expect(answer.status == 200)
    #expect(answer.fields["connection"] == "close")
    #expect(text.hasPrefix("\(version) 200"))
    await server.stop()
  }

  @Test(arguments: [
    ("HTTP/1.0", "chunked", 400), ("HTTP/1.0", "identity", 400), ("HTTP/1.1", "gzip, chunked", 501),
    ("HTTP/1.1", "gzip,chunked", 501),
  ])
  func `a body in an ambiguous coding closes the connection`(
    version: String, coding: String, status: Int
  ) async throws {
    let server = try await RunningServer()
    let fields = "Connection: keep-alive\r\nTransfer-Encoding: \(coding)\r\n"
    let (answer, _) = try await Self.answer(
      server,
      "POST /api/info \(version)\r\n\(server.ownFields)\(fields)\r\n5\r\nhello\r\n0\r\n\r\n")
    #expect(answer.status == status && answer.fields["connection"] == "close", "\(answer)")
    await server.stop()
  }

  @Test func `a form is refused with the way to send a picture`() async throws {
    let server = try await RunningServer()
    let form = Data(
      "--x\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nabc\r\n--x--\r\n".utf8)
    let type = ["Content-Type": "multipart/form-data; boundary=x"]
    for call in [
      "info", "crop", "preview",
      "targets?targets=%7B%22targets%22%3A%5B%7B%22name%22%3A%22a%22%2C%22ratio%22%3A%221%3A1%22%7D%5D%7D",
    ] {
      let answer = try await server.send("POST /api/\(call)", type, body: form)
      #expect(
        answer.status == 415 && answer.text.contains("the body must be the image"), "\(answer)")
    }
    await server.stop()
  }

  @Test func `a stream of events has a head that ends`() async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await LibraryServer(folder).server
    let (answer, _) = try await Self.answer(
      server, "HEAD /api/events HTTP/1.1\r\n\(server.ownFields)Connection: close\r\n\r\n")
    #expect(answer.status == 200 && answer.fields["content-type"] == "text/event-stream")
    #expect(answer.body.isEmpty)
    await server.stop()
  }

  @Test func `a connection of HTTP 1.0 goes on where its request asks for that`() async throws {
    let server = try await RunningServer()
    let connection = try Connection(port: server.port)
    let head = "HTTP/1.0\r\n\(server.ownFields)"
    connection.send(
      Data(
        ("GET /api/samples \(head)Connection: Keep-Alive\r\n\r\n"
          + "HEAD /api/samples \(head)Connection: keep-alive\r\n\r\n"
          + "GET /nothing \(head)\r\n").utf8))
    let text = String(decoding: await connection.readAll(), as: UTF8.self)
    let answers = text.components(separatedBy: "HTTP/1.0 ").dropFirst()
    #expect(answers.map { $0.prefix(3) } == ["200", "200", "404"], "\(text)")
    let wishes = answers.map { $0.lowercased().contains("connection: keep-alive") }
    #expect(wishes == [true, true, false])
    await server.stop()
  }

  @Test func `a stream to HTTP 1.0 is not chunked`() async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await LibraryServer(folder).server
    let connection = try Connection(port: server.port)
    connection.send(
      Data("GET /api/events HTTP/1.0\r\n\(server.ownFields)Connection: keep-alive\r\n\r\n".utf8))
    let text = await connection.read(until: "\n\n")
    #expect(text.contains("\r\n\r\nevent: indexing\ndata: "), "\(text)")
    #expect(!text.lowercased().contains("chunked"))
    #expect(text.lowercased().contains("connection: close"))
    await server.stop()
  }

  @Test func `an absolute address and Host agree`() async throws {
    let server = try await RunningServer()
    let port = server.port
    for (address, status) in [
      ("http://127.0.0.1:\(port)/api/samples", 200), ("HTTP://127.0.0.1:\(port)/api/samples", 200),
      ("http://127.0.0.1:\(port)?token=x", 401), ("http://127.0.0.1:\(port)", 200),
      ("http://evil.example/api/samples", 421), ("http://localhost:\(port)/api/samples", 421),
      ("http://127.0.0.1/api/samples", 421), ("http://x@127.0.0.1:\(port)/api/samples", 421),
      ("ftp://127.0.0.1:\(port)/api/samples", 400), ("127.0.0.1:\(port)", 400), ("x", 400),
      ("evil.example:80", 400),
    ] {
      // A sign-in link is for clients that are not signed in yet.
      let fields =
        address.contains("token") ? "Host: 127.0.0.1:\(port)\r\n" : server.ownFields
      let (answer, _) = try await Self.answer(
        server, "GET \(address) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
      #expect(answer.status == status, "\(address): \(answer)")
    }
    // Without a Host, the address counts.
    for (address, status) in [("http://127.0.0.1:\(port)/", 200), ("http://evil.example/", 421)] {
      let (answer, _) = try await Self.answer(
        server, "GET \(address) HTTP/1.0\r\n\(RunningServer.credentials)\r\n")
      #expect(answer.status == status, "\(address): \(answer)")
    }
    await server.stop()
  }

  @Test func `an unsupported method gets the supported ones`() async throws {
    let server = try await RunningServer()
    for (line, allowed) in [
      ("PUT /api/samples", "GET, HEAD"), ("DELETE /api/samples/0", "GET, HEAD"),
      ("GET /api/crop", "POST"), ("HEAD /api/crop", "POST"), ("OPTIONS /api/info", "POST"),
      ("POST /api/devices", "GET, HEAD"), ("GET /api/devices/0/end", "POST"),
      ("POST /", "GET, HEAD"), ("DELETE /sign-in", "GET, POST, HEAD"), ("TRACE /", "GET, HEAD"),
    ] {
      let answer = try await server.send(line)
      #expect(answer.status == 405, "\(line): \(answer)")
      #expect(answer.fields["allow"] == allowed, "\(line)")
      #expect(line.hasPrefix("HEAD") || answer.problem == "method")
    }
    for line in ["POST /api/nothing", "PUT /nothing"] {
      #expect(try await server.send(line).status == 404, "\(line)")
    }
    #expect(try await server.send("PROPFIND /").status == 501)
    await server.stop()
  }

  @Test func `every call of the library says which methods it knows`() async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await LibraryServer(folder).server
    for (path, allowed) in [
      ("albums", "GET, HEAD"), ("albums/all/photos", "GET, HEAD"), ("events", "GET, HEAD"),
      ("photos", "POST"), ("photos/0", "GET, HEAD"), ("photos/0/original", "GET, HEAD"),
      ("photos/0/crops", "POST"), ("photos/0/trash", "POST"), ("photos/0/restore", "POST"),
    ] {
      let answer = try await server.send("PATCH /api/\(path)")
      #expect(answer.status == 405 && answer.fields["allow"] == allowed, "\(path): \(answer)")
    }
    await server.stop()
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a request for another version fails, and nothing is changed`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let server = library.server
    let id = try await library.id("a.jpg")
    for path in ["original", "preview?maxSide=64", "thumbnail"] {
      let line = "GET /api/photos/\(id)/\(path)"
      let tag = try #require(try await server.send(line).fields["etag"])
      #expect(try await server.send(line, ["If-Match": "\"x\", \(tag)"]).status == 200)
      #expect(try await server.send(line, ["If-Match": "*"]).status == 200)
      // It has precedence over the other condition (RFC 9110, 13.2.2).
      for wrong in ["\"x\"", "W/\(tag)", ""] {
        let answer = try await server.send(line, ["If-Match": wrong, "If-None-Match": tag])
        #expect(answer.status == 412 && answer.problem == "changed", "\(path) \(wrong): \(answer)")
      }
    }
    let version = try #require(try await library.photos()["a.jpg"]?["version"] as? String)
    let order = Data(#"{"recipe": {"rect": {"x": 1, "y": 2, "width": 30, "height": 40}}}"#.utf8)
    for action in ["crops", "replace", "trash"] {
      let line = "POST /api/photos/\(id)/\(action)"
      let refused = try await server.send(line, ["If-Match": "\"x\""], body: order)
      #expect(refused.status == 412, "\(action): \(refused)")
    }
    #expect(library.has("a.jpg") && !library.has("Cropped"))
    let line = "POST /api/photos/\(id)/crops"
    #expect(try await server.send(line, ["If-Match": "\"\(version)\""], body: order).status == 201)
    // The same crop already exists.
    #expect(try await server.send(line, ["If-Match": "*"], body: order).status == 200)
    // Changed without the server's knowledge, just before.
    try LibraryServer.add("jpeg-420-227x149.jpg", as: "a.jpg", to: folder)
    for action in ["replace", "trash"] {
      let late = try await server.send(
        "POST /api/photos/\(id)/\(action)", ["If-Match": "\"\(version)\""], body: order)
      #expect(late.status == 412, "\(action): \(late)")
    }
    #expect(library.has("a.jpg"))
    await server.stop()
  }

  @Test func `closing a terminal stops nothing`() async throws {
    let server = try await RunningServer()
    kill(server.process, SIGHUP)
    #expect(try await server.send("GET /api/samples").status == 200)
    #expect(await server.stop() == 0)
  }
}
