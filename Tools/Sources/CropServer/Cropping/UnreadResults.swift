import FoundationEssentials
import Glibc
import Hummingbird
import NIOCore
import Synchronization

/// Counts the bytes of results that clients have not read yet. A result stays in memory until its
/// client has received it, which may take long.
final class UnreadResults: Sendable {
  private let most: Int
  private let held = Mutex(0)

  /// A counter that accepts new results while fewer than `most` bytes are held.
  init(most: Int) {
    self.most = most
  }

  /// The bytes of all results in memory.
  var heldBytes: Int { held.withLock { $0 } }

  /// Call this before making a result.
  ///
  /// - Throws: `Problem.busy` while too many bytes are held.
  func checkRoom() throws(Problem) {
    guard held.withLock({ $0 < most }) else {
      throw .busy("too many results are waiting to be read; try again soon")
    }
  }

  /// A response with a result, sent in chunks as the client reads.
  func response(headers: HTTPFields, bytes: Data, to channel: any Channel) -> Response {
    let share = Share(of: self, bytes: bytes.count)
    let body = ResponseBody(contentLength: bytes.count) { writer in
      defer { withExtendedLifetime(share) {} }
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Self.part)
        try await writer.write(ByteBuffer(bytes: part), to: channel)
        rest = rest.dropFirst(part.count)
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  private static let part = 1 << 17

  /// One result's bytes. They are released with the last reference, so also if the response is
  /// never sent.
  private final class Share: Sendable {
    private let results: UnreadResults
    private let bytes: Int

    init(of results: UnreadResults, bytes: Int) {
      self.results = results
      self.bytes = bytes
      results.held.withLock { $0 += bytes }
    }

    deinit { results.held.withLock { $0 -= bytes } }
  }
}

extension ResponseBodyWriter {
  /// Writes a chunk and waits until the connection has accepted it.
  ///
  /// Otherwise a writer queues its chunks in the connection's event loop and learns too late that a
  /// client does not read: on a busy machine a complete result would be queued by then, in memory
  /// that is not counted.
  mutating func write(_ part: ByteBuffer, to channel: any Channel) async throws {
    try await write(part)
    try await channel.eventLoop.submit {}.get()
  }
}
