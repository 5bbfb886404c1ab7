import CropFormats

/// The quality of a result.
public enum ResultQuality: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// A quality from 1 to 100 for formats that have one.
  case level(Int)
  /// Every pixel is encoded exactly.
  case lossless

  /// A quality as a number, such as 85.
  public init(integerLiteral level: Int) { self = .level(level) }

  /// The quality as a number; nil for ``lossless``.
  public var level: Int? {
    if case .level(let level) = self { level } else { nil }
  }
}

/// The bits per channel of a result.
public enum ResultDepth: String, Sendable, CaseIterable {
  case eight = "8"
  case ten = "10"
  case twelve = "12"

  /// The number of bits.
  public var bits: Int {
    switch self {
    case .eight: 8
    case .ten: 10
    case .twelve: 12
    }
  }
}

extension ResultOptions {
  /// Checks quality and depth.
  ///
  /// - Throws: `CropError.usage` for values that are not allowed or that `format` does not support.
  func checkCoding(as format: ImageFormat) throws(CropError) {
    switch quality {
    case .level(let level) where !Self.qualities.contains(level):
      throw .usage(detail: "a quality of \(level) is not allowed; use 1 to 100")
    case .lossless where !format.isCodedExactly:
      throw .usage(
        detail: "\(format.displayName) can't be encoded losslessly here; choose another format, or "
          + "a quality from 1 to 100")
    default: break
    }
    guard let depth, depth != .eight, !format.isHEIF else { return }
    throw .usage(
      detail: "\(depth.bits) bits per channel are for HEIC and AVIF; \(format.displayName) keeps "
        + "the depth of the image")
  }
}

extension ImageFormat {
  /// Whether every pixel can be encoded exactly.
  fileprivate var isCodedExactly: Bool { hasExactCoding || (!hasQuality && self != .gif) }
}
