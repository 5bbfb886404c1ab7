import CropImaging
import Foundation
import Hummingbird
import NIOCore
import PhotoLibrary

/// A file as an answer: whole, or the part that was asked for (RFC 9110, one range), or nothing where
/// the client has it.
struct FileAnswer {
  let source: PictureSource
  /// The entity tag, with its quotes.
  let tag: String
  let type: String
  let name: String
  /// Where the file is read.
  let threads: BlockingThreads

  /// - Throws: `Problem` where the part that was asked for has no bytes.
  func response(to request: Request, on channel: any Channel) throws(Problem) -> Response {
    var headers: HTTPFields = [
      .contentType: type, .eTag: tag, .cacheControl: "private, no-cache", .acceptRanges: "bytes",
      .contentDisposition: ResultName.disposition(of: name),
    ]
    if try request.headers.isUnchanged(tag: tag) {
      return Response(status: .notModified, headers: headers)
    }
    let condition = request.headers[named: "If-Range"]
    // Only a GET has parts.
    guard request.method == .get, let field = request.headers[.range],
      condition == nil || condition == tag,
      let wanted = ByteRange(field, of: source.byteCount)
    else {
      return Response(status: .ok, headers: headers, body: body(0..<source.byteCount, channel))
    }
    guard let range = wanted.range else {
      var problem = Problem(
        .rangeNotSatisfiable, code: "range", "there are \(source.byteCount) bytes")
      problem.headers[.contentRange] = "bytes */\(source.byteCount)"
      throw problem
    }
    headers[.contentRange] =
      "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(source.byteCount)"
    return Response(status: .partialContent, headers: headers, body: body(range, channel))
  }

  /// Read as it is sent, so that a client that reads slowly holds little.
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

  private static func read(_ source: PictureSource, _ range: Range<Int>) throws -> Data {
    var bytes = Data(count: range.count)
    let count = try bytes.withUnsafeMutableBytes {
      try source.read(into: $0, at: range.lowerBound)
    }
    // Shorter than announced: the answer can only be broken off.
    guard count == range.count else {
      throw CropError.readFailed(file: source.name, detail: "it became shorter")
    }
    return bytes
  }
}

/// A `Range` field.
struct ByteRange {
  /// The bytes meant; nil where there are none.
  let range: Range<Int>?

  /// Reads the field for a file of `count` bytes; nil for one that is to be ignored: another unit,
  /// several ranges, nonsense.
  init?(_ field: String, of count: Int) {
    guard field.lowercased().hasPrefix("bytes=") else { return nil }
    let parts = field.dropFirst("bytes=".count).split(
      separator: "-", omittingEmptySubsequences: false
    ).map { $0.trimmingCharacters(in: .whitespaces) }
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
