import CropImaging
import Foundation
import Glibc
import Hummingbird
import NIOCore
import PhotoLibrary
import ServiceLifecycle
import Synchronization

/// Takes in the bytes that clients send, into files without a name that vanish when closed.
final class Uploads: Sendable {
  private let limits: Limits
  /// The bytes of all uploads that are held now.
  private let held = Mutex(0)
  private let threads = BlockingThreads(label: "cropkit.uploads", count: 4)

  init(limits: Limits) {
    self.limits = limits
  }

  /// Reads the body of a request as a picture and hands it to `body`.
  ///
  /// - Throws: `Problem` for a body that is too long, too slow or shorter than announced, and when
  ///   the server is told to stop before the body is there.
  func withPicture<Result>(
    in request: Request, on channel: any Channel, name: String,
    _ body: (PictureSource) async throws -> Result
  ) async throws -> Result {
    let announced = try announcedLength(of: request)
    let upload = Upload(file: try await threads.run { try Self.temporaryFile() })
    defer { held.withLock { $0 -= upload.count } }
    do {
      try await cancelWhenGracefulShutdown {
        try await self.receive(request, on: channel, announced: announced, into: upload)
      }
    } catch {
      close(upload.file)
      throw error
    }
    return try await body(try PictureSource(adopting: upload.file, name: name, limits: limits))
  }

  /// An upload on its way into a file.
  private final class Upload: Sendable {
    let file: Int32
    private let bytes = Mutex(0)

    init(file: Int32) {
      self.file = file
    }

    /// How many bytes came so far.
    var count: Int { bytes.withLock { $0 } }

    func add(_ more: Int) { bytes.withLock { $0 += more } }
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
      // Counted before it is written, given back by the caller.
      upload.add(part.readableBytes)
      let all = held.withLock { held in
        held += part.readableBytes
        return held
      }
      guard count <= limits.bytes else { throw tooLong }
      guard all <= limits.bytes * Self.uploadsAtOnce else { throw Problem.busy }
      try await threads.run { try Self.write(part, to: upload.file) }
    }
    guard announced == nil || announced == upload.count else {
      throw Problem(.badRequest, code: "request", "the upload broke off")
    }
  }

  /// How many uploads of the largest size may be held at once.
  private static let uploadsAtOnce = 4

  private var tooLong: Problem {
    Problem(.contentTooLarge, code: "limit-bytes", "a picture may have \(limits.bytes) bytes here")
  }

  private static func temporaryFile() throws(Problem) -> Int32 {
    let named = ProcessInfo.processInfo.environment["TMPDIR"]
    // A relative one would be another folder than the person meant.
    let folder = named.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let file = open(folder, O_RDWR | nameless | O_CLOEXEC, 0o600)
    if file >= 0 { return file }
    // A file system without nameless files: a name for a moment.
    var template = Array("\(folder)/cropkit-XXXXXX".utf8CString)
    let other = mkstemp(&template)
    guard other >= 0 else { throw problem(errno) }
    _ = fcntl(other, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return other
  }

  /// O_TMPFILE, a macro that Swift does not see: its own bit and O_DIRECTORY.
  private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY

  private static func write(_ part: ByteBuffer, to file: Int32) throws(Problem) {
    let error: Int32 = part.withUnsafeReadableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = Glibc.write(file, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return errno }
        done += count
      }
      return 0
    }
    if error != 0 { throw problem(error) }
  }

  private static func problem(_ error: Int32) -> Problem {
    if error == ENOSPC || error == EDQUOT {
      return Problem(.insufficientStorage, code: "disk-full", "the server's disk is full")
    }
    return Problem(
      .internalServerError, code: "write-failed",
      "the upload can't be stored: \(String(cString: strerror(error)))")
  }
}
