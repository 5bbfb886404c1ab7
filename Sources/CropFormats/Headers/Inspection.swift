import CropCore

/// One reading of a file's structure, from which ``ImageInfo`` is made.
///
/// Each format's walker is an extension. A walker reads on to the end of the picture, so that one that
/// ends too early is reported wherever a crop lies.
package struct Inspection {
  var reader: PictureReader
  let limits: Limits
  let isLenient: Bool
  /// The page asked for, from 1.
  let page: Int
  /// Whether the start of the file is enough.
  let isSummary: Bool
  /// When the picture was taken; only a summary asks.
  var captured: CaptureMoment?
  var warnings: [CropWarning] = []
  var kinds: Set<MetadataKind> = []
  var density: PixelDensity?
  /// Where metadata lies that a result may keep.
  var places: [MetadataPlace] = []
  /// Whether a TIFF's own metadata is read too.
  var readsMetadata = false
  /// EXIF of a TIFF, whose directories are spread over the file.
  var tiffEXIF: [UInt8]?
  /// Bytes that a decoder must not see, in rising order.
  package var junk: [Range<Int>] = []
  /// Where the pictures behind the first one of a JPEG begin, as far as its table leads to them.
  var furtherPictures: [Int] = []
  /// Where bytes begin that follow the end of a GIF; nil where there are none.
  var trailerStart: Int?
  /// What decoding takes beyond a few rows, in bytes; for formats read by row or region about none.
  var memory = 0
  /// The most pixels of any one frame, where a frame can be larger than the picture.
  var largestFrame = 0

  private var parts = 0

  var name: String { reader.source.name }

  package init(
    _ source: PictureSource, limits: Limits, isLenient: Bool, page: Int = 1, isSummary: Bool = false
  ) {
    reader = PictureReader(source)
    self.limits = limits
    self.isLenient = isLenient
    self.page = page
    self.isSummary = isSummary
  }

  /// The most chunks, blocks or segments of a file.
  private static var mostParts: Int { 1 << 20 }

  /// The most frames of an animation: an hour and a half at 30 a second.
  private static var mostFrames: Int { 160_000 }

  /// Counts a chunk, block or segment; a file of too many is taken for damage.
  mutating func countPart() throws(CropError) {
    parts += 1
    guard parts <= Self.mostParts else { throw corrupt("it consists of too many parts") }
  }

  func corrupt(_ detail: String) -> CropError { .corrupt(file: name, detail: detail) }

  func unsupported(_ feature: String) -> CropError {
    .unsupportedFeature(file: name, feature: feature)
  }

  /// The file ends too early: an error, or a warning where that was asked for.
  mutating func truncated(_ detail: String) throws(CropError) {
    guard isLenient else { throw .truncated(file: name, detail: detail) }
    warn(.truncated(detail))
  }

  mutating func warn(_ warning: CropWarning) {
    if !warnings.contains(where: { $0.code == warning.code }) { warnings.append(warning) }
  }

  /// The value, or the error that the header is cut short.
  func need<Value>(_ value: Value?, _ what: String) throws(CropError) -> Value {
    guard let value else { throw corrupt("it ends inside \(what)") }
    return value
  }

  /// A size, both sides at least 1.
  func size(_ width: Int, _ height: Int) throws(CropError) -> BitmapSize {
    guard width > 0, height > 0 else { throw corrupt("its size is \(width) × \(height)") }
    return BitmapSize(width: width, height: height)
  }

  /// Reads the whole structure.
  package mutating func info() throws(CropError) -> ImageInfo {
    guard reader.count > 0 else { throw .empty(file: name) }
    guard reader.count <= limits.bytes else {
      throw .limitExceeded(
        file: name, limit: .bytes, actual: reader.count, allowed: limits.bytes)
    }
    var info: ImageInfo
    switch try sniff() {
    case .picture(.jpeg): info = try jpeg()
    case .picture(.png): info = try png()
    case .picture(.webp): info = try webp()
    case .picture(.gif): info = try gif()
    case .picture(.tiff): info = try tiff()
    case .picture(.heic), .picture(.avif): info = try heif()
    case .other(let found): throw .unsupportedFormat(file: name, found: found)
    case .feature(let feature): throw unsupported(feature)
    }
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
    info.metadata = MetadataKind.allCases.filter(kinds.contains)
    try checkLimits(info)
    return info
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

  /// `pixels` of the size times `bytes`, at most the largest `Int`.
  package static func product(_ size: BitmapSize, bytes: Int) -> Int {
    let (pixels, first) = size.width.multipliedReportingOverflow(by: size.height)
    let (all, second) = pixels.multipliedReportingOverflow(by: bytes)
    return first || second ? .max : all
  }
}
