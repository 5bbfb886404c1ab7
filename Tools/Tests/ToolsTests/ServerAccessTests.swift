import Foundation
import Glibc
import Testing

/// Access to the server, over real sockets.
@Suite(.serialized)
struct ServerAccessTests {
  /// The fields that a browser sends when a user opens an address.
  private static let browser = [
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    "User-Agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  ]

  private static func cookie(of answer: Answer) throws -> String {
    String(try #require(answer.fields["set-cookie"], "\(answer)").prefix { $0 != ";" })
  }

  @Test func `access requires the token, from this machine too`() async throws {
    let server = try await RunningServer()
    for (line, fields) in [
      ("GET /", [:]), ("GET /api/samples", [:]), ("GET /api/devices", [:]),
      ("GET /api/samples", ["Authorization": "Bearer wrong-horse-battery"]),
      ("GET /?token=correct-horse-batter", [:]),
      ("GET /?code=\(String(repeating: "0", count: 32))", [:]),
      ("GET /api/samples?token=\(RunningServer.token)", [:]),
      ("GET /app.js", ["Cookie": "cropkit-session=; x=\(RunningServer.token)"]),
      ("GET /manifest.webmanifest", [:]), ("POST /api/devices/0/end", [:]),
    ] as [(String, [String: String])] {
      let answer = try await server.send(line, fields, knowsToken: false)
      #expect(answer.status == 401, "\(line): \(answer)")
      // RFC 9110, 15.5.2: it says how to authenticate.
      #expect(answer.fields["www-authenticate"] == "Bearer")
      #expect(answer.fields["set-cookie"] == nil)
    }
    let call = try await server.send("GET /api/samples", Self.browser, knowsToken: false)
    #expect(call.problem == "token")
    #expect(try await server.send("GET /api/samples").status == 200)
    let other = try await server.send(
      "GET /", ["Authorization": "bearer \(RunningServer.token)"], knowsToken: false)
    #expect(other.status == 200)
    #expect(!server.log.contains(RunningServer.token))
    await server.stop()
  }

  @Test func `a person who is not signed in sees a page to sign in`() async throws {
    let server = try await RunningServer()
    guard try await server.send("GET /sign-in.html").status == 200 else {
      print("SKIPPED: the sign-in page, for the server was built without its page")
      return
    }
    let words = [
      ("nl, ar;q=0.5", "تسجيل الدخول"), ("de-AT", "Anmelden"), ("zh-Hans-CN", "登录"),
      ("nl", "Sign in"), ("", "Sign in"),
    ]
    for (language, word) in words {
      var fields = Self.browser
      if !language.isEmpty { fields["Accept-Language"] = language }
      let answer = try await server.send("GET /", fields, knowsToken: false)
      #expect(answer.status == 401)
      #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
      #expect(answer.fields["cache-control"] == "no-store")
      #expect(answer.text.contains(#"data-state="first""#))
      #expect(answer.text.contains("<button>\(word)</button>"), "\(language)")
      let policy = answer.fields["content-security-policy"] ?? ""
      #expect(policy.contains("form-action 'self'") && policy.contains("default-src 'none'"))
    }
    for part in ["sign-in.css", "sign-in.js", "tokens.css", "icon.svg"] {
      #expect(try await server.send("GET /\(part)", knowsToken: false).status == 200, "\(part)")
    }
    let wrong = try await server.send(
      "POST /sign-in", Self.browser.merging(Self.form(of: server)) { $1 },
      body: Data("token=wrong-horse-battery".utf8), knowsToken: false)
    #expect(wrong.status == 401 && wrong.text.contains(#"data-state="wrong""#), "\(wrong)")
    await server.stop()
  }

  private static func form(of server: RunningServer) -> [String: String] {
    [
      "Content-Type": "application/x-www-form-urlencoded",
      "Origin": "http://127.0.0.1:\(server.port)",
    ]
  }

  @Test func `the form of the sign-in page signs in, once its token is right`() async throws {
    let server = try await RunningServer()
    func sent(_ token: String, _ fields: [String: String] = [:]) async throws -> Answer {
      let all = Self.browser.merging(Self.form(of: server)) { $1 }.merging(fields) { $1 }
      return try await server.send(
        "POST /sign-in", all, body: Data("token=\(token)".utf8), knowsToken: false)
    }
    #expect(try await sent("").status == 401)
    #expect(try await sent(RunningServer.token + "x").status == 401)
    #expect(try await sent(RunningServer.token, ["Origin": "http://evil.com"]).status == 403)
    #expect(try await sent("a&token=b").status == 400)
    #expect(try await sent(String(repeating: "a", count: 5000)).status == 413)
    // As pasted, with spaces around it.
    let welcome = try await sent("+%20\(RunningServer.token)%0A")
    #expect(welcome.status == 303 && welcome.fields["location"] == "/", "\(welcome)")
    let cookie = try #require(welcome.fields["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    #expect(cookie.contains("Max-Age=") && !cookie.contains("Secure"))
    let session = ["Cookie": "a=b; \(try Self.cookie(of: welcome))"]
    #expect(try await server.send("GET /", session, knowsToken: false).status == 200)
    #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 200)
    let back = try await server.send("GET /sign-in", knowsToken: false)
    #expect(back.status == 303 && back.fields["location"] == "/")
    await server.stop()
  }

  @Test func `a link with the token signs in and leaves the address bar`() async throws {
    let server = try await RunningServer()
    let link = "GET /?token=\(RunningServer.token)"
    let welcome = try await server.send(link, knowsToken: false)
    #expect(welcome.status == 303 && welcome.fields["location"] == "/")
    let session = ["Cookie": try Self.cookie(of: welcome)]
    let again = try await server.send(link, session, knowsToken: false)
    #expect(again.status == 303)
    // A known browser stays the same device.
    #expect(again.fields["set-cookie"] == nil)
    let head = try await server.send("HEAD /?token=\(RunningServer.token)", knowsToken: false)
    #expect(head.status == 401)
    await server.stop()
  }

  @Test func `no argument of any process contains a secret`() async throws {
    let folder = try Folder()
    // A browser that records what it was asked to open.
    let new = folder.path("opened.new")
    let script = """
      #!/bin/sh
      printf '%s\\n' "$@" >\(new)
      mv \(new) \(folder.path("opened"))

      """
    _ = try await folder.writeScript(script, as: "xdg-open")
    let runtime = folder.path("run")
    mkdir(runtime, 0o700)
    let server = try await RunningServer(
      options: ["--open"],
      environment: [
        "PATH": "\(folder.path):/usr/bin:/bin", "DISPLAY": ":99", "XDG_RUNTIME_DIR": runtime,
      ])
    let opened = try await Self.text(of: folder.path("opened"))
    let path = opened.split(separator: "\n").joined()
    #expect(path == "\(runtime)/cropkit/open-\(server.port).html")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let address = try #require(
      text.firstMatch(of: /url=http:\/\/127\.0\.0\.1:(\d+)(\/\?code=\w+)"/))
    #expect(address.1 == "\(server.port)")
    let arguments = try String(contentsOfFile: "/proc/\(server.process)/cmdline", encoding: .utf8)
    for secret in [RunningServer.token, String(address.2.dropFirst("/?code=".count))] {
      #expect(!arguments.contains(secret) && !opened.contains(secret))
      #expect(!server.log.contains(secret))
    }
    // As sent by a browser that followed a link in a file.
    let fields = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
    let welcome = try await server.send("GET \(address.2)", fields, knowsToken: false)
    #expect(welcome.status == 303, "\(welcome)")
    let session = ["Cookie": try Self.cookie(of: welcome)]
    #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 200)
    // Only once.
    #expect(try await server.send("GET \(address.2)", fields, knowsToken: false).status == 401)
    #expect(access(path, F_OK) != 0)
    await server.stop()
  }

  /// The contents of a file, as soon as it exists.
  private static func text(of path: String) async throws -> String {
    var text: String?
    try await eventually("a file") {
      text = try? String(contentsOfFile: path, encoding: .utf8)
      return text != nil
    }
    return text ?? ""
  }

  @Test func `an unused file for opening is deleted with the server`() async throws {
    let folder = try Folder()
    let server = try await RunningServer(
      options: ["--open"],
      environment: [
        "DISPLAY": ":99", "XDG_RUNTIME_DIR": "/nonexistent", "XDG_DATA_HOME": folder.path,
      ])
    // Without a runtime folder, it is in the user's data folder.
    let path = folder.path("cropkit/open-\(server.port).html")
    #expect(try await !Self.text(of: path).isEmpty)
    var status = stat()
    #expect(stat(folder.path("cropkit"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    await server.stop()
    #expect(access(path, F_OK) != 0)
  }

  @Test func `devices that joined stay joined when the server starts again`() async throws {
    let folder = try Folder()
    let data = ["XDG_DATA_HOME": folder.path]
    var server = try await RunningServer(options: [], environment: data)
    let link = "GET /?token=\(RunningServer.token)"
    var sessions: [[String: String]] = []
    for agent in ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "curl/8"]
    {
      let welcome = try await server.send(link, ["User-Agent": agent], knowsToken: false)
      sessions.append(["Cookie": try Self.cookie(of: welcome)])
    }
    await server.stop()
    // No stored file grants access.
    let kept = folder.path("cropkit/devices")
    for name in try FileManager.default.contentsOfDirectory(atPath: kept) {
      var status = stat()
      #expect(stat("\(kept)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
      let text = try String(contentsOfFile: "\(kept)/\(name)", encoding: .utf8)
      for session in sessions { #expect(!text.contains(session["Cookie"]?.suffix(64) ?? "")) }
    }
    server = try await RunningServer(options: [], environment: data)
    for session in sessions {
      #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 200)
    }
    let list = try await Self.devices(server, sessions[0])
    #expect(Set(list.map { $0.name }) == ["Firefox · Android", "curl"])
    #expect(list.filter(\.isThis).map(\.name) == ["Firefox · Android"])
    // One is signed out by the other, which then signs itself out.
    let curl = try #require(list.first { !$0.isThis })
    let ended = try await server.send(
      "POST /api/devices/\(curl.id)/end", sessions[0], knowsToken: false)
    #expect(ended.status == 204, "\(ended)")
    #expect(try await server.send("GET /", sessions[1], knowsToken: false).status == 401)
    let again = try await server.send(
      "POST /api/devices/\(curl.id)/end", sessions[0], knowsToken: false)
    #expect(again.status == 404)
    let own = try #require(list.first { $0.isThis })
    let out = try await server.send(
      "POST /api/devices/\(own.id)/end", sessions[0], knowsToken: false)
    #expect(out.status == 204)
    #expect(try await server.send("GET /", sessions[0], knowsToken: false).status == 401)
    await server.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: kept).isEmpty)
  }

  private struct Listed: Decodable {
    let id: String
    let name: String
    let isThis: Bool
  }

  private static func devices(
    _ server: RunningServer, _ session: [String: String]
  ) async throws -> [Listed] {
    struct List: Decodable { let devices: [Listed] }
    let answer = try await server.send("GET /api/devices", session, knowsToken: false)
    return try JSONDecoder().decode(List.self, from: answer.body).devices
  }

  @Test func `a device that is ended loses its connections`() async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await LibraryServer(folder).server
    let welcome = try await server.send("GET /?token=\(RunningServer.token)", knowsToken: false)
    let cookie = try Self.cookie(of: welcome)
    let stream = try Connection(port: server.port)
    let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
    stream.send(Data("\(head)Cookie: \(cookie)\r\n\r\n".utf8))
    #expect(await stream.read().starts(with: Data("HTTP/1.1 200".utf8)))
    let id = try #require(try await Self.devices(server, ["Cookie": cookie]).first?.id)
    #expect(try await server.send("POST /api/devices/\(id)/end").status == 204)
    let rest = await stream.readAll()
    // It ends, and not because of the idle timeout of a minute.
    #expect(rest.count < 10_000)
    await server.stop()
  }

  @Test func `wrong tokens of others do not block the right one`() async throws {
    let server = try await RunningServer()
    let wrong = ["Authorization": "Bearer wrong-horse-battery"]
    var status = 401
    while status == 401 {
      status = try await server.send("GET /api/samples", wrong, knowsToken: false).status
    }
    #expect(status == 429)
    #expect(try await server.send("GET /api/samples").status == 200)
    let link = "GET /?token=\(RunningServer.token)"
    #expect(try await server.send(link, knowsToken: false).status == 303)
    await server.stop()
  }

  @Test(arguments: ["cross-site", "same-site"])
  func `what other sites make a browser send does not count as an attempt`(site: String)
    async throws
  {
    let server = try await RunningServer()
    let foreign = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"]
    for _ in 0..<40 {
      let answer = try await server.send("GET /?token=x", foreign, knowsToken: false)
      #expect(answer.status == 401)
    }
    // The first wrong token from this address.
    #expect(try await server.send("GET /?token=x", knowsToken: false).status == 401)
    await server.stop()
  }

  @Test func `over HTTPS the cookie is for this host only, and browsers stay with HTTPS`()
    async throws
  {
    let folder = try Folder()
    let config = try folder.write("queue = 4\n".utf8, as: "server.toml")
    let server = try await RunningServer(options: ["--config", config])
    // Set later, so that the greeting has the port.
    _ = try folder.write("origin = \"https://photos.example.org\"\n".utf8, as: "server.toml")
    kill(server.process, SIGHUP)
    let host = ["Host": "photos.example.org"]
    try await eventually("the origin is known") {
      try await server.send("GET /api/samples", host).status == 200
    }
    let welcome = try await server.send(
      "GET /?token=\(RunningServer.token)", host, knowsToken: false)
    let cookie = try #require(welcome.fields["set-cookie"])
    #expect(cookie.hasPrefix("__Host-cropkit-session=") && cookie.contains("; Secure"))
    #expect(cookie.contains("; Path=/;") && !cookie.contains("Domain"))
    let secret = try Self.cookie(of: welcome).dropFirst("__Host-cropkit-session=".count)
    for (name, status) in [("__Host-cropkit-session", 200), ("cropkit-session", 401)] {
      let answer = try await server.send(
        "GET /api/samples", host.merging(["Cookie": "\(name)=\(secret)"]) { $1 }, knowsToken: false)
      #expect(answer.status == status, "\(name)")
      #expect(answer.fields["strict-transport-security"] == "max-age=31536000")
      #expect(answer.fields["permissions-policy"]?.contains("microphone=()") == true)
    }
    let plain = try await server.send("GET /api/samples")
    #expect(plain.status == 200 && plain.fields["strict-transport-security"] == nil)
    await server.stop()
  }

  @Test func `wrong tokens are slowed down and noted with their address`() async throws {
    let server = try await RunningServer()
    var statuses: [Int] = []
    // Faster than the limit allows, however long each takes.
    for _ in 0..<60 {
      let answer = try await server.send(
        "GET /api/samples", ["Authorization": "Bearer wrong-horse-battery"], knowsToken: false)
      statuses.append(answer.status)
      if answer.status == 429 {
        #expect(Int(answer.fields["retry-after"] ?? "").map { (1...3).contains($0) } == true)
        #expect(answer.problem == "slow-down")
        break
      }
    }
    #expect(statuses.count > 10 && statuses.dropLast().allSatisfy { $0 == 401 }, "\(statuses)")
    #expect(statuses.last == 429)
    try await eventually("it is noted") {
      let log = server.log
      return log.contains("sign-in refused") && log.contains("address=127.0.0.1")
    }
    // A signed-in browser is not slowed down, and the log contains no wrong token.
    #expect(!server.log.contains("wrong-horse"))
    await server.stop()
  }
}
