import CropImaging
import Foundation
import Logging
import Testing

@testable import CropServer
@testable import PhotoLibrary

/// A server in this process, for tests that change settings without an option.
final class ServerInside: Sendable {
  let port: UInt16
  /// The header fields of a request with access.
  let ownFields: String
  /// Creates an address that signs in one other device.
  let joiningAddress: @Sendable () -> String?
  private let task: Task<Void, any Error>

  /// Starts a server for the photos in `folder`, and waits until it listens.
  init(over folder: Folder, _ change: (inout ServerSettings) -> Void) async throws {
    var settings = ServerSettings(
      place: .port(.loopback, 0), token: AccessToken(unchecked: RunningServer.token),
      library: .folder(LibraryServer.photos(folder)), concurrency: 2)
    settings.worker = "\(Program.folder)/cropkit-worker"
    settings.limits = Limits(seconds: 600)
    change(&settings)
    let server = CropServer(
      LiveSettings(settings), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      userFolders: UserFolders(environment: folder.environment), endsAtSignals: false)
    let (places, said) = AsyncStream.makeStream(of: Listening.self)
    let running = Task {
      defer { said.finish() }
      try await server.run { said.yield($0) }
    }
    task = running
    var first: Listening?
    for await listening in places {
      first = listening
      break
    }
    // The error that prevented it from listening is the test's failure.
    if first == nil { try await running.value }
    let listening = try #require(first)
    joiningAddress = { listening.joiningAddress() }
    port = UInt16(try #require(listening.port))
    ownFields = "Host: 127.0.0.1:\(port)\r\n\(RunningServer.credentials)"
  }

  deinit { task.cancel() }

  /// Sends a request and returns the complete response.
  func send(_ line: String, body: Data = Data()) async throws -> Answer {
    let head =
      "\(line) HTTP/1.1\r\n\(ownFields)Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
    return try await exchange(Data(head.utf8) + body)
  }

  /// Sends bytes unchanged and returns the complete response.
  func exchange(_ bytes: Data) async throws -> Answer {
    try await Connection(port: port).exchange(bytes)
  }

  /// Waits for a server that stops automatically.
  func end() async { _ = await task.result }

  /// Stops the server and waits for it.
  func stop() async {
    task.cancel()
    _ = await task.result
  }
}
