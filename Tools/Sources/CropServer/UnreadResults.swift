import Foundation
import Hummingbird
import NIOCore
import Synchronization

/// Counts the bytes of results that clients have not read yet: a result is in memory until its client
/// has it, and a client may take its time.
final class UnreadResults: Sendable {
  private let most: Int
  private let held = Mutex(0)

  /// New results are made while fewer than `most` bytes are held.
  init(most: Int) {
    self.most = most
  }

  /// The bytes of all results that are held now.
  var heldBytes: Int { held.withLock { $0 } }

  /// To be called before a result is made.
  ///
  /// - Throws: `Problem.busy` while too much is held.
  func checkRoom() throws(Problem) {
    guard held.withLock({ $0 < most }) else {
      throw .busy("too many results wait to be read; try again soon")
    }
  }

  /// An answer with a result, sent in parts as its client reads.
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

  /// One result's bytes. They are given back with the last reference, so also by an answer that is never
  /// sent.
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
