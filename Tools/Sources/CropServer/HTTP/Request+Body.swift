import CropImaging
import FoundationEssentials
import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

extension Request {
  /// Passes on each chunk of the body as it arrives, with the total number of bytes so far.
  ///
  /// - Throws: `Problem` for a body that is too slow, and when the task is cancelled; `BrokenBody`;
  ///   what `take` throws.
  func readBody(
    on channel: any Channel, _ take: (_ part: ByteBuffer, _ count: Int) async throws -> Void
  ) async throws {
    askForBody(on: channel)
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0
    var parts = body.makeAsyncIterator()
    while let part = try await Self.next(&parts) {
      count += part.readableBytes
      try await take(part, count)
      let time = clock.now - start
      if time > ServerTimes.uploadGrace,
        Double(count) < Double(ServerTimes.slowestUpload) * (time / .seconds(1))
      {
        throw Problem(.requestTimeout, code: "slow-upload", "the upload is too slow")
      }
    }
    if Task.isCancelled {
      throw Problem(.serviceUnavailable, code: "stopping", "the server is stopping")
    }
  }

  /// The body as JSON.
  ///
  /// - Parameters:
  ///   - most: the maximum length in bytes.
  ///   - what: its name in messages.
  /// - Throws: as ``readBody(on:_:)``; `Problem` for a longer one; `DecodingError`.
  func json<Value: Decodable>(
    _ type: Value.Type, atMost most: Int, called what: String, on channel: any Channel
  ) async throws -> Value {
    var body = ByteBuffer()
    try await readBody(on: channel) { part, count in
      guard count <= most else {
        throw Problem(
          .contentTooLarge, code: "request", "\(what) may have at most \(most >> 10) KiB")
      }
      body.writeImmutableBuffer(part)
    }
    return try StrictJSON.decode(type, from: Data(body.readableBytesView))
  }

  /// The body as JSON, in which the key `encoding` has the options of a result.
  ///
  /// - Parameter code: the code of the problem with a value that can't be decoded; for `encoding` it
  ///   is `invalid-encoding`.
  /// - Throws: as ``json(_:atMost:called:on:)``, but only `Problem`.
  func json<Value: Decodable>(
    _ type: Value.Type, atMost most: Int, called what: String, on channel: any Channel,
    invalid code: String
  ) async throws -> Value {
    do {
      return try await json(type, atMost: most, called: what, on: channel)
    } catch let error as DecodingError {
      let isEncoding = error.path.first?.stringValue == "encoding"
      throw Problem(.badRequest, code: isEncoding ? "invalid-encoding" : code, error.words)
    }
  }

  /// Sends `100 Continue` to a client that waits for it (RFC 9110, 10.1.1).
  private func askForBody(on channel: any Channel) {
    guard headers[.expect]?.lowercased() == "100-continue" else { return }
    channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
  }

  private static func next(_ parts: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
    do {
      return try await parts.next()
    } catch is CancellationError {
      return nil
    } catch {
      throw BrokenBody(reason: error)
    }
  }
}

/// The connection failed while a body was read, so there is no one to respond to.
struct BrokenBody: Error {
  let reason: any Error
}
