import Foundation
import Glibc
import Testing

@testable import CropServer

/// The server's log, readiness check and metrics, for monitoring programs.
@Suite(.serialized)
struct ServerMonitoringTests {
  /// The lines of a JSON log about responses, as soon as there are this many.
  private static func answered(
    _ server: RunningServer, count: Int
  ) async throws -> [(text: String, values: [String: any Sendable])] {
    var lines: [String] = []
    try await eventually("\(count) lines of answers") {
      lines = server.log.split(separator: "\n").map(String.init)
        .filter { $0.contains(#""message":"answered""#) }
      return lines.count >= count
    }
    return try lines.map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return (line, try #require(value as? [String: any Sendable]))
    }
  }

  @Test func `a line of the JSON log has each key once, with numbers as numbers`() async throws {
    let server = try await RunningServer("--log-form", "json")
    let welcome = try await server.send("GET /?token=\(RunningServer.token)", knowsToken: false)
    let cookie = try #require(welcome.fields["set-cookie"]).prefix { $0 != ";" }
    _ = try await server.send("GET /api/samples", ["Cookie": "\(cookie)"], knowsToken: false)
    let long = String(repeating: "x", count: 20_000)
    _ = try await server.send("GET /\(long)", knowsToken: false)
    let lines = try await Self.answered(server, count: 3)
    for (text, values) in lines {
      for key in values.keys {
        #expect(
          text.components(separatedBy: "\"\(key)\":").count == 2, "\(key): \(text.prefix(400))")
      }
      let keys: Set = [
        "time", "level", "message", "request", "method", "path", "status", "seconds", "address",
      ]
      #expect(Set(values.keys).subtracting(["device"]) == keys, "\(text.prefix(400))")
      #expect(values["address"] as? String == "127.0.0.1")
      #expect(text.contains("\"status\":\(values["status"] as? Int ?? 0)"))
      #expect((values["seconds"] as? Double).map { $0 >= 0 } == true)
      #expect((values["time"] as? String)?.hasPrefix("20") == true)
      #expect(text.utf8.count < 1500)
    }
    #expect(lines.map { $0.values["status"] as? Int } == [303, 200, 401])
    #expect((lines[1].values["device"] as? String)?.count == 16)
    #expect((lines[2].values["path"] as? String)?.hasSuffix("…") == true)
    await server.stop()
  }

  @Test func `a server whose library is gone is alive and not ready`() async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await LibraryServer(folder).server
    let ready = try await server.send("GET /api/ready", knowsToken: false)
    #expect(ready.status == 200, "\(ready)")
    for part in [#""ready":true"#, #""library":"ok""#, #""disk":"ok""#, #""workers":"ok""#] {
      #expect(ready.text.contains(part), "\(ready)")
    }
    let photos = LibraryServer.photos(folder)
    #expect(rename(photos, "\(photos).away") == 0)
    var answer = ready
    try await eventually("it is not ready") {
      answer = try await server.send("GET /api/ready", knowsToken: false)
      return answer.status == 503
    }
    #expect(answer.text.contains(#""library":"missing""#) && !answer.text.contains(folder.path))
    #expect(try await server.send("GET /api/health", knowsToken: false).status == 204)
    #expect(rename("\(photos).away", photos) == 0)
    try await eventually("it is ready again") {
      try await server.send("GET /api/ready", knowsToken: false).status == 200
    }
    await server.stop()
  }

  @Test func `a server without a worker program or room for its data is not ready`() async throws {
    let folder = try LibraryServer.folder([:])
    let server = try await ServerInside(over: folder) { $0.worker = "/nonexistent/worker" }
    let answer = try await server.send("GET /api/ready")
    #expect(answer.status == 503 && answer.text.contains(#""workers":"failing""#), "\(answer)")
    try FileManager.default.removeItem(atPath: folder.path("data"))
    try await eventually("the lost data is seen") {
      try await server.send("GET /api/ready").text.contains(#""disk":"unwritable""#)
    }
    await server.stop()
  }

  @Test func `metrics are for those who know the token`() async throws {
    let server = try await RunningServer()
    #expect(try await server.send("GET /api/metrics", knowsToken: false).status == 401)
    for _ in 0..<2 { _ = try await server.send("GET /api/samples") }
    _ = try await server.send("GET /not/there-1")
    let answer = try await server.send("GET /api/metrics")
    #expect(answer.status == 200)
    #expect(answer.fields["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    let lines = answer.text.split(separator: "\n").map(String.init)
    for line in [
      "# TYPE cropkit_http_requests_total counter",
      #"cropkit_http_requests_total{method="GET",route="/api/samples",status="200"} 2"#,
      #"cropkit_http_request_duration_seconds_bucket{route="/api/samples",le="+Inf"} 2"#,
      #"cropkit_http_request_duration_seconds_count{route="/api/samples"} 2"#,
      "cropkit_http_requests_active 1", "cropkit_pictures_active 0", "cropkit_pictures_waiting 0",
      "cropkit_workers_busy 0", "# TYPE process_resident_memory_bytes gauge",
    ] { #expect(lines.contains(line), "\(line) in \(answer.text)") }
    // Requests from strangers don't create new series.
    #expect(!answer.text.contains("there-1"))
    let memory = lines.first { $0.hasPrefix("process_resident_memory_bytes ") }
    #expect(memory.flatMap { Int($0.split(separator: " ")[1]) }.map { $0 > 1 << 20 } == true)
    await server.stop()
  }

  @Test func `a histogram counts what is at most as long as its bucket`() {
    let metrics = PrometheusMetrics()
    let timer = metrics.makeTimer(label: "t", dimensions: [("a", "x\"\\\ny")])
    for nanoseconds: Int64 in [1_000_000, 5_000_000, 300_000_000, 120_000_000_000] {
      timer.recordNanoseconds(nanoseconds)
    }
    let lines = metrics.text.split(separator: "\n").map(String.init)
    let label = #"a="x\"\\\ny""#
    #expect(lines.first == "# TYPE t histogram")
    #expect(lines.contains(#"t_bucket{\#(label),le="0.005"} 2"#), "\(lines)")
    #expect(lines.contains(#"t_bucket{\#(label),le="0.5"} 3"#))
    #expect(lines.contains(#"t_bucket{\#(label),le="60"} 3"#))
    #expect(lines.contains(#"t_bucket{\#(label),le="+Inf"} 4"#))
    #expect(lines.contains("t_sum{\(label)} 120.306"))
  }
}
