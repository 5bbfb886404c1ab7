import CropCore

/// A JPEG file as the source of crops. Crops are lossless if the recipe allows it; metadata are
/// kept and corrected.
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
/// It is not thread-safe.
public final class JPEGFile {
  /// The header of the file.
  public let header: JPEGHeader
  /// The EXIF orientation of the stored pixels; `up` if none is stated.
  public let orientation: Orientation

  let input: JPEGInput
  private let parts: JPEGParts
  private var cutter: JPEGCutter?

  /// Reads the header and the metadata of `input`, which must stay valid while the file is used.
  ///
  /// - Throws: as ``JPEGHeader/init(reading:)``.
  public init(_ input: JPEGInput) throws(JPEGError) {
    self.input = input
    header = try JPEGHeader(reading: input)
    parts = try JPEGParts(header, reading: input)
    orientation = parts.metadata.exif.flatMap { EXIFBlock.orientation(of: $0) } ?? .up
  }

  /// The offset in the file of EXIF's orientation entry (12 bytes), in bytes, if its type is not
  /// the standard's, because viewers may ignore such an entry. Nil otherwise.
  public var unusualOrientation: Int64? {
    parts.metadata.exif.flatMap { EXIFBlock.unusualOrientation(of: $0) }
      .map { parts.exifOffset + Int64($0) }
  }

  /// The grid and orientation, for a `CropSession` that shows the image.
  public var stored: StoredJPEG { StoredJPEG(grid: header.grid, orientation: orientation) }

  /// The size of the upright image, in pixels.
  public var imageSize: ImageSize { stored.imageSize }

  /// Whether the image can be cut by copying bits. Progressive and arithmetic images can't.
  public var isCuttable: Bool { header.frame.obstacle == nil }

  /// The plan for cutting the image by a recipe; nil if new pixels must be made: for a tilt, an
  /// outline or a new size, and for images that can't be cut by copying bits (progressive,
  /// arithmetic).
  ///
  /// - Throws: why the recipe does not fit the image.
  public func plan(
    _ recipe: CropRecipe, mode: LosslessMode = .exact
  ) throws(RecipeError) -> JPEGPlan? {
    let crop = try recipe.resolved(for: imageSize)
    guard isCuttable else { return nil }
    return JPEGPlan(crop, grid: header.grid, orientation: orientation, mode: mode)
  }

  /// Makes the crop of a lossless plan and passes the new file to `sink`, in chunks of at most 64
  /// KiB.
  ///
  /// Turns and mirrors are stored as the new file's orientation. Its metadata contain no image of
  /// the part that was cut off. It states `density`, in pixels per inch of the upright crop, or that
  /// of this file.
  ///
  /// - Throws: `offGrid` for a plan that is not lossless; an error for an invalid file; any error
  ///   of the input and the sink. After an error, discard what the sink received.
  @discardableResult
  public func crop(
    _ plan: JPEGPlan, metadata policy: MetadataPolicy = .keep, density: PixelDensity? = nil,
    into sink: JPEGSink
  ) throws(JPEGError) -> JPEGCutReport {
    guard plan.way == .lossless, plan.turn == .up else { throw .offGrid }
    return try crop(
      plan.rect, orientation: plan.flag, metadata: policy, density: density, into: sink)
  }

  /// Makes the crop of a plan that was made elsewhere, given its `rect` and `flag`.
  @discardableResult
  public func crop(
    _ rect: BitmapRect, orientation flag: Orientation, metadata policy: MetadataPolicy = .keep,
    density: PixelDensity? = nil, into sink: JPEGSink
  ) throws(JPEGError) -> JPEGCutReport {
    let kept = kept(rect, flag, policy, density)
    let cutter: JPEGCutter
    if let known = self.cutter {
      cutter = known
    } else {
      cutter = try JPEGCutter(input, header: header)
      self.cutter = cutter
    }
    return try cutter.cut(rect, segments: kept.segments, into: sink)
  }

  /// The kinds of metadata that such a crop lacks although `policy` does not remove them: those that
  /// show what was cut off, and those that can't be edited or written.
  ///
  /// - Parameters:
  ///   - contents: those of this file.
  ///   - rect: the part of the stored image that is kept.
  ///   - flag: the orientation that the result states.
  ///   - policy: which metadata the crop keeps.
  public func droppedMetadata(
    _ contents: JPEGContents, cutting rect: BitmapRect, orientation flag: Orientation,
    metadata policy: MetadataPolicy = .keep
  ) -> [MetadataKind] {
    kept(rect, flag, policy, nil).dropped(of: contents.kinds, parts, under: policy)
  }

  private func kept(
    _ rect: BitmapRect, _ flag: Orientation, _ policy: MetadataPolicy, _ density: PixelDensity?
  ) -> JPEGKeptSegments {
    let stated: DensityEdit = density.map { .stated($0) } ?? .kept
    let edit = MetadataEdit(
      width: rect.width, height: rect.height, policy: policy, orientation: flag,
      density: flag.isTransposing ? stated.transposed : stated)
    return JPEGKeptSegments(parts, edit: edit)
  }

  /// Copies the EXIF, XMP, IPTC and comments of this file to a JPEG that was drawn upright from its
  /// pixels and encoded, and passes the new file to `sink`.
  ///
  /// The ICC profile and all other color information of `encoded` are kept.
  ///
  /// - Parameters:
  ///   - encoded: the new JPEG; its EXIF and XMP are dropped.
  ///   - policy: which metadata to copy.
  ///   - isSRGB: whether the colors of `encoded` are sRGB, whatever those of this file are.
  ///   - isScaled: whether the pixels were resized, so that the density of this file is not valid.
  ///   - density: the density that the new file states, in pixels per inch.
  ///   - sink: receives the bytes.
  /// - Throws: an error if `encoded` is invalid; any error of the input and the sink.
  public func copyMetadata(
    to encoded: JPEGInput, metadata policy: MetadataPolicy = .keep, isSRGB: Bool = true,
    isScaled: Bool = false, density: PixelDensity? = nil, into sink: JPEGSink
  ) throws(JPEGError) {
    let header = try JPEGHeader(reading: encoded)
    let edit = MetadataEdit(
      width: header.size.width, height: header.size.height, policy: policy, isSRGB: isSRGB,
      density: density.map { .stated($0) } ?? (isScaled ? .dropped : .kept))
    let kept = JPEGKeptSegments(parts, edit: edit, describesColors: false)
    let writer = BitWriter()
    let reader = ByteReader(encoded)
    try writer.raw16(0xFF00 | Int(JPEGMarker.startOfImage), sink)
    for segment in header.segments where segment.marker == 0xE0 {
      guard let density, var content = try segment.content(reader), content.isJFIF else {
        try reader.copy(from: segment.start, to: segment.end, writer, sink)
        continue
      }
      content.setJFIFDensity(density)
      try writer.segment(.new(marker: 0xE0, content: content), reader, sink)
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
  /// The offset of its marker in the file, which precedes the content by 4 bytes.
  var start: Int64 { contentOffset - 4 }
  var end: Int64 { contentOffset + Int64(contentCount) }
}

extension ByteReader {
  /// Copies the bytes from `start` up to `end`, or to the end of the file.
  func copy(
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
