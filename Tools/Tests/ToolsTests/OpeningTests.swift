import CropImaging
import Foundation
import Glibc
import Synchronization
import Testing

@testable import CropServer
@testable import PhotoLibrary

/// `cropkit open`, and the server that it uses.
@Suite(.serialized)
struct OpeningTests {
  @Test func `it stops when unused for long enough, and not before`() {
    let start = ContinuousClock.now
    let audience = IdleShutdown(absence: .seconds(30), at: start)
    func isOver(after seconds: Int, _ isSomebodyThere: Bool = false) -> Bool {
      audience.isOver(at: start + .seconds(seconds)) { isSomebodyThere }
    }
    #expect(!isOver(after: 29))
    #expect(!isOver(after: 31, true))
    #expect(!isOver(after: 60))
    #expect(audience.expecting { 1 } == 1)
    #expect(isOver(after: 61))
    // Permanently: no client is redirected to it any more.
    #expect(audience.expecting { 1 } == nil)
    #expect(isOver(after: 62, true))
  }

  @Test func `a code is awaited until it is used or too old`() {
    let codes = OneTimeCodes()
    let start = ContinuousClock.now
    let over = Mutex(0)
    let count: @Sendable () -> Void = { over.withLock { $0 += 1 } }
    let code = codes.make(at: start, whenOver: count)
    _ = codes.make(at: start, whenOver: count)
    #expect(codes.hasPending(at: start + .seconds(299)))
    #expect(codes.use(code, at: start) && !codes.use(code, at: start))
    #expect(over.withLock { $0 } == 1 && codes.hasPending(at: start))
    #expect(!codes.hasPending(at: start + .seconds(300)))
    #expect(over.withLock { $0 } == 2)
    _ = codes.make(at: start, whenOver: count)
    codes.end()
    #expect(over.withLock { $0 } == 3)
  }

  @Test func `one program of a user is the server, and is found while it runs`() throws {
    let folder = try Folder()
    let place = try InstanceLock(userFolders: UserFolders(environment: ["HOME": folder.path]))
    #expect(try !place.isTaken() && place.server() == nil)
    do {
      let claim = try #require(try place.claim())
      #expect(try place.isTaken() && place.claim() == nil && place.server() == nil)
      try claim.publish(.init(port: 1234, token: "secret"))
      #expect(try place.server()?.port == 1234)
      let path = folder.path(".local/share/cropkit/opening.json")
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      withExtendedLifetime(claim) {}
    }
    // A killed server leaves its file behind, which is ignored.
    #expect(try !place.isTaken() && place.server() == nil && place.open([]) == nil)
    #expect(try place.claim() != nil)
    #expect(access(folder.path(".local/share/cropkit/opening.json"), F_OK) != 0)
  }

  @Test func `an unused server stops`() async throws {
    let folder = try NamedFilesTests.folder("a.png")
    let place = try InstanceLock(userFolders: UserFolders(environment: folder.environment))
    let claim = try #require(try place.claim())
    let start = ContinuousClock.now
    let clock = Mutex((passed: Duration.zero, looks: 0))
    let server = try await ServerInside(over: folder) { settings in
      settings.library = .named(claim)
      settings.now = {
        clock.withLock { clock in
          clock.looks += 1
          return start + clock.passed
        }
      }
    }
    /// Sets the clock, and waits until the server has decided by it whether it is still used.
    func pass(_ seconds: Int) async throws {
      let looks = clock.withLock { clock in
        clock.passed = .seconds(seconds)
        return clock.looks
      }
      // It reads the clock once per decision, so the second reading from now follows a decision.
      try await eventually("the server has decided") { clock.withLock { $0.looks } >= looks + 2 }
    }
    let opening = try await onOwnThread {
      try place.open([
        PathBytes(folder.path("a.png")), PathBytes(folder.path("none.png")),
      ])
    }
    #expect(opening?.refused.map(\.exitStatus) == [66])
    let file = try #require(opening?.file)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let code = try #require(
      text.firstMatch(of: /url=http:\/\/127\.0\.0\.1:\d+(\/\?code=\w+)#\/photos\/\w+"/))
    // The browser is slow.
    try await pass(200)
    #expect(try await server.send("GET /api/albums").status == 200)
    #expect(try await server.send("GET \(code.1)").status == 303)
    #expect(access(file, F_OK) != 0)
    var page: Connection? = try Connection(port: server.port)
    page?.send(Data("GET /api/events HTTP/1.1\r\n\(server.ownFields)\r\n".utf8))
    #expect(await page?.read(until: "event: indexing").contains("200 OK") == true)
    // However long the user waits.
    try await pass(90_000)
    #expect(try await server.send("GET /api/albums").status == 200)
    page = nil
    try await eventually("the server is gone") {
      clock.withLock { $0.passed += .seconds(60) }
      return try place.server() == nil
    }
    await server.end()
  }

  /// `cropkit open` on a desktop, with a browser that records what it was asked to open.
  private final class Desktop: Sendable {
    let folder: Folder
    let pictures: Folder
    /// All servers that were seen.
    private let servers = Mutex<Set<pid_t>>([])

    init(
      _ pictures: Folder, browser: String = "chromium", ending: String = "exit 0"
    ) async throws {
      self.pictures = pictures
      folder = try Folder()
      mkdir(folder.path("run"), 0o700)
      mkdir(folder.path("bin"), 0o700)
      let script = """
        #!/bin/sh
        printf '%s\\n' "$@" >"\(folder.path)/opened.new"
        /bin/mv "\(folder.path)/opened.new" "\(folder.path)/opened"
        \(ending)

        """
      _ = try await folder.writeScript(script, as: "bin/\(browser)")
    }

    func open(_ names: String..., screen: String = ":99") async throws -> Outcome {
      unlink(folder.path("opened"))
      var env = Program("env")
      env.path = "/usr/bin/env"
      let display =
        screen.isEmpty ? ["-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"] : ["DISPLAY=\(screen)"]
      let words =
        display + [
          "PATH=\(folder.path("bin"))", "HOME=\(folder.path)",
          "XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_DATA_HOME=\(folder.path("data"))",
          "XDG_CACHE_HOME=\(folder.path("cache"))", Program.cropkit.path, "open",
        ]
      return try await env.run(
        words + names,
        folder: pictures.path)
    }

    /// What the browser was asked to open, as soon as it was.
    func opened() async throws -> String {
      var text: String?
      try await eventually("a browser is opened") {
        text = try? String(contentsOfFile: folder.path("opened"), encoding: .utf8)
        return text != nil
      }
      return (text ?? "").trimmingCharacters(in: .newlines)
    }

    /// The process of the server; nil if there is none.
    var server: pid_t? {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      let found = all.lazy.compactMap { pid_t($0) }.first { process in
        let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        guard words?.contains("--as-server") == true else { return false }
        let environment = (try? Processes.text(of: "/proc/\(process)/environ")) ?? ""
        return environment.contains("XDG_RUNTIME_DIR=\(folder.path("run"))\0")
      }
      if let found { servers.withLock { _ = $0.insert(found) } }
      return found
    }

    deinit {
      if let server { kill(server, SIGKILL) }
      // A server that is not over yet could write into the folder while that is removed.
      for server in servers.withLock({ $0 }) {
        while !Processes.isOver(server) { usleep(10_000) }
      }
    }
  }

  @Test func `pictures are opened in the browser by one server, which knows no others`()
    async throws
  {
    let pictures = try NamedFilesTests.folder("a.png", "b.png", "-c.png")
    let desktop = try await Desktop(pictures)
    let first = try await desktop.open("a.png")
    #expect(first.status == 0 && first.errors.isEmpty && first.output.isEmpty, "\(first)")
    let address = try await desktop.opened()
    // No argument contains the secret for signing in.
    let prefix = "--app=file://\(desktop.folder.path("run"))/cropkit/open-"
    #expect(address.hasPrefix(prefix) && !address.contains("code"))
    let server = try #require(desktop.server)
    let file = String(address.dropFirst("--app=file://".count))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let found = try #require(
      text.firstMatch(of: /url=http:\/\/127\.0\.0\.1:(\d+)\/\?code=\w+#\/photos\/\w+"/))
    // No other user may connect.
    let listening = try await Program.shell(
      "ss -Hltnp | grep pid=\(server),", folder: pictures.path)
    for line in listening.text.split(separator: "\n") {
      #expect(line.contains("127.0.0.1:\(found.1)"), "\(line)")
    }

    // Several files, one of which is missing; one is named like an option.
    let second = try await desktop.open("b.png", "none.png", "--", "-c.png")
    #expect(second.status == 1)
    #expect(second.errors == "cropkit: \(pictures.path)/none.png: no such file; check the name\n")
    #expect(desktop.server == server)
    let next = String(try await desktop.opened().dropFirst("--app=file://".count))
    let queue = try String(contentsOfFile: next, encoding: .utf8)
    #expect(queue.contains(":\(found.1)/?code="))
    #expect(queue.firstMatch(of: /#\/queue\/\w+\.\w+"/) != nil)
    #expect(next != file && access(file, F_OK) == 0)

    // A killed server is detected, and another one is started.
    kill(server, SIGKILL)
    #expect(try await desktop.open("a.png").status == 0)
    // Until then the browser writes into the folder.
    _ = try await desktop.opened()
    #expect(desktop.server != server && desktop.server != nil)
    let own = try #require(desktop.server)
    kill(own, SIGTERM)
    try await eventually("the server ends") { desktop.server == nil }
    #expect(access(desktop.folder.path("run/cropkit/opening.json"), F_OK) != 0)
  }

  @Test(arguments: ["exit 1", "kill -SEGV $$"])
  func `a browser that ends at once is reported, unless another one opens the page`(ending: String)
    async throws
  {
    let pictures = try NamedFilesTests.folder("a.png")
    let desktop = try await Desktop(pictures, ending: ending)
    let failed = try await desktop.open("a.png")
    #expect(failed.status == 69 && failed.lines.count == 1, "\(failed)")
    // The file can still be opened.
    let file = try #require(failed.errors.firstMatch(of: /open (\/\S+\.html) in another/))
    #expect(access(String(file.1), F_OK) == 0)
    _ = try await desktop.folder.writeScript("#!/bin/sh\n", as: "bin/xdg-open")
    #expect(try await desktop.open("a.png").status == 0)
  }

  @Test func `a file that can't be opened has its own exit status`() async throws {
    let pictures = try NamedFilesTests.folder("a.png")
    let desktop = try await Desktop(pictures, browser: "xdg-open")
    let nowhere = try await desktop.open("a.png", screen: "")
    #expect(nowhere.status == 69 && nowhere.lines.count == 1, "\(nowhere)")
    #expect(desktop.server == nil)
    #expect(try await desktop.open("none.png").status == 66)
    #expect(access(desktop.folder.path("opened"), F_OK) != 0)
    // Without a browser that supports app windows.
    #expect(try await desktop.open("a.png").status == 0)
    #expect(try await desktop.opened().hasSuffix(".html"))
    // Without a file, the page asks for one.
    #expect(try await desktop.open().status == 0)
    let page = try String(contentsOfFile: try await desktop.opened(), encoding: .utf8)
    #expect(page.contains("#/open\""))
  }
}
