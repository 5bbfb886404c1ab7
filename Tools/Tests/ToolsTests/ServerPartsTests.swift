import CropImaging
import Foundation
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

  @Test func `a name of a thousand letters is cut`() {
    let name = ResultName(source: String(repeating: "ä", count: 1000), format: .jpeg).text
    #expect(name.utf8.count <= 200)
    #expect(name.hasSuffix("-cropped.jpg"))
  }

  @Test func `a name is told twice, in ASCII and in UTF-8`() {
    #expect(
      ResultName(source: "é 1.jpg", format: .jpeg).disposition
        == "attachment; filename=\"_ 1-cropped.jpg\"; filename*=UTF-8''%C3%A9%201-cropped.jpg")
  }

  @Test func `an encoding takes the names and values of the command's options`() throws {
    let json = """
      {"format": "webp", "quality": 70, "subsampling": "444", "progressive": true, "strip": "all",
       "lossless": "snap", "bake": true,
       "srgb": true, "linear": true, "background": "#102030", "page": 2, "lenient": true}
      """
    let options = try JSONDecoder().decode(Encoding.self, from: Data(json.utf8)).options
    #expect(
      options
        == ResultOptions(
          format: .webp, quality: 70, subsampling: .s444, lossless: .snap, isBaked: true,
          isProgressive: true, metadata: .stripAll,
          convertsToSRGB: true, isLinear: true,
          background: Background(red: 16, green: 32, blue: 48),
          page: .only(2), isLenient: true))
  }

  @Test func `an empty encoding is the default`() throws {
    let options = try JSONDecoder().decode(Encoding.self, from: Data("{}".utf8)).options
    #expect(options == ResultOptions())
  }

  @Test(arguments: [
    #"{"quality": 0}"#, #"{"quality": 101}"#, #"{"quality": "90"}"#, #"{"format": "bmp"}"#,
    #"{"page": 0}"#, #"{"strip": "some"}"#, ##"{"background": "#12345"}"##, #"{"qualty": 9}"#, "[]",
    #"{"subsampling": "421"}"#,
  ])
  func `an odd encoding is refused`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Encoding.self, from: Data(json.utf8))
    }
  }

  @Test func `an archive lists its files`() throws {
    let folder = try Folder()
    defer { folder.remove() }
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
      // Cut anywhere, it lists less and never reads past its end.
      for count in stride(from: 0, to: bytes.count, by: 97) {
        let part = Archive(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        #expect(part.files.count <= 3)
      }
    }
  }

  @Test func `a colour is a name or six digits`() {
    #expect(Background(text: "White") == .white)
    #expect(Background(text: "#0a0B0c") == Background(red: 10, green: 11, blue: 12))
    for text in ["", "#fff", "#12345g", "12345678", "#٠٠٠٠٠٠", "rgb(1,2,3)"] {
      #expect(Background(text: text) == nil)
    }
  }

  @Test func `only addresses of this machine are loopback`() {
    for host in ["127.0.0.1", "127.8.9.10", "localhost", "::1"] {
      #expect(ServerSettings(host: host, concurrency: 1).isLoopback)
    }
    for host in ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.evil.com", "127.1", "example.com", ""] {
      #expect(!ServerSettings(host: host, concurrency: 1).isLoopback)
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
    #expect(Gate(ServerSettings(host: host, port: port, concurrency: 1)).isOwn(name))
  }

  @Test(arguments: [
    "1.2.3.4.evil.com", "evil.1.2.3.4.com", "[evil.com]", "+1.2.3.4", "1.2.3", "1.2.3.4.5",
    "[1.2.3.4]", "[]", "", "1.2.3.4:1", "[::1%lo]", "fe80::1",
  ])
  func `on all addresses only whole numbers are names`(name: String) {
    for host in ["0.0.0.0", "::"] {
      let gate = Gate(ServerSettings(host: host, port: 8080, concurrency: 1))
      #expect(!gate.isOwn("\(name):8080"))
      #expect(!Gate(ServerSettings(host: host, port: 80, concurrency: 1)).isOwn(name))
    }
  }

  @Test func `whoever left keeps no place in the queue`() async throws {
    let desk = CropDesk(places: 1, queueLength: 1)
    let (isWorking, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let work: Int = desk.perform {
      isWorking.signal()
      mayEnd.wait()
      return 1
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isWorking.wait()
        continuation.resume()
      }
    }
    for _ in 0..<100 {
      let stop = CropStop()
      let leaver = Task { try await desk.perform(until: stop) { 2 } }
      await Task.yield()
      stop.say()
      await #expect(throws: CancellationError.self) { try await leaver.value }
    }
    async let next: Int = desk.perform { 3 }
    mayEnd.signal()
    let results = try await [work, next]
    #expect(results == [1, 3])
  }
}
