import Foundation
import Glibc
import Testing

/// Clients that leave before their answer is there.
@Suite(.serialized, .enabled(if: !Picture.all.isEmpty))
struct ServerLeavingTests {
  @Test func `a crop ends when its client leaves, and the next one has its place`() async throws {
    let server = try await RunningServer("--jobs", "1", "--queue", "4")
    let path = try Picture.named("camera-canon-orient6-gps.jpg").path
    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
    func request(_ encoding: String) -> Data {
      // Twice as wide and high: HEIC takes its time to be coded.
      let recipe = "%7B%22output%22%3A%7B%22width%22%3A3072%2C%22height%22%3A4096%7D%7D"
      let query =
        (encoding == "heic" ? "recipe=\(recipe)&" : "")
        + "encoding=%7B%22format%22%3A%22\(encoding)%22%7D"
      let head =
        "POST /api/crop?\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Connection: close\r\nContent-Length: \(picture.count)\r\n\r\n"
      return Data(head.utf8) + picture
    }
    let clock = ContinuousClock()
    var start = clock.now
    #expect(try await server.exchange(request("heic")).status == 200)
    let slow = clock.now - start
    guard slow > .seconds(1) else {
      print("SKIPPED: a client that leaves; HEIC is coded in \(slow)")
      return
    }
    for _ in 0..<3 {
      let leaver = try Connection(port: server.port)
      leaver.send(request("heic"))
      usleep(300_000)
    }
    start = clock.now
    #expect(try await server.exchange(request("jpeg")).status == 200)
    let next = clock.now - start
    #expect(next < slow, "\(next) after three that left, each of \(slow)")
    #expect(await server.stop() == 0)
  }
}
