import CropCore

/// A JPEG file of which other JPEG files are made: cropped without loss where a recipe allows it, with
/// its metadata kept and put right.
///
///     let file = try JPEGFile(JPEGInput(bytes))
///     let plan = try file.plan(recipe, mode: .exact)
///     if let plan, plan.way == .lossless {
///       try file.crop(plan) { piece in result.append(piece) }
///     } else {
///       // Draw and encode it, then:
///       try file.copyMetadata(to: JPEGInput(encoded)) { piece in result.append(piece) }
///     }
///
/// It is used from one task at a time.
public final class JPEGFile {
  /// The header.
  public let header: JPEGHeader
  /// How the stored pixels are to be laid down, as EXIF says; `up` where it says nothing.
  public let orientation: Orientation

  private let input: JPEGInput
  private let parts: JPEGParts
  private var cutter: JPEGCutter?

  /// Reads the header and the metadata of `input`, which stays in use.
  ///
  /// - Throws: what reading the header throws.
  public init(_ input: JPEGInput) throws(JPEGError) {
    self.input = input
    header = try JPEGHeader(reading: input)
    parts = try JPEGParts(header, reading: input)
    orientation = parts.metadata.exif.flatMap { EXIFBlock.orientation(of: $0) } ?? .up
  }

  /// Where EXIF's entry (12 bytes) for the orientation stands, in bytes from the start of the file, if its
  /// type is another than the standard's: whoever shows the picture may pass over it. nil otherwise.
  public var unusualOrientation: Int64? {
    parts.metadata.exif.flatMap { EXIFBlock.unusualOrientation(of: $0) }
      .map { parts.exifOffset + Int64($0) }
  }

  /// Its grid and orientation, for a `CropSession` that shows it.
  public var stored: StoredJPEG { StoredJPEG(grid: header.grid, orientation: orientation) }

  /// The upright size, in pixels.
  public var imageSize: ImageSize { stored.imageSize }

  /// Whether it can be cut by copying bits; progressive and arithmetic pictures can't.
  public var isCuttable: Bool { header.frame.obstacle == nil }

  /// What becomes of the blocks under a recipe; nil if new pixels must be made: for a tilt, an outline
  /// or a new size, and of pictures that can't be cut by copying bits (progressive, arithmetic).
  ///
  /// - Throws: why the recipe does not fit the picture.
  public func plan(
    _ recipe: CropRecipe, mode: LosslessMode = .exact
  ) throws(RecipeError) -> JPEGPlan? {
    let crop = try recipe.resolved(for: imageSize)
    guard isCuttable else { return nil }
    return JPEGPlan(crop, grid: header.grid, orientation: orientation, mode: mode)
  }

  /// Carries out a lossless plan and hands the new file to `sink`, in pieces of at most 64 KiB.
  ///
  /// Turns and mirrors are in the new file's orientation; no picture of what was cut away is left in
  /// its metadata.
  ///
  /// - Throws: `offGrid` for a plan that is not lossless; what is wrong with the file; what input and
  ///   sink throw. What the sink was given is then to be thrown away.
  @discardableResult
  public func crop(
    _ plan: JPEGPlan, metadata policy: MetadataPolicy = .keep, into sink: JPEGSink
  ) throws(JPEGError) -> JPEGCutReport {
    guard plan.way == .lossless, plan.turn == .up else { throw .offGrid }
    return try crop(plan.rect, orientation: plan.flag, metadata: policy, into: sink)
  }

  /// The same for the `rect` and the `flag` of a plan that was made elsewhere.
  @discardableResult
  public func crop(
    _ rect: BitmapRect, orientation flag: Orientation, metadata policy: MetadataPolicy = .keep,
    into sink: JPEGSink
  ) throws(JPEGError) -> JPEGCutReport {
    let edit = MetadataEdit(
      width: rect.width, height: rect.height, dropsLocation: policy == .stripLocation,
      orientation: flag)
    let kept = JPEGKeptSegments(parts, policy: policy, edit: edit)
    let cutter: JPEGCutter
    if let known = self.cutter {
      cutter = known
    } else {
      cutter = try JPEGCutter(input, header: header)
      self.cutter = cutter
    }
    return try cutter.cut(rect, segments: kept.segments, into: sink)
  }

  /// Gives a JPEG that was drawn and encoded from this one's pixels, upright, this one's EXIF, XMP,
  /// IPTC and comments, and hands the file to `sink`.
  ///
  /// The ICC profile and the other notes on colours stay those of `encoded`.
  ///
  /// - Parameters:
  ///   - encoded: the new JPEG; its own EXIF and XMP are dropped.
  ///   - policy: which metadata it gets.
  ///   - isSRGB: whether its colours are sRGB, whatever this file's are.
  ///   - sink: takes the bytes.
  /// - Throws: what is wrong with `encoded`; what input and sink throw.
  public func copyMetadata(
    to encoded: JPEGInput, metadata policy: MetadataPolicy = .keep, isSRGB: Bool = true,
    into sink: JPEGSink
  ) throws(JPEGError) {
    let header = try JPEGHeader(reading: encoded)
    let edit = MetadataEdit(
      width: header.size.width, height: header.size.height,
      dropsLocation: policy == .stripLocation, isSRGB: isSRGB)
    let kept = JPEGKeptSegments(parts, policy: policy, edit: edit, describesColours: false)
    let writer = BitWriter()
    let reader = ByteReader(encoded)
    try writer.raw16(0xFF00 | Int(JPEGMarker.startOfImage), sink)
    for segment in header.segments where segment.marker == 0xE0 {
      try reader.copy(from: segment.start, to: segment.end, writer, sink)
    }
    for segment in kept.segments { try writer.segment(segment, reader, sink) }
    var at: Int64 = 2
    for segment in header.segments where segment.marker == 0xE0 || segment.marker == 0xE1 {
      try reader.copy(from: at, to: segment.start, writer, sink)
      at = segment.end
    }
    try reader.copy(from: at, to: .max, writer, sink)
    try writer.flush(sink)
  }
}

extension JPEGSegment {
  /// Where its marker stands, and where what follows begins, in bytes from the start of the file.
  fileprivate var start: Int64 { contentOffset - 4 }
  fileprivate var end: Int64 { contentOffset + Int64(contentCount) }
}

extension ByteReader {
  /// Copies the bytes from `start` up to `end`, or to the end of the file.
  fileprivate func copy(
    from start: Int64, to end: Int64, _ writer: BitWriter, _ sink: JPEGSink
  ) throws(JPEGError) {
    seek(start)
    while offset < end, try need(1) {
      let count = Int(min(Int64(ready), end - offset))
      try writer.raw(UnsafeRawBufferPointer(start: buffer + cursor, count: count), sink)
      cursor += count
    }
  }
}
