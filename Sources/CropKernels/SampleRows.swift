import CropCore

/// How an image's samples are stored; the channels of a pixel are adjacent.
public struct SampleLayout: Hashable, Sendable {
  /// The type of one sample.
  public enum Depth: Hashable, Sendable {
    /// An 8-bit unsigned integer.
    case eight
    /// A 16-bit unsigned integer in native byte order.
    case sixteen
    /// A 32-bit floating-point number.
    case real
  }

  /// The type of one sample.
  public let depth: Depth
  /// The number of channels per pixel, including alpha; at least 1.
  public let channels: Int
  /// Whether the last channel is straight (not premultiplied) alpha. Colors are then weighted by
  /// it, so that transparent pixels do not affect the color of adjacent ones. Must be false for
  /// ``Depth/real``.
  public let hasAlpha: Bool

  /// A layout of samples.
  public init(depth: Depth, channels: Int, hasAlpha: Bool = false) {
    self.depth = depth
    self.channels = max(1, channels)
    self.hasAlpha = hasAlpha && channels > 1 && depth != .real
  }

  /// The number of bytes per pixel.
  public var pixelBytes: Int {
    switch depth {
    case .eight: channels
    case .sixteen: 2 * channels
    case .real: 4 * channels
    }
  }
}

/// Rows of samples in memory that the caller owns.
public struct SampleRows {
  /// The first sample, aligned as its depth requires.
  let address: UnsafeRawPointer
  /// The distance between two rows in bytes, a multiple of a sample's size.
  let rowBytes: Int
  /// The layout of the samples.
  public let layout: SampleLayout

  /// Rows of samples at `address`, which must stay valid while this value is used.
  public init(_ address: UnsafeRawPointer, rowBytes: Int, _ layout: SampleLayout) {
    (self.address, self.rowBytes, self.layout) = (address, rowBytes, layout)
  }

  /// The distance between two rows in samples.
  var stride: Int { rowBytes / (layout.pixelBytes / layout.channels) }
}

/// Converts whole numbers to stored samples, clamped to the sample's range.
enum Sample {
  @inline(__always)
  static func eight(_ value: Int64) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }

  @inline(__always)
  static func sixteen(_ value: Int64) -> UInt16 {
    UInt16(truncatingIfNeeded: min(max(value, 0), 65_535))
  }
}
