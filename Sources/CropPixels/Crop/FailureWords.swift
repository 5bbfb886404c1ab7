import CropImaging
import FoundationEssentials

/// The cause of a libvips failure, parsed from its message, since it has no error codes.
///
/// Words are compared in lower case; the first match of the table wins.
struct FailureWords {
  private let words: String
  /// The most specific line: decoders below libvips report first.
  private let line: String

  init(_ failure: VipsFailure) {
    words = failure.words.lowercased()
    let lines = failure.words.split(separator: "\n")
      .map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
    // Messages about a profile are only warnings, and a failed seek is caused by the file.
    let telling = lines.first { !$0.hasPrefix("VipsIcc") && !$0.contains("bad seek") }
    let places: Substring? =
      lines.contains { $0.contains("bad seek") } ? "it points outside itself" : nil
    line = String((telling ?? places ?? lines.first ?? "it gives no reason").prefix(200))
  }

  private func hasAny(of phrases: [String]) -> Bool { phrases.contains { words.contains($0) } }

  /// Whether the encoder of a format is missing.
  var isMissingEncoder: Bool {
    hasAny(of: ["unsupported compression", "no encoder", "unsupported codec"])
  }

  /// Whether libvips lacks the operation itself.
  var isMissingOperation: Bool { words.contains("class \"") && words.contains("not found") }

  /// The error for an image that could not be decoded or encoded.
  func error(file: String, format: ImageFormat, limits: Limits) -> CropError {
    if isMissingOperation {
      return .componentMissing(
        component: "libvips' part for \(format.displayName)",
        advice: "install Debian's libvips42 with its recommended packages")
    }
    // The structure was checked before, so the file uses features that this libheif does not know.
    if words.contains("heif:"), hasAny(of: Self.unknownHEIF) {
      return .unsupportedFeature(
        file: file, feature: "this kind of \(format.displayName) (\(line))")
    }
    if words.contains("killed") { return .timedOut(file: file, seconds: limits.seconds) }
    if hasAny(of: ["out of memory", "unable to allocate", "cannot allocate", "memory allocation"]) {
      return .outOfMemory(file: file, allowed: limits.memory)
    }
    if words.contains("bad image dimensions on decode") {
      return .unsupportedFeature(
        file: file, feature: "\(format.displayName) that is rotated, flipped or cropped this way")
    }
    // As in LibJPEGError.
    if words.contains("unsupported marker type") { return .corrupt(file: file, detail: line) }
    if hasAny(of: Self.unsupported) {
      return .unsupportedFeature(
        file: file, feature: "this kind of \(format.displayName) (\(line))")
    }
    if hasAny(of: Self.truncated) { return .truncated(file: file, detail: line) }
    return .corrupt(file: file, detail: line)
  }

  private static let unsupported = [
    "unsupported", "not supported", "not implemented", "unknown compression", "not configured",
    "unimplemented", "unable to decode", "bits per sample", "samples per pixel",
    "maximum supported",
  ]

  // Messages with which libheif rejects files that newer versions open, before it decodes anything.
  private static let unknownHEIF = [
    "security limit", "auxiliary image", "thumbnail references", "non-existing", "metadata not",
    "supported brands", "no item data", "no compressed data",
  ]

  // The engine has followed the file to its end, so a decoder's "read error" is damage.
  private static let truncated = [
    "premature end", "truncated", "unexpected end", "not enough data",
  ]
}
