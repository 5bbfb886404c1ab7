import CJPEG

/// An error of libjpeg.
struct LibJPEGError: Error {
  /// The message of libjpeg.
  let words: String
  /// Whether the reason is a lack of memory.
  let isMemory: Bool

  func cropError(file: String, limits: Limits) -> CropError {
    if isMemory { return .memoryRefused(file: file, allowed: limits.memory) }
    let known = words.lowercased()
    if known.contains("premature end") { return .truncated(file: file, detail: words) }
    // Only damage produces a byte after 0xFF that is not a marker.
    if known.hasPrefix("unsupported marker type") { return .corrupt(file: file, detail: words) }
    if ["not implemented", "unsupported", "maximum supported"].contains(where: known.contains) {
      return .unsupportedFeature(file: file, feature: "this kind of JPEG (\(words))")
    }
    return .corrupt(file: file, detail: words)
  }
}

/// The buffer to which libjpeg writes its messages. It stays in place as long as libjpeg may write
/// to it.
final class LibJPEGReport {
  let pointer: UnsafeMutablePointer<ckc_jpeg_report>

  init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: ckc_jpeg_report())
  }

  deinit { pointer.deallocate() }

  var error: LibJPEGError {
    LibJPEGError(words: Self.text(&pointer.pointee.error), isMemory: pointer.pointee.is_memory != 0)
  }

  /// The first warning; nil if there was none.
  var warning: String? {
    pointer.pointee.warnings == 0 ? nil : Self.text(&pointer.pointee.warning)
  }

  private static func text<Words>(_ words: inout Words) -> String {
    withUnsafeBytes(of: &words) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The segments at the start of a JPEG, for C.
struct JPEGSegmentList: Sendable {
  /// The segments in order: the second byte of the marker, and the content.
  var segments: [(marker: UInt8, content: [UInt8])] = []

  /// Calls `body` with the segments, which are valid only during the call.
  func withCSegments<Result>(_ body: (UnsafePointer<ckc_jpeg_segment>?, Int) -> Result) -> Result {
    var all: [UInt8] = []
    for segment in segments { all += segment.content }
    return all.withUnsafeBufferPointer { bytes in
      var offset = 0
      let list = segments.map { segment in
        defer { offset += segment.content.count }
        return ckc_jpeg_segment(
          marker: segment.marker, bytes: bytes.baseAddress.map { $0 + offset },
          count: segment.content.count)
      }
      return list.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
  }
}
