import CropCore
import CropImaging
import Foundation
import Glibc
import Synchronization
import Testing

@testable import CropServer

struct ServerPartsTests {
  @Test(arguments: [
    ("photo.jpg", "photo-cropped.png"), ("a/b\\c.tar.gz", "c.tar-cropped.png"),
    ("../../etc/passwd", "passwd-cropped.png"), ("", "picture-cropped.png"),
    ("...", "picture-cropped.png"), (".hidden.jpg", "hidden-cropped.png"),
    ("a\"b\r\nSet-Cookie: x.jpg", "abSet-Cookie x-cropped.png"),
    ("Ünï cödé 🏔.heic", "Ünï cödé 🏔-cropped.png"),
    ("\u{202e}gpj.exe", "gpj-cropped.png"), ("noextension", "noextension-cropped.png"),
  ])
  func `a result is named after its source`(source: String, name: String) {
    #expect(ResultName(source: source, format: .png).text == name)
  }

  @Test func `a name of a thousand letters is truncated`() {
    let name = ResultName(source: String(repeating: "ä", count: 1000), format: .jpeg).text
    #expect(name.utf8.count <= 200)
    #expect(name.hasSuffix("-cropped.jpg"))
  }

  @Test func `a name is sent twice, in ASCII and in UTF-8`() {
    #expect(
      ResultName(source: "é 1.jpg", format: .jpeg).disposition
        == "attachment; filename=\"_ 1-cropped.jpg\"; filename*=UTF-8''%C3%A9%201-cropped.jpg")
  }

  @Test func `an archive lists its files`() throws {
    let folder = try Folder()
    _ = try folder.write("hello".utf8, as: "a.txt")
    _ = try folder.write([], as: "empty")
    try FileManager.default.createDirectory(
      at: folder.url("in"), withIntermediateDirectories: false)
    _ = try folder.write([UInt8](repeating: 7, count: 513), as: "in/b.bin")
    let archive = try folder.write([], as: "x.tar")
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/bin/tar")
    tar.arguments = [
      "--format=ustar", "--sort=name", "-C", folder.path, "-cf", archive, "./a.txt", "./empty",
      "./in",
    ]
    try tar.run()
    tar.waitUntilExit()
    try Data(contentsOf: URL(fileURLWithPath: archive)).withUnsafeBytes { bytes in
      let files = Archive(bytes).files
      #expect(files.map(\.path) == ["a.txt", "empty", "in/b.bin"])
      #expect(files.map(\.bytes.count) == [5, 0, 513])
      // Truncated anywhere, it lists less and never reads beyond its end.
      for count in stride(from: 0, to: bytes.count, by: 97) {
        let part = Archive(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        #expect(part.files.count <= 3)
      }
    }
  }

  @Test func `a color is a name, three digits or six`() {
    #expect(Background(text: "White") == .white)
    #expect(Background(text: "tomato") == Background(red: 255, green: 99, blue: 71))
    #expect(Background(text: "#f08") == Background(red: 255, green: 0, blue: 136))
    #expect(Background(text: "#0a0B0c") == Background(red: 10, green: 11, blue: 12))
    for text in ["", "#ff", "#ffff", "#12345g", "tomatoes", "12345678", "#٠٠٠٠٠٠", "rgb(1,2,3)"] {
      #expect(Background(text: text) == nil)
    }
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("127.8.9.10", "127.8.9.10"), ("127.1", "127.0.0.1"),
    ("2130706433", "127.0.0.1"), ("localhost", "localhost"), ("::1", "::1"),
    ("0:0:0:0:0:0:0:1", "::1"), ("::ffff:127.0.0.1", "::ffff:127.0.0.1"),
  ])
  func `a loopback address is recognized in any notation`(
    host: String, text: String
  ) throws {
    let host = try ListenAddress.Host(host)
    #expect(host.isLoopback && !host.isEverything && host.text == text)
  }

  @Test(arguments: [
    ("0", "0.0.0.0"), ("0.0.0.0", "0.0.0.0"), ("0x0", "0.0.0.0"), ("::", "::"), ("0::0", "::"),
  ])
  func `all addresses are known in any notation`(host: String, text: String) throws {
    let host = try ListenAddress.Host(host)
    #expect(host.isEverything && !host.isLoopback && host.text == text)
  }

  @Test func `an address of the network is not loopback`() throws {
    for host in ["192.168.1.2", "128.0.0.1", "fe80::1"] {
      #expect(try !ListenAddress.Host(host).isLoopback)
    }
    for host in ["", "127.0.0.1:80", "no such host", "256.0.0.1"] {
      #expect(throws: ServerSettings.Refusal.self) { try ListenAddress.Host(host) }
    }
  }

  @Test(arguments: [
    CropError.usage(detail: ""), .empty(file: ""), .inputMissing(file: ""), .diskFull(path: ""),
    .limitExceeded(file: "", limit: .pixels, actual: 1, allowed: 1), .outputExists(path: ""),
    .unsupportedFormat(file: "", found: nil), .componentMissing(component: "", advice: ""),
    .workerDied(file: "", detail: ""), .timedOut(file: "", seconds: 1),
  ])
  func `a problem has a title`(error: CropError) {
    #expect(!Problem(error).status.reasonPhrase.isEmpty)
    #expect(Problem(error).status.code == error.httpStatus)
  }

  @Test(arguments: [
    ("127.0.0.2", 8080, "127.0.0.2:8080"), ("127.1.2.3", 80, "127.1.2.3"),
    ("127.0.0.1", 80, "localhost"), ("0.0.0.0", 80, "192.168.1.2"),
    ("0.0.0.0", 80, "192.168.1.2:80"), ("0.0.0.0", 8080, "192.168.1.2:8080"),
    ("::", 80, "[fe80::1]"), ("::", 8080, "[fe80::1]:8080"), ("::", 8080, "1.2.3.4:8080"),
  ])
  func `a server is known by the address that it prints`(host: String, port: Int, name: String) {
    #expect(RequestGuard(LiveSettings(Self.settings(host, port))).isOwn(name))
  }

  @Test(arguments: [
    "1.2.3.4.evil.com", "evil.1.2.3.4.com", "[evil.com]", "+1.2.3.4", "1.2.3", "1.2.3.4.5",
    "[1.2.3.4]", "[]", "", "1.2.3.4:1", "[::1%lo]", "fe80::1",
  ])
  func `on all addresses only whole numbers are names`(name: String) {
    for host in ["0.0.0.0", "::"] {
      #expect(!RequestGuard(LiveSettings(Self.settings(host, 8080))).isOwn("\(name):8080"))
      #expect(!RequestGuard(LiveSettings(Self.settings(host, 80))).isOwn(name))
    }
  }

  private static func settings(_ host: String, _ port: Int) -> ServerSettings {
    ServerSettings(place: .port(.init(text: host, number: host), port), concurrency: 1)
  }

  @Test func `behind a proxy a server is known by its origin, and by this machine's names`() {
    let place = ListenAddress.socket(path: "/s", mode: 0o600)
    var settings = ServerSettings(place: place, concurrency: 1)
    settings.origins = [Origin("https://photos.example.org/")].compactMap(\.self)
    let requests = RequestGuard(LiveSettings(settings))
    for name in ["photos.example.org", "localhost", "127.0.0.1"] { #expect(requests.isOwn(name)) }
    for name in ["evil.org", "photos.example.org:80", "example.org", ""] {
      #expect(!requests.isOwn(name))
    }
    #expect(settings.scheme(for: "photos.example.org") == "https")
    #expect(settings.scheme(for: "localhost") == "http")
  }

  @Test func `an origin is a scheme, a name and a port`() {
    #expect(Origin("HTTPS://Photos.Example.org:8443")?.text == "https://photos.example.org:8443")
    #expect(Origin("http://[::1]:80/")?.text == "http://[::1]:80")
    for text in [
      "photos.example.org", "ftp://a", "https://", "https://a/b", "https://a b", "https://u@a",
    ] {
      #expect(Origin(text) == nil)
    }
  }

  @Test func `a set of crops has one limit of time`() async throws {
    let scheduler = CropScheduler(places: 1, queueLength: 1)
    await #expect(throws: CropError.timedOut(file: "a.jpg", seconds: 1)) {
      try await scheduler.performSet(cost: 1, until: CropStop(), seconds: 1, name: "a.jpg") {
        while true {
          try CropStop.check()
          usleep(1000)
        }
      }
    }
    // The slot is free again, and a job that finishes in time is not stopped.
    let done = try await scheduler.performSet(cost: 1, until: CropStop(), seconds: 60, name: "") {
      1
    }
    #expect(done == 1)
    await #expect(throws: CropError.cancelled) {
      let stop = CropStop()
      try await scheduler.performSet(cost: 1, until: stop, seconds: 60, name: "") {
        stop.cancel()
        try CropStop.check()
      }
    }
  }

  @Test func `a disconnected client leaves the queue`() async throws {
    let scheduler = CropScheduler(places: 1, queueLength: 1)
    let (isWorking, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let work: Int = scheduler.perform(cost: 1) {
      isWorking.signal()
      mayEnd.wait()
      return 1
    }
    await onOwnThread { isWorking.wait() }
    for _ in 0..<100 {
      let stop = CropStop()
      let leaver = Task { try await scheduler.perform(cost: 1, until: stop) { 2 } }
      await Task.yield()
      stop.cancel()
      await #expect(throws: CropError.cancelled) { try await leaver.value }
    }
    async let next: Int = scheduler.perform(cost: 1) { 3 }
    mayEnd.signal()
    let results = try await [work, next]
    #expect(results == [1, 3])
  }

  @Test func `an image is admitted if its turn comes within 20 seconds, by its cost`() async throws
  {
    let time = Mutex(ContinuousClock.now)
    let scheduler = CropScheduler(places: 1, queueLength: 100, now: { time.withLock { $0 } })
    // A thousand bytes take ten seconds.
    _ = try await scheduler.perform(cost: 1000) { time.withLock { $0 += .seconds(10) } }
    let (isWorking, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let first: Int = scheduler.perform(cost: 1000) {
      isWorking.signal()
      mayEnd.wait()
      return 1
    }
    await onOwnThread { isWorking.wait() }
    // Ten seconds from now, and twenty.
    async let second: Int = scheduler.perform(cost: 1000) { 2 }
    try await eventually("it waits") { scheduler.counts.waiting == 1 }
    async let third: Int = scheduler.perform(cost: 100) { 3 }
    try await eventually("it waits") { scheduler.counts.waiting == 2 }
    let refused = await #expect(throws: CropError.self) {
      try await scheduler.perform(cost: 1) { 4 }
    }
    // 21 seconds; half of the limit is left after 11.
    #expect(refused == .busy(retryAfter: 11))
    let problem = Problem(try #require(refused))
    #expect(problem.status == .tooManyRequests && problem.code == "busy")
    #expect(problem.headers[.retryAfter] == "11")
    mayEnd.signal()
    let results = try await [first, second, third]
    #expect(results == [1, 2, 3])
    let last = try await scheduler.perform(cost: 1) { 4 }
    #expect(last == 4)
  }
}
