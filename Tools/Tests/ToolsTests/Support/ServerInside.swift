import CropImaging
import Foundation
import Logging
import Testing

@testable import CropServer
@testable import PhotoLibrary

/// A server in this process, for what a test has to set that no option does.
final class ServerInside: Sendable {
  let port: UInt16
  /// The lines of a request that is let in.
  let ownFields: String
  /// Makes an address that signs in one other device.
  let joiningAddress: @Sendable () -> String?
  private let task: Task<Void, any Error>

  /// Starts a server over the photos of `folder` and waits until it listens.
  init(over folder: Folder, _ change: (inout ServerSettings) -> Void) async throws {
    var settings = ServerSettings(
      place: .port(.loopback, 0), token: AccessToken(unchecked: RunningServer.token),
      library: .folder(LibraryServer.photos(folder)),
      worker: "\(Program.folder)/cropkit-worker", concurrency: 2)
    change(&settings)
    let server = CropServer(
      LiveSettings(settings), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      places: LibraryPlaces(
        environment: [
          "HOME": folder.path, "XDG_DATA_HOME": folder.path("data"),
          "XDG_CACHE_HOME": folder.path("cache"),
        ]), endsAtSignals: false)
    let (places, said) = AsyncStream.makeStream(of: Listening.self)
    task = Task {
      defer { said.finish() }
      try await server.run { said.yield($0) }
    }
    var first: Listening?
    for await listening in places {
      first = listening
      break
    }
    let listening = try #require(first)
    joiningAddress = { listening.joiningAddress() }
    port = UInt16(try #require(listening.port))
    ownFields = "Host: 127.0.0.1:\(port)\r\n\(RunningServer.credentials)"
  }

  deinit { task.cancel() }

  /// Sends a request and returns the answer, to its end.
  func send(_ line: String, body: Data = Data()) async throws -> Answer {
    let head =
      "\(line) HTTP/1.1\r\n\(ownFields)Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
    let port = port
    return try await onOwnThread {
      let connection = try Connection(port: port)
      connection.send(Data(head.utf8) + body)
      return try Answer(connection.readAll())
    }
  }

  /// Sends text as it is and returns the answer, to its end.
  func exchange(_ text: String) async throws -> Answer {
    let port = port
    return try await onOwnThread {
      let connection = try Connection(port: port)
      connection.send(Data(text.utf8))
      return try Answer(connection.readAll())
    }
  }

  /// Waits for the end of a server that ends by itself.
  func end() async { _ = await task.result }

  /// Stops the server and waits for its end.
  func stop() async {
    task.cancel()
    _ = await task.result
  }
}
