import CropCore
import CropKernels

/// The gain map of a JPEG, for crops of that JPEG that were made elsewhere.
///
/// The map is cut like the image: its blocks are copied if the crop's edges lie on them, otherwise
/// it is resampled and encoded again at quality 95. Maps that are not sequential can't be cut here.
public final class JPEGGainMap {
  /// How the map of a result was made.
  public enum Outcome {
    /// Its blocks were copied.
    case cut
    /// Its samples were encoded again.
    case recoded
  }

  /// The stored size of the image.
  private let base: BitmapSize
  private let orientation: Orientation
  private let exif: [UInt8]?
  private let hasProfile: Bool
  private let found: FoundGainMap
  private let map: JPEGInput
  /// Whether the last written result lacks the XMP of the image, because it does not fit in a segment
  /// together with what refers to the map.
  public private(set) var dropsXMP = false

  /// The largest number of scans of a map.
  private static var mostScans: Int { 64 }

  /// The map of the image in `input`, which must stay valid while the map is used; nil if it has
  /// none that can be used.
  ///
  /// - Throws: as `JPEGHeader` for an invalid image.
  public convenience init?(_ input: JPEGInput) throws(JPEGError) {
    let header = try JPEGHeader(reading: input)
    let parts = try JPEGParts(header, reading: input)
    guard let end = try Self.end(of: input) else { return nil }
    let result = try GainMapSearch(input, mostScans: Self.mostScans).map(
      of: header.size, end: end, xmp: parts.metadata.xmp, pictures: Self.pictures(header, input))
    guard case .success(let found) = result else { return nil }
    self.init(input, header, parts, found)
  }

  /// The map of the image in `input`, whose `contents` mention one.
  ///
  /// - Throws: as `JPEGHeader` for an invalid image.
  public static func found(
    in input: JPEGInput, _ contents: JPEGContents
  ) throws(JPEGError) -> Result<JPEGGainMap, GainMapFault> {
    guard let end = contents.end else { return .failure(.cutOff) }
    let header = try JPEGHeader(reading: input)
    let parts = try JPEGParts(header, reading: input)
    let result = try GainMapSearch(input, mostScans: mostScans).map(
      of: header.size, end: end, xmp: parts.metadata.xmp, pictures: contents.pictures)
    switch result {
    case .success(let found): return .success(JPEGGainMap(input, header, parts, found))
    case .failure(let fault): return .failure(fault)
    }
  }

  private init(
    _ input: JPEGInput, _ header: JPEGHeader, _ parts: JPEGParts, _ found: FoundGainMap
  ) {
    let metadata = parts.metadata
    base = header.size
    exif = metadata.exif
    hasProfile = parts.profile != nil
    orientation = metadata.exif.flatMap { EXIFBlock.orientation(of: $0) } ?? .up
    self.found = found
    map = input.part(found.range)
  }

  /// The position after the end marker of the first image; nil if the file ends first.
  private static func end(of input: JPEGInput) throws(JPEGError) -> Int? {
    let markers = JPEGMarkerReader(input)
    var hasScan = false
    while let part = try markers.next() {
      if part.marker == JPEGMarker.startOfScan { hasScan = true }
      if JPEGMarker.isEdge(part.marker) { return hasScan ? Int(part.start) : nil }
    }
    return nil
  }

  /// The positions of the other images in the table of images.
  private static func pictures(
    _ header: JPEGHeader, _ input: JPEGInput
  ) throws(JPEGError) -> [Int] {
    var places: [Int] = []
    let reader = ByteReader(input)
    for segment in header.segments where segment.marker == 0xE2 && segment.contentCount > 4 {
      reader.seek(segment.contentOffset)
      guard try reader.need(segment.contentCount) else { continue }
      var content = [UInt8](
        UnsafeBufferPointer(start: reader.buffer + reader.cursor, count: segment.contentCount))
      guard content.has("MPF\0") else { continue }
      content.removeFirst(4)
      guard let table = PictureTable(&content, base: 0, length: content.count) else { continue }
      for entry in table.entries where entry.place > 0 {
        let (place, overflow) = entry.place.addingReportingOverflow(Int(segment.contentOffset) + 4)
        if !overflow { places.append(place) }
      }
    }
    return places
  }
}

extension JPEGGainMap {
  /// The crop of a part that was copied without decoding.
  ///
  /// - Parameters:
  ///   - part: the part, in stored pixels.
  ///   - flag: the orientation that is stored in the result.
  /// - Returns: nil if the part is not inside the image.
  public func crop(_ part: BitmapRect, flag: Orientation) -> ResolvedCrop? {
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: base)
    let turn = orientation.inverse.followed(by: flag)
    let rect = OrientationMap<ImageSpace, FrameSpace>(turn, of: toImage.target)(toImage(part))
    return try? ResolvedCrop(
      checking: rect.rect, of: toImage.target, orientation: turn, tilt: .zero, shape: .rectangle,
      output: rect.size)
  }

  /// The crop of a recipe.
  ///
  /// - Parameters:
  ///   - recipe: the recipe that was applied to the upright image.
  ///   - output: the size of the result, in pixels.
  /// - Returns: nil if the recipe does not fit the image.
  public func crop(_ recipe: CropRecipe, output: FrameSize) -> ResolvedCrop? {
    let image = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: base).target
    return (try? recipe.resolved(for: image))?.scaled(to: output)
  }

  /// Writes a crop of the image with its part of the map.
  ///
  /// - Parameters:
  ///   - result: the crop's JPEG.
  ///   - byteCount: its number of bytes.
  ///   - crop: the crop that was made.
  ///   - flag: the orientation that is stored in the result.
  ///   - isSRGB: whether colors were converted to sRGB.
  ///   - sink: receives the bytes.
  /// - Returns: nil, before anything is written, if the map can't be cut or described, or if it has
  ///   values for each of the channels that were converted.
  /// - Throws: an error if `result` or the map is invalid; any error of the inputs and the sink.
  public func write(
    _ result: JPEGInput, byteCount: Int, crop: ResolvedCrop, flag: Orientation, isSRGB: Bool,
    into sink: JPEGSink
  ) throws(JPEGError) -> Outcome? {
    // A gain of one channel multiplies all others alike, so it is the same in every color space.
    guard !isSRGB || !hasProfile || found.channels == 1 else { return nil }
    let size = OrientationMap<FrameSpace, BitmapSpace>(flag.inverse, of: crop.output).target
    guard try JPEGHeader(reading: result).size == size,
      let cut = GainMapCut(crop, map: found.size, base: base, orientation: orientation, flag: flag)
    else { return nil }
    let header = try JPEGHeader(reading: map)
    guard header.frame.obstacle == nil, header.size == cut.map else { return nil }
    var bytes: [UInt8] = []
    let isCut = try copy(cut, header, to: &bytes)
    if !isCut { try resample(cut, header, to: &bytes) }
    guard let container = GainMapContainer(bytes, found.numbers, exif: exif) else { return nil }
    let head = try container.head(of: result, byteCount: byteCount)
    dropsXMP = head.dropsXMP
    try head.bytes.pass(to: sink)
    let writer = BitWriter()
    try ByteReader(result).copy(from: Int64(head.replaced), to: .max, writer, sink)
    try writer.flush(sink)
    try container.tail.pass(to: sink)
    return isCut ? .cut : .recoded
  }

  /// Copies the blocks of the map; false if its samples don't lie on their grid.
  private func copy(
    _ cut: GainMapCut, _ header: JPEGHeader, to bytes: inout [UInt8]
  ) throws(JPEGError) -> Bool {
    guard let rect = cut.exact, cut.turn == .up, header.grid.canCut(rect) else { return false }
    bytes = try cutMap(rect, header, try colors(header))
    return true
  }

  private func resample(
    _ cut: GainMapCut, _ header: JPEGHeader, to bytes: inout [UInt8]
  ) throws(JPEGError) {
    guard let needed = cut.needed, let around = header.grid.surroundings(of: needed) else {
      throw .offGrid
    }
    let part = try cutMap(around, header, [])
    let planes = try part.withUnsafeBufferPointer { (bytes) throws(JPEGError) in
      try JPEGPlanes(JPEGInput(UnsafeRawBufferPointer(bytes)))
    }
    var rows: [GainMapRows] = []
    for (component, plane) in zip(header.frame.components, planes.planes) {
      guard let row = Self.rows(cut, header.frame, component, plane, around) else {
        throw .offGrid
      }
      rows.append(row)
    }
    let encoder = try PlaneEncoder(cut.size, components: header.frame.components.map { $0.id })
    var made: [UInt8] = []
    try encoder.encode(try colors(header)) { piece in
      made.append(contentsOf: piece)
    } fill: { component, row, samples in
      rows[component].write(row: row, to: samples)
    }
    // The planes are the memory of the rows.
    withExtendedLifetime(planes) {}
    bytes = made
  }

  /// Resamples a component, which may have fewer samples than the map.
  private static func rows(
    _ cut: GainMapCut, _ frame: JPEGFrame, _ component: JPEGComponent, _ plane: JPEGPlanes.Plane,
    _ around: BitmapRect
  ) -> GainMapRows? {
    let (across, down) = (component.horizontal, component.vertical)
    let (mostAcross, mostDown) = (frame.maxHorizontal, frame.maxVertical)
    let (x, y) = (Double(across) / Double(mostAcross), Double(down) / Double(mostDown))
    let held = BitmapRect(
      x: around.x * across / mostAcross, y: around.y * down / mostDown, width: plane.size.width,
      height: plane.size.height)
    let place = cut.place
    guard
      let own = GainMapCut(
        map: BitmapSize(
          width: (frame.size.width * across + mostAcross - 1) / mostAcross,
          height: (frame.size.height * down + mostDown - 1) / mostDown),
        size: cut.size, exact: nil, turn: .up,
        place: Homography(
          a: place.a * x, b: place.b * x, c: place.c * x, d: place.d * y, e: place.e * y,
          f: place.f * y, g: place.g, h: place.h, i: place.i))
    else { return nil }
    return GainMapRows(plane.samples, of: held, channels: 1, cut: own)
  }

  /// A part of the map whose left and top edges are on the grid.
  private func cutMap(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: [JPEGOutputSegment]
  ) throws(JPEGError) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try JPEGCutter(map, header: header).cut(rect, segments: segments) { piece in
      bytes.append(contentsOf: piece)
    }
    return bytes
  }

  /// The metadata of the map that describe how its colors are coded.
  private func colors(_ header: JPEGHeader) throws(JPEGError) -> [JPEGOutputSegment] {
    let edit = MetadataEdit(width: base.width, height: base.height, policy: .stripAll)
    return JPEGKeptSegments(try JPEGParts(header, reading: map), edit: edit).segments
  }
}

extension [UInt8] {
  fileprivate func pass(to sink: JPEGSink) throws(JPEGError) {
    try withUnsafeBufferPointer { (bytes) throws(JPEGError) in
      try sink(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension JPEGInput {
  /// The bytes in `range` as a separate input.
  fileprivate func part(_ range: Range<Int>) -> JPEGInput {
    let whole = self
    return JPEGInput { (offset, buffer) throws(JPEGError) in
      guard offset >= 0, offset < Int64(range.count), let start = buffer.baseAddress else {
        return 0
      }
      let count = min(buffer.count, range.count - Int(offset))
      return try whole.read(
        offset + Int64(range.lowerBound), UnsafeMutableRawBufferPointer(start: start, count: count)
      )
    }
  }
}
