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
  /// What was cut, in frame pixels, where the backend says so: under ``LosslessMode/snap`` it may be
  /// more than was asked for.
  public var rect: PixelRect<FrameSpace>?
  /// Why a JPEG that could stay one was coded again; nil if it was not, or if that was asked for.
  public var obstacle: LosslessObstacle?

  /// A picture of the given bytes.
  public init(
    bytes: Data, format: PictureFormat, size: FrameSize, warnings: [CropWarning] = [],
    isLossless: Bool = false, rect: PixelRect<FrameSpace>? = nil,
    obstacle: LosslessObstacle? = nil
  ) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.warnings = warnings
    self.isLossless = isLossless
    self.rect = rect
    self.obstacle = obstacle
  }
}
