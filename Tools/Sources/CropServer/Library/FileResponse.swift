import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import NIOCore
import PhotoLibrary

/// The response with a file: all of it, the requested range (RFC 9110; one range only), or nothing
/// if the client already has it.
struct FileResponse {
  let source: ImageSource
  /// The entity tag, with its quotes.
  let tag: String
  let type: String
  let name: String
  /// Threads that read the file.
  let threads: BlockingThreads

  /// - Throws: `Problem` if the requested part is empty.
  func response(to request: Request, on channel: any Channel) throws(Problem) -> Response {
    var headers: HTTPFields = [
      .contentType: type, .eTag: tag, .cacheControl: "private, no-cache", .acceptRanges: "bytes",
      .contentDisposition: ResultName.disposition(of: name),
    ]
    if try request.headers.isUnchanged(tag: tag) {
      return Response(status: .notModified, headers: headers)
    }
    let condition = request.headers[named: "If-Range"]
    // Ranges only apply to GET.
    guard request.method == .get, let field = request.headers[.range],
      condition == nil || condition == tag,
      let wanted = ByteRange(field, of: source.byteCount)
    else {
      return Response(status: .ok, headers: headers, body: body(0..<source.byteCount, channel))
    }
    guard let range = wanted.range else {
      var problem = Problem(
        .rangeNotSatisfiable, code: "range", "the file has \(source.byteCount) bytes")
      problem.headers[.contentRange] = "bytes */\(source.byteCount)"
      throw problem
    }
    headers[.contentRange] =
      "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(source.byteCount)"
    return Response(status: .partialContent, headers: headers, body: body(range, channel))
  }

  /// The file is read while it is sent, so that a slow client uses little memory.
  private func body(_ range: Range<Int>, _ channel: any Channel) -> ResponseBody {
    let (source, threads) = (source, threads)
    return ResponseBody(contentLength: range.count) { writer in
      var rest = range
      while !rest.isEmpty {
        let part = rest.prefix(Self.part)
        let bytes = try await threads.run { try Self.read(source, part) }
        try await writer.write(ByteBuffer(bytes: bytes), to: channel)
        rest = part.endIndex..<rest.upperBound
      }
      try await writer.finish(nil)
    }
  }

  private static let part = 1 << 18

  private static func read(_ source: ImageSource, _ range: Range<Int>) throws -> Data {
    var bytes = Data(count: range.count)
    let count = try bytes.withUnsafeMutableBytes {
      try source.read(into: $0, at: range.lowerBound)
    }
    // The file is shorter than announced; the response can only be aborted.
    guard count == range.count else {
      throw CropError.readFailed(file: source.name, detail: "it became shorter while it was read")
    }
    return bytes
  }
}

/// A `Range` field.
struct ByteRange {
  /// The requested range; nil if it is empty.
  let range: Range<Int>?

  /// Parses the field for a file of `count` bytes; nil for a field to ignore: another unit, several
  /// ranges, or invalid text.
  init?(_ field: String, of count: Int) {
    guard field.lowercased().hasPrefix("bytes=") else { return nil }
    let parts = field.dropFirst("bytes=".count).split(
      separator: "-", omittingEmptySubsequences: false
    ).map { $0.trimmed(" \t") }
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      parts.contains(where: { !$0.isEmpty })
    else { return nil }
    if parts[0].isEmpty {
      let last = Int(parts[1]) ?? .max
      range = last == 0 || count == 0 ? nil : max(0, count - last)..<count
    } else {
      let first = Int(parts[0]) ?? .max
      let last = parts[1].isEmpty ? Int.max : Int(parts[1]) ?? .max
      guard first <= last else { return nil }
      range = first < count ? first..<min(last, count - 1) + 1 : nil
    }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
