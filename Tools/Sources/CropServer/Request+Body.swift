import CropImaging
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

extension Request {
  /// Hands over the body as it comes, each part with the number of bytes up to its end.
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
      throw Problem(.serviceUnavailable, code: "stopping", "the server is being stopped")
    }
  }

  /// The body as JSON.
  ///
  /// - Parameters:
  ///   - most: the most bytes it may have.
  ///   - what: what messages call it.
  /// - Throws: as ``readBody(on:_:)``; `Problem` for a longer one; `DecodingError`.
  func json<Value: Decodable>(
    _ type: Value.Type, atMost most: Int, called what: String, on channel: any Channel
  ) async throws -> Value {
    var body = ByteBuffer()
    try await readBody(on: channel) { part, count in
      guard count <= most else {
        throw Problem(
          .contentTooLarge, code: "request", "\(what) has at most \(most >> 10) KiB")
      }
      body.writeImmutableBuffer(part)
    }
    return try StrictJSON.decode(type, from: Data(body.readableBytesView))
  }

  /// Tells a client that waits for it to go on (RFC 9110, 10.1.1).
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

/// The connection failed while a body was read; there is nobody to answer.
struct BrokenBody: Error {
  let reason: any Error
}
