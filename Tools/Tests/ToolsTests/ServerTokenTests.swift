import Foundation
import Glibc
import Testing

/// The sources of the token, and messages about it.
@Suite(.serialized)
struct ServerTokenTests {
  @Test(arguments: [
    ("toofew", 0o600), ("fifteen-letters", 0o600), ("sixteen letters!!", 0o600), ("", 0o600),
    ("correct-horse-battery", 0o604), ("correct-horse-battery", 0o620),
    ("ünïcödé-ünïcödé-ünïcödé", 0o600), ("aaaaaaaaaaaaaaaa", 0o600),
    ("abababababababab", 0o600), ("1234567890123456", 0o600),
    ("correct-horse-battery\naaaaaaaaaaaaaaaa", 0o600),
  ])
  func `a token that can be guessed or read by others is refused`(
    token: String, mode: Int
  ) async throws {
    let folder = try Folder()
    let file = try folder.write(token.utf8, as: "token")
    chmod(file, mode_t(mode))
    let outcome = try await Program.server.run(
      "--port", "0", "--library", "none", "--token-file", file)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.lines.count == 1 && outcome.errors.contains(file), "\(outcome)")
    #expect(token.isEmpty || !outcome.errors.contains(token))
  }

  @Test func `a missing token file is created, for its owner only`() async throws {
    let folder = try Folder()
    let file = folder.path("token")
    let server = try await RunningServer(
      options: ["--token-file", file], hasTokenFile: false)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let token = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    #expect(token.count == 24)
    #expect(!server.greeting.contains(token) && server.greeting.contains(file))
    let bearer = ["Authorization": "Bearer \(token)"]
    #expect(try await server.send("GET /api/samples", bearer).status == 200)
    await server.stop()
    #expect(folder.names == ["token"])
    let nowhere = try await Program.server.run(
      "--port", "0", "--library", "none", "--token-file", folder.path("no/token"))
    #expect(nowhere.status == 73 && nowhere.lines.count == 1, "\(nowhere)")
  }

  @Test func `without a file each start has a new token, which is printed`() async throws {
    var tokens: [Substring] = []
    for _ in 0..<2 {
      let server = try await RunningServer(options: [], hasTokenFile: false)
      let found = try #require(
        server.greeting.firstMatch(of: /The token to sign in is ([\w-]{24})\n/))
      let bearer = ["Authorization": "Bearer \(found.1)"]
      #expect(try await server.send("GET /api/samples", bearer).status == 200)
      #expect(!server.log.contains(found.1))
      tokens.append(found.1)
      await server.stop()
    }
    #expect(tokens[0] != tokens[1])
  }

  @Test func `the token is not written where others can read it`() async throws {
    let folder = try Folder()
    let output = try folder.write([], as: "output")
    chmod(output, 0o644)
    let running = try Program.server.start(
      ["--port", "0", "--library", "none"], output: output,
      errors: folder.path("log"))
    var text = ""
    try await eventually("two lines") {
      text = try String(contentsOfFile: output, encoding: .utf8)
      return text.split(separator: "\n").count >= 2
    }
    #expect(text.contains("use --token-file"), "\(text)")
    #expect(!text.contains("The token to sign in is"))
    running.send(SIGTERM)
    #expect(await running.end() == 0)
  }

  @Test func `a token is no option`() async throws {
    let outcome = try await Program.server.run("--port", "0", "--token", "correct-horse-battery")
    #expect(outcome.status == 64 && outcome.errors.contains("--token-file"), "\(outcome)")
  }

  @Test func `listening on all addresses is reported`() async throws {
    for host in ["0", "0.0.0.0"] {
      let server = try await RunningServer("--host", host)
      #expect(server.greeting.contains("all addresses of this machine (0.0.0.0)"))
      #expect(!server.greeting.contains("//0:") && !server.greeting.contains("//0.0.0.0"))
      #expect(server.port != 0)
      #expect(try await server.send("GET /api/samples").status == 200)
      #expect(try await server.send("GET /api/samples", knowsToken: false).status == 401)
      await server.stop()
    }
    let short = try await RunningServer("--host", "127.1")
    #expect(short.greeting.hasPrefix("CropKit is at http://127.0.0.1:\(short.port)/\n"))
    #expect(!short.greeting.contains("all addresses"))
    await short.stop()
    let none = try await Program.server.run("--host", "no such host", "--port", "0")
    #expect(none.status == 64 && none.lines.count == 1, "\(none)")
  }
}
