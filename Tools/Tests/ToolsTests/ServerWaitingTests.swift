import CropImaging
import Foundation
import Glibc
import Testing

@testable import CropServer
@testable import cropkit_server

/// Slow disks, workers and clients only delay the requests that need them.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct ServerWaitingTests {
  @Test func `while files of the library can't be opened, all other calls are answered`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder, "--jobs", "4")
    let server = library.server
    let id = try await library.id("a.jpg")
    guard let disk = try await SlowDisk(of: server.process, in: folder) else {
      print("SKIPPED: a disk that does not answer, for strace can't attach to a process here")
      return
    }
    // More than there are processors, for each call that opens a file; as many previews as may run
    // at the same time.
    let addresses = ["original", "thumbnail?size=x-large", "preview?maxSide=64"]
    let waiting = try addresses.flatMap { address in
      try (0..<4).map { _ in
        let connection = try Connection(port: server.port)
        let head = "GET /api/photos/\(id)/\(address) HTTP/1.1\r\n\(server.ownFields)"
        connection.send(Data("\(head)Connection: close\r\n\r\n".utf8))
        return connection
      }
    }
    try await eventually("files are being opened") { try disk.delayed >= 8 }
    for _ in 0..<10 {
      #expect(try await server.send("GET /").status == 200)
      #expect(try await server.send("GET /api/samples").status == 200)
      #expect(try await server.send("GET /api/albums").status == 200)
      #expect(try await server.send("GET /api/albums/all/photos").status == 200)
    }
    let unanswered = waiting.allSatisfy { $0.isOpen }
    #expect(unanswered)
    await disk.end()
    for connection in waiting { #expect(try await connection.answer().status == 200) }
    #expect(await server.stop() == 0)
  }

  @Test func `while all that work on pictures are busy, what needs no picture is answered`()
    async throws
  {
    let folder = try LibraryServer.folder([
      "a.jpg": "jpeg-420-227x149.jpg", "b.jpg": "jpeg-420-227x149.jpg",
      "c.jpg": "jpeg-420-227x149.jpg",
    ])
    // One thumbnail exists.
    let before = try await LibraryServer(folder)
    let ids = try await before.photos().mapValues { try #require($0["id"] as? String) }
    let (a, b, c) = try (
      #require(ids["a.jpg"]), #require(ids["b.jpg"]), #require(ids["c.jpg"])
    )
    #expect(
      try await before.server.send("GET /api/photos/\(a)/thumbnail?size=x-large").status == 200)
    await before.server.stop()

    let worker = try await FakeWorker(.hang, in: folder)
    let server = try await ServerInside(over: folder) {
      $0.worker = worker.path
      $0.concurrency = 1
      $0.limits = Limits(seconds: 100_000)
    }
    let recipe = #"{"recipe":{"tilt":3},"encoding":{"format":"png"}}"#
    let calls =
      Array(repeating: "POST /api/photos/\(b)/crops", count: 3)
      + Array(repeating: "GET /api/photos/\(b)/preview?maxSide=64", count: 3)
      + ["b", "c"].compactMap { ids["\($0).jpg"] }.map {
        "GET /api/photos/\($0)/thumbnail?size=x-large"
      }
    let dear = try calls.map { line in
      let body = line.hasPrefix("POST") ? recipe : ""
      let connection = try Connection(port: server.port)
      let head = "\(line) HTTP/1.1\r\n\(server.ownFields)Content-Length: \(body.utf8.count)\r\n\r\n"
      connection.send(Data((head + body).utf8))
      return connection
    }
    // A crop or preview, and a thumbnail: the others wait.
    try await eventually("both places are taken") { worker.orders == 2 }
    for _ in 0..<5 {
      for line in [
        "GET /", "GET /api/samples", "GET /api/albums", "GET /api/albums/all/photos",
        "GET /api/photos/\(a)", "GET /api/photos/\(b)", "GET /api/photos/\(a)/original",
        "GET /api/photos/\(a)/thumbnail?size=x-large",
      ] {
        #expect(try await server.send(line).status == 200, "\(line)")
      }
      #expect(try await server.send("POST /api/photos/\(c)/trash").status == 204)
      #expect(try await server.send("POST /api/photos/\(c)/restore").status == 200)
    }
    // Some waiting requests may already have got a timeout response.
    let unanswered = dear.count { $0.isOpen }
    #expect(unanswered >= 2)
    #expect(worker.orders == 2)
    await server.stop()
  }

  @Test func `while the log is blocked, requests are served, and lost lines are counted`()
    async throws
  {
    let folder = try Folder()
    let log = try HeldOutput(in: folder)
    let server = try await RunningServer(options: [], log: log.path)
    let connection = try Connection(port: server.port)
    let path = String(repeating: "a", count: 8000)
    let request = "GET /\(path) HTTP/1.1\r\n\(server.ownFields)\r\n"
    // Each is one line; the log buffers a quarter of a megabyte of them.
    for _ in 0..<100 {
      connection.send(Data(request.utf8))
      let answer = await connection.read(until: "\"code\":\"not-found\"")
      try #require(answer.contains("HTTP/1.1 404"), "\(answer)")
    }
    #expect(try await server.send("GET /").status == 200)
    #expect(await server.stop() == 0)
    // It was blocked from the start.
    #expect(try log.release().components(separatedBy: "path=/aaa").count < 10)
  }

  @Test func `a log keeps what was said before it was stuck, and counts the rest`() async throws {
    let folder = try Folder()
    let held = try HeldOutput(in: folder)
    let file = open(held.path, O_WRONLY | O_CLOEXEC)
    let log = LogOutput(file: file, capacity: 20_000)
    let lines = (0..<1000).map { "\($0) \(String(repeating: "x", count: 100))\n" }
    for line in lines { log.write(line) }
    #expect(!log.flush())
    // As soon as there is space again, the next line is kept.
    let reader = Task { try await onOwnThread { try held.release() } }
    try await eventually("all is written") { log.flush() }
    log.write("the last one\n")
    try await eventually("the last one is written") { log.flush() }
    close(file)
    let text = try await reader.value
    let kept = text.split(separator: "\n")
    #expect(kept.last == "the last one")
    // It is reported where the output continues after the first dropped lines.
    let reported = kept.filter { $0.contains("log lines dropped") }
    let dropped = reported.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(
      0, +)
    #expect(dropped > 0)
    #expect(kept.count - 1 - reported.count + dropped == lines.count)
    #expect(kept.count < 500 && kept.first == lines[0].dropLast())
  }

  @Test func `unread results apply backpressure`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "camera-canon-orient6-gps.jpg"])
    let server = try await ServerInside(over: folder) {
      $0.unreadResults = 1
      // However long the machine takes, the slow client is not disconnected.
      $0.silence = .seconds(24 * 3600)
      $0.limits = Limits(seconds: 600)
    }
    let picture = try Data(contentsOf: folder.url("Photos/a.jpg"))
    // More than the sockets can buffer.
    let recipe = #"{"output": {"width": 3072, "height": 4096}}"#.query
    let encoding = #"{"format": "png"}"#.query
    let head =
      "POST /api/crop?recipe=\(recipe)&encoding=\(encoding) HTTP/1.1\r\n\(server.ownFields)"
      + "Connection: close\r\nContent-Length: \(picture.count)\r\n\r\n"
    let port = server.port
    func ask() async throws -> Connection {
      try await onOwnThread {
        let connection = try Connection(port: port, keepsLittle: true)
        connection.send(Data(head.utf8) + picture)
        return connection
      }
    }
    func isAnswered() async throws -> Bool {
      try await ask().read().starts(with: Data("HTTP/1.1 200".utf8))
    }
    let slow = try await ask()
    let start = await slow.read()
    #expect(start.starts(with: Data("HTTP/1.1 200".utf8)))
    let refused = try await ask().answer()
    #expect(refused.status == 429 && refused.problem == "busy", "\(refused)")
    // Requests that need no image are served.
    let page = Data("GET / HTTP/1.1\r\n\(server.ownFields)Connection: close\r\n\r\n".utf8)
    #expect(try await server.exchange(page).status == 200)
    // Read or closed: both free a slot.
    let rest = await slow.readAll()
    #expect(try Answer(start + rest).body.count > 8 << 20)
    try await eventually("there is room") { try await isAnswered() }
    try await eventually("there is room again") { try await isAnswered() }
    await server.stop()
  }
}

/// A disk that delays a process' calls to open files: a tracer holds each call.
private struct SlowDisk {
  private let tracer: RunningProgram
  private let log: String

  /// Nil if no process can be traced.
  init?(of process: pid_t, in folder: Folder) async throws {
    var strace = Program("strace")
    strace.path = "/usr/bin/env"
    log = folder.path("strace")
    let hour = 3_600_000_000
    let words = [
      "strace", "-f", "-p", "\(process)", "-e", "trace=openat2", "-e",
      "inject=openat2:delay_enter=\(hour)", "-o", log,
    ]
    let reported = folder.path("strace-errors")
    tracer = try strace.start(words, output: "/dev/null", errors: reported)
    let running = tracer
    var text = ""
    try await eventually("it is traced or can't be") {
      text = try String(contentsOfFile: reported, encoding: .utf8)
      return text.contains("attached") || running.isOver
    }
    guard !running.isOver else { return nil }
  }

  /// The number of calls held so far.
  var delayed: Int {
    get throws {
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        .count { $0.contains("openat2(") }
    }
  }

  /// Lets the calls continue.
  func end() async {
    tracer.send(SIGKILL)
    _ = await tracer.end()
  }
}
