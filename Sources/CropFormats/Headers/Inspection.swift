import CropCore
import CropJPEG

/// Reads a file's structure once, to make ``ImageInfo``.
///
/// It checks the limits and holds what formats have in common; a ``HeaderReader`` reads the format.
package struct Inspection: StructureReader {
  var reader: PictureReader
  var source: ImageSource { reader.source }
  let limits: Limits
  let isLenient: Bool
  /// The requested page, from 1.
  let page: Int
  /// Whether reading the start of the file is enough.
  let isSummary: Bool
  /// When the photo was taken; only read for a summary.
  var captured: CaptureMoment?
  var warnings: [CropWarning] = []
  var kinds: Set<MetadataKind> = []
  var density: PixelDensity?
  /// The positions of metadata that a result may keep.
  var places: [MetadataPlace] = []
  /// Whether a TIFF's own metadata is read too.
  var readsMetadata = false
  /// EXIF and XMP that are not stored in the file as one block: compressed, or spread over it as in
  /// a TIFF.
  var blocks = MetadataBlocks()
  /// Whether the image is coded losslessly, in a format that also supports lossy coding.
  var isCodedExactly = false
  /// Bytes that a decoder must not see, in ascending order.
  package var junk: [Range<Int>] = []
  /// The position of bytes after the end of a GIF; nil if there are none.
  var trailerStart: Int?
  /// The memory for decoding beyond a few rows, in bytes; almost none for formats that are read by
  /// row or region.
  var memory = 0
  /// The number of pixels of the largest frame, if a frame can be larger than the image.
  var largestFrame = 0

  package init(
    _ source: ImageSource, limits: Limits, isLenient: Bool, page: Int = 1, isSummary: Bool = false
  ) {
    reader = PictureReader(source)
    self.limits = limits
    self.isLenient = isLenient
    self.page = page
    self.isSummary = isSummary
  }

  /// The largest number of frames of an animation: an hour and a half at 30 per second.
  private static var mostFrames: Int { 160_000 }

  /// The file ends too early: an error or, if requested, a warning.
  mutating func truncated(_ detail: String) throws(CropError) {
    guard isLenient else { throw .truncated(file: name, detail: detail) }
    warn(.truncated(detail))
  }

  mutating func warn(_ warning: CropWarning) {
    if !warnings.contains(where: { $0.code == warning.code }) { warnings.append(warning) }
  }

  /// Reads the complete structure.
  package mutating func info() throws(CropError) -> ImageInfo {
    guard reader.count > 0 else { throw .empty(file: name) }
    guard reader.count <= limits.bytes else {
      throw .limitExceeded(
        file: name, limit: .bytes, actual: reader.count, allowed: limits.bytes)
    }
    var info = try walk(format())
    guard info.frameCount <= Self.mostFrames else {
      throw corrupt("it has more than \(Self.mostFrames) frames")
    }
    if info.frameCount == 1 {
      info.frameDurations = []
      info.playCount = nil
    }
    info.density = density
    info.warnings = warnings
    if info.gainMap == nil, kinds.contains(.gainMap), !isSummary {
      info.gainMap = GainMapInfo(fault: "this kind of gain map can't be read")
    }
    if !isSummary, kinds.contains(.xmp), !kinds.contains(.location),
      let xmp = ImageMetadata(source, page: page).blocks.xmp, XMPPacket.hasPosition(xmp)
    {
      kinds.insert(.location)
    }
    info.metadata = MetadataKind.allCases.filter(kinds.contains)
    try checkLimits(info)
    return info
  }

  /// Whether the image in `source` is coded losslessly, in a format that also supports lossy
  /// coding.
  package static func isCodedExactly(_ source: ImageSource) -> Bool {
    var inspection = Inspection(
      source, limits: .unlimited(), isLenient: true, isSummary: true)
    return (try? inspection.info()) != nil && inspection.isCodedExactly
  }

  private func checkLimits(_ info: ImageInfo) throws(CropError) {
    let (product, overflow) = info.stored.width.multipliedReportingOverflow(by: info.stored.height)
    let pixels = overflow ? Int.max : max(product, largestFrame)
    guard pixels <= limits.pixels else {
      throw .limitExceeded(file: name, limit: .pixels, actual: pixels, allowed: limits.pixels)
    }
    guard memory <= limits.memory else {
      throw .limitExceeded(file: name, limit: .memory, actual: memory, allowed: limits.memory)
    }
  }

  /// The number of pixels of the size times `bytes`, at most `Int.max`.
  package static func product(_ size: BitmapSize, bytes: Int) -> Int {
    let (pixels, first) = size.width.multipliedReportingOverflow(by: size.height)
    let (all, second) = pixels.multipliedReportingOverflow(by: bytes)
    return first || second ? .max : all
  }
}

extension ImageInfo {
  /// The properties of the image of a page, from 1, by the structure of its file.
  ///
  /// - Throws: an error for an invalid file, or an unsupported format or size.
  package init(
    _ source: ImageSource, limits: Limits, isLenient: Bool, page: Int = 1
  ) throws(CropError) {
    var inspection = Inspection(source, limits: limits, isLenient: isLenient, page: page)
    self = try inspection.info()
  }
}

extension Limits {
  /// Limits for files that were checked before or written here, without a limit on their size.
  package static func unlimited(from limits: Limits = Limits()) -> Self {
    var generous = limits
    (generous.pixels, generous.bytes) = (.max, .max)
    (generous.scans, generous.memory) = (.max, .max)
    return generous
  }
}
