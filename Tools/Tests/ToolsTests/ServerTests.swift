import Foundation
import Glibc
import Testing

@testable import CropServer

/// The server over real sockets: access and responses.
@Suite(.serialized)
struct ServerTests {
  @Test func `it says where it is and serves the page with its guards`() async throws {
    let server = try await RunningServer()
    #expect(
      server.greeting == """
        CropKit is at http://127.0.0.1:\(server.port)/
        The token to sign in is in \(server.folder.path("token"))

        """)
    let answer = try await server.send("GET /")
    #expect(answer.status == 200)
    #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
    let policy = answer.fields["content-security-policy"] ?? ""
    for part in [
      "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'",
    ] {
      #expect(policy.contains(part))
    }
    #expect(!policy.contains("unsafe-inline"))
    #expect(answer.fields["x-content-type-options"] == "nosniff")
    #expect(answer.fields["referrer-policy"] == "no-referrer")
    #expect(answer.fields["cross-origin-opener-policy"] == "same-origin")
    #expect(await server.stop() == 0)
    #expect(server.output == server.greeting)
  }

  @Test func `the page's files are compressed, tagged and typed`() async throws {
    let server = try await RunningServer()
    let page = try await server.send("GET /")
    guard page.text.contains("app.js") else {
      print("SKIPPED: the page's files, for the server was built without them")
      return
    }
    let script = try await server.send("GET /app.js", ["Accept-Encoding": "br, gzip;q=0.5"])
    #expect(script.status == 200)
    #expect(script.fields["content-type"] == "text/javascript; charset=utf-8")
    #expect(script.fields["content-encoding"] == "gzip")
    let tag = try #require(script.fields["etag"])
    let again = try await server.send(
      "GET /app.js", ["If-None-Match": "\"x\", \(tag)", "Accept-Encoding": "gzip"])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    // The uncompressed bytes have a different tag.
    let plain = try await server.send("GET /app.js", ["If-None-Match": tag])
    #expect(plain.status == 200 && plain.fields["etag"] != tag)
    let wasm = try await server.send("GET /cropcore.wasm")
    #expect(wasm.fields["content-type"] == "application/wasm")
    #expect(wasm.fields["content-encoding"] == nil)
    #expect(wasm.body.prefix(4) == Data([0, 0x61, 0x73, 0x6d]))
    await server.stop()
  }

  @Test(arguments: [
    "/nothing", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/index.html/..",
    "/api/samples/..", "/api/samples/%2e%2e%2fREADME.md", "/api/samples/0/preview", "/api/nothing",
    "/index.html%00.js",
  ])
  func `an address that is nothing is not found`(path: String) async throws {
    let server = try await RunningServer()
    let answer = try await server.send("GET \(path)")
    #expect(answer.status == 404, "\(answer)")
    #expect(answer.problem == "not-found")
    await server.stop()
  }

  @Test func `only this server's own names are let in`() async throws {
    let server = try await RunningServer()
    let port = server.port
    for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)"] {
      #expect(try await server.send("GET /", ["Host": host]).status == 200, "\(host)")
    }
    for host in [
      "evil.com", "evil.com:\(port)", "127.0.0.1", "127.0.0.1:1", "localhost.evil.com:\(port)",
      "127.0.0.1:\(port)@evil.com", "", "127.0.0.2:\(port)", "0.0.0.0:\(port)",
      "localhost:\(port) ",
      "[::1%lo]:\(port)",
    ] where host != "localhost:\(port) " {
      let answer = try await server.send("GET /", ["Host": host])
      #expect(answer.status == 421 || answer.status == 400, "\(host): \(answer)")
    }
    let twice =
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nHost: evil.com\r\nConnection: close\r\n\r\n"
    #expect(try await server.exchange(Data(twice.utf8)).status >= 400)
    let none = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
    #expect(try await server.exchange(Data(none.utf8)).status >= 400)
    await server.stop()
  }

  @Test func `requests from other sites are refused`() async throws {
    let server = try await RunningServer()
    let body = Data("x".utf8)
    for origin in [
      "http://evil.com", "null", "https://127.0.0.1:\(server.port)",
      "http://localhost:\(server.port)",
      "http://127.0.0.1:\(server.port).evil.com", "http://127.0.0.1", "",
    ] {
      for path in ["/api/crop", "/api/info", "/api/preview"] {
        let answer = try await server.send("POST \(path)", ["Origin": origin], body: body)
        #expect(answer.status == 403, "\(origin): \(answer)")
        #expect(answer.problem == "foreign-origin")
      }
    }
    let own = try await server.send(
      "POST /api/info", ["Origin": "http://127.0.0.1:\(server.port)"], body: body)
    #expect(own.status == 415, "\(own)")
    for path in ["/api/samples", "//api/samples", "/api//samples", "///api/samples/"] {
      let embedded = try await server.send("GET \(path)", ["Sec-Fetch-Site": "cross-site"])
      #expect(embedded.status == 403, "\(path)")
    }
    await server.stop()
  }

  @Test(arguments: [
    ("GET / HTTP/9.9\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 200_000) + "\r\n\r\n", 431),
  ])
  func `bytes that are not a request are a problem too`(bytes: String, status: Int) async throws {
    let server = try await RunningServer()
    let answer = try await server.exchange(Data(bytes.utf8))
    #expect(answer.status == status && answer.problem == "request", "\(answer)")
    await server.stop()
  }

  @Test func `an index folder that can't be created is reported`() async throws {
    let folder = try LibraryServer.folder([:])
    let file = try folder.write([], as: "file")
    var program = Program.server
    let words = [
      "XDG_DATA_HOME=\(file)", program.path, "--port", "0", "--library",
      LibraryServer.photos(folder),
    ]
    program.path = "/usr/bin/env"
    let outcome = try await program.run(words)
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.lines.count == 1)
    #expect(outcome.errors.hasPrefix("cropkit: \(file)/cropkit: can't be created: "))
    #expect(!outcome.errors.contains("Error Domain"))
  }

  @Test func `a port in use is reported`() async throws {
    let server = try await RunningServer()
    let second = try await Program.server.run("--port", "\(server.port)")
    #expect(second.status == 69, "\(second)")
    #expect(second.errors.contains("port \(server.port) is in use"))
    await server.stop()
  }

  @Test func `garbage is answered or cut off, and the server goes on`() async throws {
    let server = try await RunningServer()
    var state: UInt64 = 42
    for round in 0..<40 {
      var bytes = Data()
      for _ in 0..<(round * 37 + 1) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 56))
      }
      let connection = try Connection(port: server.port)
      connection.send(bytes + Data("\r\n\r\n".utf8))
      connection.finishSending()
      _ = await connection.readAll()
    }
    for head in [
      "GET / HTTP/9.9\r\n\r\n", "GET  /\r\n\r\n",
      "POST /api/info HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
      "POST /api/info HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 5000) + "\r\n",
      "GET /" + String(repeating: "a", count: 200_000) + " HTTP/1.1\r\n\r\n",
    ] {
      let connection = try Connection(port: server.port)
      connection.send(Data(head.utf8))
      connection.finishSending()
      let answer = await connection.readAll()
      #expect(!answer.starts(with: Data("HTTP/1.1 200".utf8)))
    }
    #expect(try await server.send("GET /").status == 200)
    #expect(await server.stop() == 0)
  }

  @Test func `many slow clients do not keep a normal one waiting`() async throws {
    // No idle timeout, which a busy machine could exceed before all are connected.
    let server = try await ServerInside(over: LibraryServer.folder([:])) {
      $0.silence = .seconds(1 << 40)
    }
    var slow: [Connection] = []
    for number in 0..<300 {
      let connection = try Connection(port: server.port)
      connection.send(
        Data(
          (number % 2 == 0
            ? "GET / HTTP/1.1\r\nHost: 127"
            : "POST /api/crop HTTP/1.1\r\n\(server.ownFields)Content-Length: 99\r\n\r\nab")
            .utf8))
      slow.append(connection)
    }
    #expect(try await server.send("GET /").status == 200)
    // It was answered before any of the others was closed.
    let areOpen = slow.allSatisfy { $0.isOpen }
    #expect(areOpen)
    // They don't keep the server from stopping either.
    await server.stop()
  }

  @Test func `silent connections do not shut others out`() async throws {
    let folder = try LibraryServer.folder([:])
    // Only a full table closes connections: no idle timeout, which a busy machine could exceed.
    let server = try await ServerInside(over: folder) {
      $0.connections = 32
      $0.silence = .seconds(1 << 40)
    }
    // A connection that waits for the server does not count as idle.
    let stream = try Connection(port: server.port)
    stream.send(Data("GET /api/events HTTP/1.1\r\n\(server.ownFields)\r\n".utf8))
    #expect(await stream.read().starts(with: Data("HTTP/1.1 200".utf8)))
    var silent: [Connection] = []
    for number in 0..<130 {
      let connection = try Connection(port: server.port)
      // The server's threads may accept connections in another order: this one is answered first.
      connection.send(Data("GET /api/health HTTP/1.1\r\n\(server.ownFields)\r\n".utf8))
      #expect(await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 204"))
      if number % 2 == 0 { connection.send(Data("GET / HTTP/1.1\r\nHost: 127".utf8)) }
      silent.append(connection)
      guard number % 13 == 0 else { continue }
      #expect(try await server.send("GET /").status == 200)
    }
    try await eventually("the oldest have gone") {
      let open = silent.indices.filter { silent[$0].isOpen }
      return open.count < 32 && (open.first ?? 130) >= 130 - 32
    }
    #expect(stream.isStillThere)
    await server.stop()
  }

  @Test func `a silent connection is closed, the sooner the fewer places are left`() async throws {
    let server = try await RunningServer("--connections", "4")
    let silent = try (0..<3).map { _ in try Connection(port: server.port) }
    silent[0].send(Data("GET / HTTP/1.1\r\nHost".utf8))
    // A body that stalls.
    let head = "POST /api/crop HTTP/1.1\r\n\(server.ownFields)Content-Length: 99\r\n\r\nab"
    silent[1].send(Data(head.utf8))
    for connection in silent {
      _ = await connection.readAll()
      #expect(!connection.isOpen)
    }
    await server.stop()
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `it stops with idle connections open`(signal: Int32) async throws {
    let server = try await RunningServer()
    let idle = try Connection(port: server.port)
    #expect(try await server.send("GET /").status == 200)
    #expect(await server.stop(signal: signal) == 0)
    #expect(!idle.isOpen)
  }

  @Test func `it stops while connections are being accepted`() async throws {
    for _ in 0..<10 {
      let server = try await RunningServer()
      let connections = try (0..<64).map { _ in try Connection(port: server.port) }
      #expect(await server.stop() == 0)
      #expect(connections.allSatisfy { !$0.isOpen })
    }
  }

  @Test func `its task can be cancelled while connections are being accepted`() async throws {
    for _ in 0..<10 {
      let server = try await ServerInside(over: LibraryServer.folder([:])) { _ in }
      let connections = try (0..<64).map { _ in try Connection(port: server.port) }
      await server.stop()
      try await eventually("all are closed") { connections.allSatisfy { !$0.isOpen } }
    }
  }

  @Test(arguments: ["/api/info", "/api/photos/0/crops"])
  func `a body that drips is cut off`(path: String) async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await LibraryServer(folder).server
    let connection = try Connection(port: server.port)
    let head =
      "POST \(path) HTTP/1.1\r\n\(server.ownFields)Content-Length: 9999\r\n\r\n"
    connection.send(Data(head.utf8))
    var answer = Data()
    for _ in 0..<240 where answer.isEmpty {
      connection.send(Data([7]))
      answer = await connection.readAll(timeout: 1)
    }
    #expect(answer.starts(with: Data("HTTP/1.1 408".utf8)))
    await server.stop()
  }

  @Test func `the rest of a request that was answered is not read for long`() async throws {
    let server = try await RunningServer()
    let connections = try ["GET /", "GET /api/samples", "PUT /", "POST /api/photos/0/trash"].flatMap
    {
      line in
      try [("127.0.0.1", RunningServer.token), ("127.0.0.1", "none"), ("evil", "none")].map {
        let connection = try Connection(port: server.port)
        let head =
          "\(line) HTTP/1.1\r\nHost: \($0):\(server.port)\r\nAuthorization: Bearer \($1)\r\n"
          + "Content-Length: 9000000000000\r\n\r\n"
        connection.send(Data(head.utf8))
        return connection
      }
    }
    for connection in connections {
      #expect(try await connection.answer().fields["connection"] == "close")
      try await eventually("the connection is closed") { !connection.send(Data([7])) }
    }
    await server.stop()
  }

  @Test func `a connection goes on after an answer to a whole request`() async throws {
    let server = try await RunningServer()
    let requests = ["GET /nothing", "POST /api/nothing", "GET /api/samples"].map { line in
      "\(line) HTTP/1.1\r\n\(server.ownFields)Content-Length: 2\r\n\r\n{}"
    }
    let connection = try Connection(port: server.port)
    connection.send(Data(requests.joined().utf8))
    connection.finishSending()
    let answers = String(decoding: await connection.readAll(), as: UTF8.self)
    #expect(answers.components(separatedBy: "HTTP/1.1 ").count == 4, "\(answers)")
    await server.stop()
  }

  @Test func `a client that waits for permission gets a 100 response`() async throws {
    let server = try await RunningServer("--limit-bytes", "1000")
    func head(_ length: Int, _ host: String) -> Data {
      Data(
        ("POST /api/info HTTP/1.1\r\nHost: \(host):\(server.port)\r\n\(RunningServer.credentials)"
          + "Content-Length: \(length)\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
          .utf8)
    }
    let connection = try Connection(port: server.port)
    connection.send(head(5, "127.0.0.1"))
    #expect(await connection.read() == Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    #expect(try await connection.exchange(Data("hello".utf8)).status == 415)
    // It is not sent if the request is rejected anyway.
    #expect(try await server.exchange(head(5, "evil")).status == 421)
    #expect(try await server.exchange(head(1001, "127.0.0.1")).status == 413)
    await server.stop()
  }
}
