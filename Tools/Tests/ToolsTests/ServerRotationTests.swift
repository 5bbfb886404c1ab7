import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import CropServer

/// Changed tokens, and what happens to the devices that signed in with them.
@Suite(.serialized)
struct ServerRotationTests {
  private static let new = "battery-staple-mountain"

  private static func status(_ server: RunningServer, bearer: String) async throws -> Int {
    let fields = ["Authorization": "Bearer \(bearer)"]
    return try await server.send("GET /api/devices", fields, knowsToken: false).status
  }

  private static func session(_ server: RunningServer, _ token: String) async throws -> [String:
    String]
  {
    let welcome = try await server.send("GET /?token=\(token)", knowsToken: false)
    return [
      "Cookie": "\(try #require(welcome.fields["set-cookie"], "\(welcome)").prefix { $0 != ";" })"
    ]
  }

  private static func write(_ tokens: String, to folder: Folder) throws -> String {
    let file = try folder.write(tokens.utf8, as: "tokens")
    chmod(file, 0o600)
    return file
  }

  @Test(arguments: [true, false])
  func `a token that is removed from its file ends what it signed in, unless asked otherwise`(
    keepsDevices: Bool
  ) async throws {
    let folder = try Folder()
    let old = RunningServer.token
    let file = try Self.write("\(Self.new)\n\(old)\n", to: folder)
    let options = ["--token-file", file] + (keepsDevices ? ["--keep-devices"] : [])
    let server = try await RunningServer(options: options, hasTokenFile: false)
    for token in [old, Self.new] {
      #expect(try await Self.status(server, bearer: token) == 200)
    }
    let (first, second) = (
      try await Self.session(server, old), try await Self.session(server, Self.new)
    )
    // A browser that signs in again stays signed in as long as that token lasts.
    let third = try await Self.session(server, old)
    let again = try await server.send("GET /?token=\(Self.new)", third, knowsToken: false)
    #expect(again.status == 303 && again.fields["set-cookie"] == nil, "\(again)")
    _ = try Self.write("\(Self.new)\n", to: folder)
    kill(server.process, SIGHUP)
    try await eventually("the settings are read") { server.log.contains("settings reloaded") }
    #expect(try await Self.status(server, bearer: old) == 401)
    #expect(try await Self.status(server, bearer: Self.new) == 200)
    #expect(
      try await server.send("GET /api/samples", first, knowsToken: false).status
        == (keepsDevices ? 200 : 401))
    #expect(try await server.send("GET /api/samples", second, knowsToken: false).status == 200)
    #expect(try await server.send("GET /api/samples", third, knowsToken: false).status == 200)
    await server.stop()
  }

  @Test func `a program whose token is removed hears of no more events`() async throws {
    let folder = try LibraryServer.folder([:])
    let file = try Self.write("\(Self.new)\n\(RunningServer.token)\n", to: folder)
    let server = try await RunningServer(
      options: ["--token-file", file, "--library", LibraryServer.photos(folder)],
      environment: ["XDG_DATA_HOME": folder.path("data")], hasTokenFile: false)
    func stream(_ token: String) throws -> Connection {
      let stream = try Connection(port: server.port)
      stream.send(
        Data(
          ("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
            + "Authorization: Bearer \(token)\r\n\r\n").utf8))
      return stream
    }
    let (old, new) = (try stream(RunningServer.token), try stream(Self.new))
    for stream in [old, new] {
      #expect(await stream.read(until: "event: indexing\n").contains("200 OK"))
    }
    _ = try Self.write("\(Self.new)\n", to: folder)
    kill(server.process, SIGHUP)
    // Each read takes no longer than the time between two keep-alive comments.
    var isOver = false
    for _ in 0..<20 where !isOver { isOver = await old.read().isEmpty }
    #expect(isOver)
    #expect(new.isStillThere)
    await server.stop()
  }

  @Test func `a token that was changed while no server ran ends what the old one signed in`()
    async throws
  {
    let folder = try Folder()
    let file = try Self.write(RunningServer.token, to: folder)
    let data = ["XDG_DATA_HOME": folder.path("data")]
    var server = try await RunningServer(
      options: ["--token-file", file], environment: data, hasTokenFile: false)
    let session = try await Self.session(server, RunningServer.token)
    await server.stop()
    // A server with another token keeps them.
    server = try await RunningServer(options: [], environment: data)
    #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 200)
    await server.stop()
    _ = try Self.write(Self.new, to: folder)
    // The same file, written differently.
    server = try await RunningServer(
      options: ["--token-file", folder.path("./tokens")], environment: data, hasTokenFile: false)
    #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 401)
    await server.stop()
  }

  @Test func `settings that are wrong change nothing at SIGHUP`() async throws {
    let folder = try Folder()
    let config = try folder.write("queue = 4\n".utf8, as: "server.toml")
    let server = try await RunningServer(options: ["--config", config])
    _ = try folder.write(
      "queue = 4\norigin = [\"https://photos.example.org\"]\n".utf8, as: "server.toml")
    kill(server.process, SIGHUP)
    let host = ["Host": "photos.example.org"]
    try await eventually("the origin is known") {
      try await server.send("GET /api/samples", host).status == 200
    }
    _ = try folder.write("queue = \n".utf8, as: "server.toml")
    kill(server.process, SIGHUP)
    try await eventually("the mistake is logged") { server.log.contains("line 1") }
    #expect(server.log.contains("settings not reloaded"))
    #expect(try await server.send("GET /api/samples", host).status == 200)
    await server.stop()
  }

  @Test(arguments: [["token"], ["server.toml"], ["token", "server.toml"]])
  func `files that are missing at SIGHUP change nothing`(names: [String]) async throws {
    let folder = try Folder()
    let token = RunningServer.token
    let file = try folder.write("\(token)\n\(Self.new)\n".utf8, as: "token")
    chmod(file, 0o600)
    // The default place, where a missing file is allowed.
    try FileManager.default.createDirectory(
      at: folder.url("cropkit"), withIntermediateDirectories: false)
    let config = try folder.write(
      "token-file = \"\(file)\"\n".utf8, as: "cropkit/server.toml")
    let home = ["XDG_CONFIG_HOME": folder.path("."), "XDG_DATA_HOME": folder.path("data")]
    let server = try await RunningServer(options: [], environment: home, hasTokenFile: false)
    let (first, second) = (
      try await Self.session(server, token), try await Self.session(server, Self.new)
    )
    let places: [String: String] = ["token": file, "server.toml": config]
    for name in names {
      let place = try #require(places[name])
      #expect(rename(place, folder.path("\(name).away")) == 0)
    }
    kill(server.process, SIGHUP)
    try await eventually("it is logged") { server.log.contains("settings not reloaded") }
    if names.contains("token") { #expect(access(file, F_OK) != 0) }
    for session in [first, second] {
      #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 200)
    }
    for token in [token, Self.new] { #expect(try await Self.status(server, bearer: token) == 200) }
    await server.stop()
  }

  @Test func `settings that every user can change are refused`() async throws {
    let folder = try Folder()
    let config = try folder.write("port = 0\n".utf8, as: "server.toml")
    chmod(config, 0o646)
    let outcome = try await Program.server.run("--config", config, "--library", "none")
    #expect(outcome.status == 78 && outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.errors.contains("\(config) can be changed by other users"))
  }

  @Test func `an address for another device holds a code that works once, and no token`()
    async throws
  {
    let folder = try LibraryServer.folder([:])
    let server = try await ServerInside(over: folder) { settings in
      settings.origins = ["http://photos.example.org"].compactMap(Origin.init)
    }
    let address = try #require(server.joiningAddress())
    #expect(!address.contains(RunningServer.token))
    let code = try #require(
      address.firstMatch(of: /^http:\/\/photos\.example\.org\/(\?code=[0-9a-f]{32})$/))
    #expect(server.joiningAddress() != address)
    #expect(try await server.send("GET /\(code.1)").status == 303)
    let head =
      "GET /\(code.1) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n"
    let stranger = try await server.exchange(Data(head.utf8))
    #expect(stranger.status == 401)
    await server.stop()
  }

  // MARK: Devices

  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test func `a clock that is months ahead for a while signs out no device permanently`()
    async throws
  {
    let folder = try Folder()
    let day = 86_400
    let time = Mutex(Int(Glibc.time(nil)))
    let place = folder.path("devices")
    func devices() -> Devices {
      Devices(folder: place, logger: Self.logger, clock: { time.withLock { $0 } }, ended: { _ in })
    }
    let secret = try await devices().join(
      name: "x", address: "192.0.2.1", by: AccessToken(unchecked: RunningServer.token))
    time.withLock { $0 += 91 * day }
    #expect(await devices().device(keeping: secret, at: "192.0.2.1") == nil)
    time.withLock { $0 -= 91 * day }
    let known = try #require(await devices().device(keeping: secret, at: "192.0.2.2"))
    #expect(known.name == "x" && known.address == "192.0.2.2")
    #expect(devices().all.map(\.address) == ["192.0.2.1"])
  }

  @Test func `a device that can't be stored is signed in until the server stops`() async throws {
    let folder = try Folder()
    let data = ["XDG_DATA_HOME": folder.path("data")]
    let server = try await RunningServer(options: [], environment: data)
    // A test can't fill the disk; a folder that is a file fails too.
    let place = folder.path("data/cropkit/devices")
    #expect(rename(place, "\(place).away") == 0)
    #expect(FileManager.default.createFile(atPath: place, contents: nil))
    let session = try await Self.session(server, RunningServer.token)
    #expect(try await server.send("GET /api/samples", session, knowsToken: false).status == 200)
    try await eventually("it is noted") { server.log.contains("forgotten at the end") }
    unlink(place)
    #expect(rename("\(place).away", place) == 0)
    let list = try await server.send("GET /api/devices", session, knowsToken: false)
    #expect(list.status == 200 && list.text.contains(#""address":"127.0.0.1""#), "\(list)")
    await server.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
  }
}
