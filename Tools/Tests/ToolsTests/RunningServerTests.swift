import Foundation
import Glibc
import Testing

/// The helpers that start servers.
struct RunningServerTests {
  private struct Thrown: Error {}

  @Test func `a test that throws leaves no server, no worker and no file behind`() async throws {
    var left: [pid_t] = []
    do {
      let server = try await RunningServer()
      let picture = Data(PNGBomb.bytes(side: 100))
      #expect(try await server.send("POST /api/preview", body: picture).status == 200)
      let workers = Processes.children(of: server.process)
      #expect(!workers.isEmpty)
      left = [server.process] + workers
      throw Thrown()
    } catch is Thrown {}
    let server = try #require(left.first)
    #expect(kill(server, 0) != 0 && errno == ESRCH)
    for worker in left.dropFirst() {
      try await eventually("worker \(worker) is gone") { kill(worker, 0) != 0 }
    }
  }

  @Test func `a server that says nothing is ended too`() async throws {
    let folder = try Folder()
    var silent = Program("sleep")
    silent.path = "/usr/bin/env"
    var running: RunningProgram? = try silent.start(
      ["sleep", "600"], output: folder.path("output"),
      errors: folder.path("errors"))
    let process = try #require(running?.process)
    #expect(kill(process, 0) == 0)
    running = nil
    #expect(kill(process, 0) != 0 && errno == ESRCH)
  }
}
