import CropImaging
import Glibc
import Hummingbird
import NIOCore
import PhotoLibrary
import ServiceLifecycle
import Synchronization

/// Writes uploads into files without a name, which vanish when closed.
final class Uploads: Sendable {
  private let limits: Limits
  /// The bytes of all current uploads.
  private let held = Mutex(0)
  private let threads = BlockingThreads(label: "cropkit.uploads", count: 4)

  init(limits: Limits) {
    self.limits = limits
  }

  /// The bytes of all current uploads.
  var heldBytes: Int { held.withLock { $0 } }

  /// Reads the body of a request as an image and passes it to `body`.
  ///
  /// - Throws: `Problem` for a body that is too long, too slow or shorter than announced, and if
  ///   the server stops before it is complete.
  func withPicture<Result>(
    in request: Request, on channel: any Channel, name: String,
    _ body: (ImageSource) async throws -> Result
  ) async throws -> Result {
    try checkType(of: request)
    let announced = try announcedLength(of: request)
    let upload = Upload(file: try await threads.run { try AnonymousFile.opened() })
    defer { held.withLock { $0 -= upload.count } }
    do {
      try await cancelWhenGracefulShutdown {
        try await self.receive(request, on: channel, announced: announced, into: upload)
      }
    } catch {
      close(upload.file)
      throw error
    }
    return try await body(try ImageSource(adopting: upload.file, name: name, limits: limits))
  }

  /// An upload that is being received.
  private final class Upload: Sendable {
    let file: Int32
    private let bytes = Mutex(0)

    init(file: Int32) {
      self.file = file
    }

    /// The number of bytes received so far.
    var count: Int { bytes.withLock { $0 } }

    func add(_ more: Int) { bytes.withLock { $0 += more } }
  }

  /// - Throws: `Problem` for a form, as sent by `curl -F`: its header lines would be read as part
  ///   of the image.
  private func checkType(of request: Request) throws(Problem) {
    guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true else {
      throw Problem(
        .unsupportedMediaType, code: "request",
        "the body must be the image, not a form; send it with curl --data-binary @photo.jpg")
    }
  }

  private func announcedLength(of request: Request) throws(Problem) -> Int? {
    guard let text = request.headers[.contentLength] else { return nil }
    guard let length = Int(text), length >= 0 else {
      throw Problem(.badRequest, code: "request", "Content-Length is not a number")
    }
    guard length <= limits.bytes else { throw tooLong }
    return length
  }

  private func receive(
    _ request: Request, on channel: any Channel, announced: Int?, into upload: Upload
  ) async throws {
    try await request.readBody(on: channel) { part, count in
      // Counted before it is written; the caller subtracts it later.
      upload.add(part.readableBytes)
      let all = held.withLock { held in
        held += part.readableBytes
        return held
      }
      guard count <= limits.bytes else { throw tooLong }
      guard all <= limits.bytes * Self.uploadsAtOnce else { throw Problem.busy() }
      try await threads.run {
        try part.withUnsafeReadableBytes { (bytes) throws(Problem) in
          try AnonymousFile.write(bytes, to: upload.file)
        }
      }
    }
    guard announced == nil || announced == upload.count else {
      throw Problem(.badRequest, code: "request", "the upload broke off")
    }
  }

  /// The maximum number of concurrent uploads of the largest size.
  private static let uploadsAtOnce = 4

  private var tooLong: Problem {
    Problem(
      .contentTooLarge, code: "limit-bytes", "an image may have at most \(limits.bytes) bytes")
  }
}
