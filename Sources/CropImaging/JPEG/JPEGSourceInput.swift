import CropJPEG
import Glibc

/// Passes the bytes of a `ImageSource` to `CropJPEG`, and stores the source's error.
final class JPEGSourceInput {
  /// Why reading failed: the source's error.
  private(set) var failure: CropError?
  private let source: ImageSource
  private var limit: TimeLimit
  private var seconds: Int
  /// Bytes to read before those of the source.
  private let prefix: [UInt8]
  private let range: Range<Int>

  /// The error code of a sink that has run out of memory.
  static var noMemory: Int32 { ENOMEM }

  /// An input of all bytes of `source`, or of `prefix` followed by a part of it.
  init(
    _ source: ImageSource, until limit: TimeLimit, seconds: Int, prefix: [UInt8] = [],
    range: Range<Int>? = nil
  ) {
    // Without the state that crops share: it may hold this object.
    self.source = source.forOneCrop
    self.limit = limit
    self.seconds = seconds
    self.prefix = prefix
    self.range = range ?? 0..<Int.max
  }

  /// Starts over, for the next crop.
  func restart(until limit: TimeLimit, seconds: Int) {
    self.limit = limit
    self.seconds = seconds
    failure = nil
  }

  /// The input; valid as long as this object exists.
  var input: JPEGInput {
    JPEGInput { (offset, buffer) throws(JPEGError) in
      do throws(CropError) {
        try CropStop.check()
        guard !self.limit.isReached else {
          throw .timedOut(file: self.source.name, seconds: self.seconds)
        }
        return try self.read(into: buffer, at: Int(offset))
      } catch {
        self.failure = error
        throw .readFailed(code: EIO)
      }
    }
  }

  private func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(CropError) -> Int {
    if offset < prefix.count {
      buffer.copyBytes(from: prefix[offset...].prefix(buffer.count))
      return min(buffer.count, prefix.count - offset)
    }
    let (place, overflow) = range.lowerBound.addingReportingOverflow(offset - prefix.count)
    guard !overflow, place < range.upperBound else { return 0 }
    let part = buffer.prefix(range.upperBound - place)
    return try source.read(into: UnsafeMutableRawBufferPointer(rebasing: part), at: place)
  }
}

extension JPEGError {
  func cropError(file: String, limits: Limits) -> CropError {
    switch self {
    case .notJPEG: .corrupt(file: file, detail: "it doesn't start like a JPEG")
    case .truncated(let offset):
      .truncated(file: file, detail: "its data end at byte \(offset)")
    case .corrupt(.shortData, let offset):
      .truncated(file: file, detail: "a scan ends too early, at byte \(offset)")
    case .corrupt(let damage, let offset):
      .corrupt(file: file, detail: "\(damage.words) near byte \(offset)")
    case .unsupported(let feature):
      .unsupportedFeature(file: file, feature: "this kind of JPEG (\(feature))")
    case .offGrid: .corrupt(file: file, detail: "its size changes within the file")
    case .readFailed(let code): .readFailed(file: file, detail: CropSystem.words(for: code))
    case .writeFailed: .memoryRefused(file: file, allowed: limits.memory)
    }
  }
}
