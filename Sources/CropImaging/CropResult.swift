import CropCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A finished picture.
public struct CropResult: Sendable {
  /// The file's bytes; they may be mapped from the process that made them.
  public var bytes: Data
  /// The format of `bytes`.
  public var format: PictureFormat
  /// The size a person sees, in pixels.
  public var size: FrameSize
  /// What a person should know about the result.
  public var warnings: [CropWarning]
  /// Whether every kept pixel is coded exactly as it was in the source.
  public var isLossless: Bool

  /// A picture of the given bytes.
  public init(
    bytes: Data, format: PictureFormat, size: FrameSize, warnings: [CropWarning] = [],
    isLossless: Bool = false
  ) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.warnings = warnings
    self.isLossless = isLossless
  }
}
