import CropCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A finished picture.
public struct CropResult: Sendable {
  /// Where the bytes of a result are.
  enum Content: Sendable {
    case memory(Data)
    case file(ResultFile)
  }

  var content: Content

  /// The file's bytes; they may be mapped from a file or from the process that made them.
  public var bytes: Data {
    get {
      switch content {
      case .memory(let bytes): bytes
      // A file of ours that was written a moment ago can be mapped, if there are addresses left.
      case .file(let file): (try? file.bytes()) ?? Data()
      }
    }
    set { content = .memory(newValue) }
  }
  /// The file that holds the bytes, where they are in none's memory.
  public var file: ResultFile? { if case .file(let file) = content { file } else { nil } }
  /// How many bytes there are.
  public var byteCount: Int { file?.byteCount ?? bytes.count }
  /// The format of `bytes`.
  public var format: PictureFormat
  /// The size a person sees, in pixels.
  public var size: FrameSize
  /// What a person should know about the result.
  public var warnings: [CropWarning]
  /// Whether every kept pixel is coded exactly as it was in the source.
  public var isLossless: Bool
  /// How many frames or pages the file holds, as far as the engine has looked.
  public var pictureCount = 1
  /// What was cut, in frame pixels, where the backend says so: under `snap` it may be
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
    content = .memory(bytes)
    self.format = format
    self.size = size
    self.warnings = warnings
    self.isLossless = isLossless
    self.rect = rect
    self.obstacle = obstacle
  }
}
