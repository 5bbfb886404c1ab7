import CropCore
import CropSystem
import FoundationEssentials
import Glibc

/// A finished picture.
public struct CropResult: Sendable {
  var content: ResultContent

  /// The file's bytes; they may be mapped from a file or from the process that made them.
  public var bytes: Data {
    get { content.bytes }
    set { content = .memory(newValue) }
  }
  /// The file that holds the bytes; nil where they are in memory.
  public var file: ResultFile? { content.file }
  /// How many bytes there are.
  public var byteCount: Int { file?.byteCount ?? bytes.count }
  /// The format of `bytes`.
  public var format: PictureFormat
  /// The size a person sees, in pixels.
  public var size: FrameSize
  /// What a person should know about the result.
  public var warnings: [CropWarning]
  /// Whether every kept pixel is coded exactly as it was in the source, but for those of ``requantized``.
  public var isLossless: Bool
  /// Where a lossless JPEG's blocks were quantised again; nil if all were copied.
  public var requantized: RequantizedBorder?
  /// How many frames or pages the file holds, as far as the engine has looked.
  public var pictureCount = 1
  /// What was cut, in frame pixels, where the backend says so: under `snap` it may lie beside
  /// what was asked for, under `outward` be more.
  public var rect: PixelRect<FrameSpace>?
  /// Why a JPEG that could stay one was coded again; nil if it was not, or if that was asked for.
  public var obstacle: LosslessObstacle?
  /// How the result's gain map was made from the picture's; nil where it has none.
  public var gainMap: GainMapOutcome?
  /// The quality that was found for ``ResultOptions/maxBytes`` or estimated from the source; nil where that of
  /// the options was taken, or the usual one.
  public var quality: Int?

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

extension PendingSave {
  /// Saves the result, as `AtomicFile.save` does. An input is replaced only
  /// if it is still as it was when this save was begun.
  ///
  /// - Throws: as that does, and `CropError.outputChanged`.
  public func save(_ result: CropResult, note: String? = nil) throws(CropError) {
    try save(result.content, note: note)
  }

  /// Saves the result in the place of the input, if that is still as it was when this save was begun.
  ///
  /// Where the file system can't exchange names there is no file of that name for a moment.
  ///
  /// `willReplace` is called before, with what the file system says of the new file, which is whole and on
  /// the disk; it keeps the old one elsewhere.
  ///
  /// - Throws: `CropError.outputChanged`, as ``save(_:note:)``, or what `willReplace` throws.
  public func replaceInput(with result: CropResult, willReplace: (stat) throws -> Void) throws {
    try replaceInput(with: result.content, willReplace: willReplace)
  }
}
