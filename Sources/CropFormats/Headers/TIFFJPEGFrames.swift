import CropCore

/// The frame headers that the strips or tiles of a TIFF page have if they are JPEGs (compression 7,
/// TIFF Technical Note 2): libtiff allocates memory by the page's tags and decodes by the frames.
struct TIFFJPEGFrames {
  /// The size of a complete piece.
  private let piece: BitmapSize
  private let size: BitmapSize
  private let isTiled: Bool
  private let components: Int
  private let depth: Int
  /// The number of pieces of one plane.
  private let count: Int
  /// By how much the planes after the first are smaller, if they are separate.
  private let subsampling: (across: Int, down: Int)
  /// Whether the page's colors have as many channels as its tags state.
  fileprivate let isConsistent: Bool

  /// The frames of a page; nil if its pieces are not JPEGs.
  init?(
    _ directory: TIFFStructure.Directory, _ structure: TIFFStructure, _ reader: inout PictureReader
  ) throws(CropError) {
    guard try structure.number(directory[TIFFTag.compression], &reader) == 7 else { return nil }
    func number(_ tag: Int) throws(CropError) -> Int? {
      try structure.number(directory[tag], &reader)
    }
    size = BitmapSize(
      width: try number(TIFFTag.imageWidth) ?? 0, height: try number(TIFFTag.imageHeight) ?? 0)
    isTiled = directory[TIFFTag.tileOffsets] != nil
    let rows = try number(isTiled ? TIFFTag.tileHeight : TIFFTag.rowsPerStrip) ?? size.height
    piece = BitmapSize(
      width: isTiled ? try number(TIFFTag.tileWidth) ?? 0 : size.width,
      height: isTiled ? rows : min(rows, size.height))
    let samples = try number(TIFFTag.samplesPerPixel) ?? 1
    depth = try number(TIFFTag.bitsPerSample) ?? 1
    let isSeparate = try number(TIFFTag.planarConfiguration) == 2
    components = isSeparate ? 1 : samples
    let photometric = try number(TIFFTag.photometric)
    let isReduced = isSeparate && photometric == 6
    subsampling = (
      isReduced ? max(try number(TIFFTag.chromaSubsampling) ?? 2, 1) : 1,
      isReduced
        ? max(try structure.number(directory[TIFFTag.chromaSubsampling], at: 1, &reader) ?? 2, 1)
        : 1
    )
    let channels = samples - (directory[TIFFTag.extraSamples]?.count ?? 0)
    isConsistent =
      switch photometric {
      case 0, 1, 3, nil: channels == 1
      case 2, 6, 8: channels == 3
      case 5: channels == 4
      default: false
      }
    guard piece.width > 0, piece.height > 0, size.width > 0, size.height > 0 else {
      count = 0
      return
    }
    let across = (size.width - 1) / piece.width + 1
    let down = (size.height - 1) / piece.height + 1
    let (all, overflow) = across.multipliedReportingOverflow(by: down)
    count = overflow ? .max : all
  }

  /// Whether a piece, by its index, may have such a frame.
  fileprivate func allows(_ frame: TIFFJPEGFrame, of index: Int) -> Bool {
    guard count > 0, frame.components == components, frame.depth == depth else { return false }
    let scale = index < count ? (across: 1, down: 1) : subsampling
    func reduced(_ height: Int) -> BitmapSize {
      BitmapSize(
        width: (piece.width + scale.across - 1) / scale.across,
        height: (height + scale.down - 1) / scale.down)
    }
    if frame.size == reduced(piece.height) { return true }
    // The last strip may be as high as the rest of the page.
    let strip = index % count
    let rest = size.height - strip * piece.height
    return !isTiled && rest < piece.height && frame.size == reduced(rest)
  }
}

/// A JPEG's frame header.
private struct TIFFJPEGFrame {
  let size: BitmapSize
  let components: Int
  let depth: Int
}

extension TIFFHeaderReader {
  /// The largest number of segments before a frame header.
  private static var mostSegments: Int { 64 }

  /// Checks that a piece has the frame that its page requires.
  ///
  /// - Throws: ``CropError/unsupportedFeature(file:feature:)`` if not.
  mutating func check(
    _ frames: TIFFJPEGFrames, piece index: Int, at place: Int, length: Int, page: Int
  ) throws(CropError) {
    guard let frame = try tiffJPEGFrame(from: place, to: place + length) else {
      throw corrupt("part \(index + 1) of page \(page) has no frame header")
    }
    guard frames.isConsistent, frames.allows(frame, of: index) else {
      throw unsupported("a TIFF whose JPEGs differ from its tags")
    }
  }

  private mutating func tiffJPEGFrame(
    from start: Int, to end: Int
  ) throws(CropError) -> TIFFJPEGFrame? {
    guard try reader.big16(start) == 0xFFD8 else { return nil }
    var position = start + 2
    for _ in 0..<Self.mostSegments {
      while try reader.big16(position) == 0xFFFF, position < end { position += 1 }
      guard position + 4 <= end, let marker = try reader.big16(position), marker >> 8 == 0xFF,
        let length = try reader.big16(position + 2), length >= 2
      else { return nil }
      switch marker & 0xFF {
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        guard position + 10 <= end, let depth = try reader.byte(position + 4),
          let height = try reader.big16(position + 5), let width = try reader.big16(position + 7),
          let components = try reader.byte(position + 9)
        else { return nil }
        return TIFFJPEGFrame(
          size: BitmapSize(width: width, height: height), components: components, depth: depth)
      case 0x00...0xBF, 0xD0...0xDA: return nil
      default: break
      }
      position += 2 + length
    }
    return nil
  }
}
