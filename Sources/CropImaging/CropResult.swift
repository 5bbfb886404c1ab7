import CropCore
import CropSystem
import FoundationEssentials
import Glibc

/// A finished crop: the bytes of a file, and how they were made.
public struct CropResult: Sendable {
  var content: ResultContent

  /// The file's bytes; they may be memory-mapped from a file or from the worker that made them.
  ///
  /// For a crop into a `ResultFile`, ``contents()`` reports if that can't be mapped; this is empty
  /// then.
  public var bytes: Data {
    get { (try? contents()) ?? Data() }
    set { content = .memory(newValue) }
  }
  /// The file's bytes, as ``bytes``.
  ///
  /// - Throws: `CropError.readFailed` if the file that holds them can't be mapped.
  public func contents() throws(CropError) -> Data { try content.bytes() }
  /// The file that holds the bytes, if the crop was made into one; nil if they are in memory.
  public var file: ResultFile? { content.file }
  /// The number of bytes.
  public var byteCount: Int { file?.byteCount ?? bytes.count }
  /// The file format of `bytes`.
  public var format: ImageFormat
  /// The displayed size, in pixels.
  public var size: FrameSize
  /// Warnings about the result.
  public var warnings: [CropWarning]
  /// Whether every kept pixel is coded exactly as in the source, except for those of
  /// ``requantized``.
  public var isLossless: Bool
  /// The requantized blocks of a lossless JPEG; nil if all blocks were copied.
  public var requantized: RequantizedBorder?
  /// The number of frames or pages in the file, if the engine determined it; otherwise 1.
  public var pictureCount = 1
  /// The rectangle that was cut, in frame pixels; nil if the backend does not report it. Under
  /// `snap` it may be moved from the requested rectangle, under `outward` it may be larger.
  public var rect: PixelRect<FrameSpace>?
  /// The corners that were searched for; nil for crops.
  var quad: Quad?
  /// Why a JPEG that could have been cut losslessly was re-encoded; nil if it was not, or if
  /// re-encoding was requested.
  public internal(set) var obstacle: LosslessObstacle?
  /// How the result's gain map was made from that of the image; nil if the result has none.
  public var gainMap: GainMapOutcome?
  /// The quality, 1 to 100, that was found for ``ResultOptions/maxBytes`` or estimated from the
  /// source; nil if that of the options or the default was used.
  public var quality: Int?

  /// A result with the given bytes.
  public init(
    bytes: Data, format: ImageFormat, size: FrameSize, warnings: [CropWarning] = [],
    isLossless: Bool = false, rect: PixelRect<FrameSpace>? = nil
  ) {
    content = .memory(bytes)
    self.format = format
    self.size = size
    self.warnings = warnings
    self.isLossless = isLossless
    self.rect = rect
  }
}

extension PendingSave {
  /// Saves the result, as `AtomicFile.save` does. An input is replaced only if it has not changed
  /// since this save was created.
  ///
  /// - Throws: as `AtomicFile.save`, and `CropError.outputChanged`.
  public func save(_ result: CropResult, note: String? = nil) throws(CropError) {
    try save(result.content, note: note)
  }

  /// Replaces the input with the result, if the input has not changed since this save was created.
  ///
  /// If the file system does not support `RENAME_EXCHANGE`, the name does not exist for a moment.
  ///
  /// `willReplace` is called before the replacement, with the status of the new file, which is then
  /// complete and on the disk. It can make a copy of the old file.
  ///
  /// - Throws: `CropError.outputChanged`; as ``save(_:note:)``; the error that `willReplace`
  ///   throws.
  public func replaceInput(with result: CropResult, willReplace: (stat) throws -> Void) throws {
    try replaceInput(with: result.content, willReplace: willReplace)
  }
}

extension LosslessObstacle: Codable {}

/// The blocks of a lossless cut that were requantized because an edge of the cut divides them.
public struct RequantizedBorder: Hashable, Sendable {
  /// How far from each edge of the displayed image pixels may differ from those of the source.
  public var edges: RequantizedEdges
  /// The number of requantized blocks per component, in the order of the file.
  public var blocks: [Int]

  /// Requantized blocks at the given edges.
  public init(edges: RequantizedEdges, blocks: [Int]) {
    self.edges = edges
    self.blocks = blocks
  }
}

extension RequantizedBorder: Codable {
  private enum Key: CodingKey { case left, top, right, bottom, blocks }

  /// Reads the form that `encode` writes.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    edges = RequantizedEdges()
    edges.left = try fields.decode(Int.self, forKey: .left)
    edges.top = try fields.decode(Int.self, forKey: .top)
    edges.right = try fields.decode(Int.self, forKey: .right)
    edges.bottom = try fields.decode(Int.self, forKey: .bottom)
    blocks = try fields.decode([Int].self, forKey: .blocks)
  }

  /// Writes a JSON object such as `{"left":0,"top":0,"right":8,"bottom":8,"blocks":[12,6,6]}`.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(edges.left, forKey: .left)
    try fields.encode(edges.top, forKey: .top)
    try fields.encode(edges.right, forKey: .right)
    try fields.encode(edges.bottom, forKey: .bottom)
    try fields.encode(blocks, forKey: .blocks)
  }
}
