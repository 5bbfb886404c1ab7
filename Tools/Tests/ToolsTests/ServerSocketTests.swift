import Foundation
import Glibc
import Testing

/// A server behind a proxy.
@Suite(.serialized)
struct ServerSocketTests {
  @Test func `a proxy connects to a socket that only its owner may use`() async throws {
    let folder = try Folder()
    let path = folder.path("s")
    let server = try await RunningServer(
      "--socket", path, "--origin", "https://photos.example.org")
    #expect(server.greeting.hasPrefix("CropKit is at https://photos.example.org/\n"))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(folder.names == ["s"])
    func ask(_ line: String, _ host: String, _ more: String) async throws -> Answer {
      let head = "\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(more)\r\n"
      return try await Connection(path: path).exchange(Data(head.utf8))
    }
    #expect(try await ask("GET /api/samples", "localhost", "").status == 401)
    #expect(try await ask("GET /api/samples", "localhost", RunningServer.credentials).status == 200)
    let foreign = try await ask("GET /", "evil.org", RunningServer.credentials)
    #expect(foreign.status == 421)
    // What to do if the name is the server's after all.
    #expect(foreign.text.contains("--origin"), "\(foreign)")
    let welcome = try await ask("GET /?token=\(RunningServer.token)", "photos.example.org", "")
    #expect(welcome.fields["set-cookie"]?.contains("; Secure") == true)
    for (origin, status) in [
      ("https://photos.example.org", 422), ("http://photos.example.org", 403),
    ] {
      let fields = "Content-Length: 0\r\n\(RunningServer.credentials)Origin: \(origin)\r\n"
      #expect(try await ask("POST /api/info", "photos.example.org", fields).status == status)
    }
    // Two servers can't listen at the same path.
    let second = try await Program.server.run("--socket", path, "--library", "none")
    #expect(second.status == 64, "\(second)")
    #expect(second.errors.contains("a server already listens on \(path)"))
    #expect(try await ask("GET /api/samples", "localhost", RunningServer.credentials).status == 200)
    #expect(await server.stop() == 0)
    #expect(folder.names == [])
  }

  @Test func `a socket of a server that was killed is taken over, anything else is not`()
    async throws
  {
    let folder = try Folder()
    let path = folder.path("s")
    let killed = try await RunningServer("--socket", path)
    await killed.stop(signal: SIGKILL)
    #expect(folder.names == ["s"])
    let server = try await RunningServer("--socket", path, "--socket-mode", "660")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
    await server.stop()
    let file = try folder.write("precious".utf8, as: "file")
    let endless = folder.path(String(repeating: "x", count: 120))
    for (place, word) in [(file, "not a socket"), (endless, "107")] {
      let outcome = try await Program.server.run("--socket", place, "--library", "none")
      #expect(outcome.status == 64 && outcome.errors.contains(word), "\(outcome)")
    }
    #expect(folder.names == ["file"])
    // Only the path of the folder in which it is bound would be too long.
    let deep = folder.path(String(repeating: "y", count: 107 - folder.path.utf8.count - 4))
    mkdir(deep, 0o700)
    let long = try await RunningServer("--socket", "\(deep)/s")
    #expect(long.greeting.contains(deep))
    await long.stop()
  }
}
