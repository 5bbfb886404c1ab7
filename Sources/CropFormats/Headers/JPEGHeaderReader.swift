import CropCore
import CropJPEG

/// Reads a JPEG from marker to marker, through the coded data, to the end marker.
struct JPEGHeaderReader: HeaderReader {
  var file: Inspection
  let input: SourceInput
  private let markers: JPEGMarkerReader
  private var contents: JPEGContents
  private var frame: JPEGFrame?
  private var scans = 0
  private var orientation: Orientation?
  private var hasExif = false
  private var profile: [UInt8] = []
  private var precision = ScanPrecision()

  init(_ file: Inspection) {
    self.file = file
    input = SourceInput(file.source)
    markers = JPEGMarkerReader(input.jpeg)
    contents = JPEGContents(readsTable: !file.isSummary)
  }

  mutating func info() throws(CropError) -> ImageInfo {
    var end: Int?
    while end == nil, let part = try next() {
      try reader.countPart()
      try note(gap: part.gap)
      let start = Int(part.start)
      switch part.marker {
      case JPEGMarker.endOfImage:
        guard scans > 0 else { throw corrupt("it has no image data") }
        end = start
      case JPEGMarker.startOfImage:
        guard scans > 0 else { throw corrupt("it starts twice") }
        try file.truncated("another image starts inside it")
        end = start
      case _ where JPEGMarker.isBare(part.marker): break
      default:
        if JPEGMarker.isFrame(part.marker) {
          guard frame == nil else { throw corrupt("it has two frame headers") }
          frame = try readFrame(part)
        }
        try segment(part.marker, at: start, length: part.count)
        if file.isSummary, part.marker == JPEGMarker.startOfScan {
          file.kinds.formUnion(contents.kinds)
          return summary(try need(frame, "its header"))
        }
      }
    }
    guard let frame else { throw corrupt("it has no frame header") }
    guard scans > 0 else { throw corrupt("it has no image data") }
    if end == nil { try file.truncated("the end marker is missing") }
    if let end {
      try contents.noteTrailer(from: end, in: &file.reader)
      if lacksDetail(frame) { file.warn(.scansMissing) }
    }
    file.kinds.formUnion(contents.kinds)
    var info = summary(frame)
    if let end {
      let xmp = file.places.first { $0.kind == .xmp }
      info.gainMap = try gainMap(
        of: frame.size, end: end, pictures: contents.pictures,
        xmp: try xmp.flatMap { (place) throws(CropError) in
          try file.bytes(of: place)
        })
    } else if file.kinds.contains(.gainMap) {
      info.gainMap = GainMapInfo(fault: GainMapFault.cutOff.words)
    }
    return info
  }

  private func summary(_ frame: JPEGFrame) -> ImageInfo {
    var info = ImageInfo(
      format: .jpeg, byteCount: reader.count, stored: frame.size,
      orientation: orientation ?? .up)
    info.color =
      frame.components.count == 1 ? .gray : frame.components.count == 4 ? .cmyk : .rgb
    info.subsampling = Self.subsampling(frame)
    info.gridCell = BitmapSize(width: frame.grid.cellWidth, height: frame.grid.cellHeight)
    info.isProgressive = frame.process == .progressive
    info.isCuttable = frame.obstacle == nil
    info.scanCount = scans
    info.profileName = profile.isEmpty ? nil : ProfileName.read(profile)
    return info
  }

  /// The maximum number of places with stray bytes that are skipped.
  private static var mostGaps: Int { 1000 }

  /// The next marker whose content is in the file; nil if the file ends first.
  private func next() throws(CropError) -> JPEGMarkerReader.Part? {
    do throws(JPEGError) {
      guard let part = try markers.next() else { return nil }
      if reader.end(of: Int(part.start), part.count) != nil { return part }
    } catch {
      if let failure = input.failure { throw failure }
    }
    guard scans > 0 else { throw corrupt("it ends inside its header") }
    return nil
  }

  /// Records stray bytes before a marker, which a decoder must not see.
  private mutating func note(gap: Range<Int64>?) throws(CropError) {
    guard let gap else { return }
    guard file.junk.count < Self.mostGaps else {
      throw corrupt("it has too many gaps between segments")
    }
    file.junk.append(Int(gap.lowerBound)..<Int(gap.upperBound))
    file.warn(.extraBytes)
  }

  private mutating func segment(
    _ marker: UInt8, at start: Int, length: Int
  ) throws(CropError) {
    if let obstacle = JPEGMarker.obstacle(marker) { throw unsupported(obstacle.name(of: marker)) }
    if marker == JPEGMarker.startOfScan {
      guard let frame else { throw corrupt("its data comes before its frame header") }
      try scan(frame, at: start, length: length)
    } else if JPEGMarker.isMetadata(marker) {
      try contents.note(marker, at: start, length: length, in: &file.reader, input.jpeg)
      if let failure = input.failure { throw failure }
      try metadata(marker, at: start, length: length)
    }
  }

  private mutating func readFrame(_ part: JPEGMarkerReader.Part) throws(CropError) -> JPEGFrame {
    let header: JPEGFrameHeader
    do throws(JPEGError) {
      header = try markers.frameHeader(part)
    } catch {
      if let failure = input.failure { throw failure }
      if case .truncated = error { throw corrupt("it ends inside the frame header") }
      throw corrupt("its frame header has a wrong length")
    }
    guard header.precision == 8 else {
      throw header.precision == 12
        ? unsupported("a 12-bit JPEG") : corrupt("it claims \(header.precision) bits per channel")
    }
    guard header.height > 0 else { throw unsupported("a JPEG that states its height at its end") }
    _ = try size(header.width, header.height)
    let count = header.components.count
    guard [1, 3, 4].contains(count) else { throw unsupported("a JPEG of \(count) channels") }
    guard header.hasGoodFactors else { throw corrupt("its sampling factors are invalid") }
    let frame = header.frame
    if frame.process == .progressive { file.memory = Self.coefficientBytes(frame) }
    return frame
  }

  /// The memory for the coefficients of a progressive JPEG: two bytes each, all at the same time.
  private static func coefficientBytes(_ frame: JPEGFrame) -> Int {
    let share = frame.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    let most = frame.maxHorizontal * frame.maxVertical
    // At most 65,535² pixels, 4 channels and 2 bytes: no overflow.
    return frame.size.width * frame.size.height * 2 * share / most
  }

  private mutating func scan(
    _ frame: JPEGFrame, at start: Int, length: Int
  ) throws(CropError) {
    let count = try need(reader.byte(start), "a scan header")
    guard (1...4).contains(count), count <= frame.components.count, length == 4 + 2 * count else {
      throw corrupt("a scan header is wrong")
    }
    if frame.process == .progressive {
      precision.note(try reader.bytes(start, length) ?? [], channels: count)
    }
    scans += 1
    if scans > file.limits.scans {
      throw .limitExceeded(file: name, limit: .scans, actual: scans, allowed: file.limits.scans)
    }
  }

  /// Whether a progressive file ends without some of the scans that contain its detail.
  private func lacksDetail(_ frame: JPEGFrame) -> Bool {
    frame.process == .progressive
      && frame.components.contains { precision.lacksDetail(channel: $0.id) }
  }

  /// Reads what a segment of metadata says: density, EXIF, XMP, ICC and similar.
  private mutating func metadata(
    _ marker: UInt8, at start: Int, length: Int
  ) throws(CropError) {
    switch marker {
    case JPEGMarker.comment: file.note(.comment, at: start, length: length)
    case 0xE0: if try reader.matches("JFIF\0", at: start) { try readDensity(at: start + 7) }
    case 0xE1:
      if length >= 6, try reader.matches("Exif\0", at: start) {
        let found = try file.exif(base: start + 6, length: length - 6)
        // Of two blocks, the first has precedence.
        if !hasExif { orientation = found }
        file.note(.exif, at: start + 6, length: length - 6)
        hasExif = true
      } else if try reader.matches("http://ns.adobe.com/xap/1.0/\0", at: start) {
        file.note(.xmp, at: start + 29, length: length - 29)
      }
    case 0xE2:
      if length >= 14, profile.count < ProfileName.maxBytes,
        try reader.matches("ICC_PROFILE\0", at: start)
      {
        profile += try reader.bytes(start + 14, length - 14) ?? []
      }
    case 0xED:
      if try reader.matches("Photoshop 3.0\0", at: start) {
        file.note(.photoshop, at: start, length: length)
      }
    default: break
    }
  }

  /// Reads the resolution that JFIF states. Without a unit, it is only the aspect ratio of a pixel.
  private mutating func readDensity(at start: Int) throws(CropError) {
    guard let unit = try reader.byte(start), unit == 1 || unit == 2 else { return }
    file.density = PixelDensity(
      try reader.big16(start + 1).map(Double.init), try reader.big16(start + 3).map(Double.init),
      inches: unit == 1 ? 1 : PixelDensity.centimeter)
  }

  private static func subsampling(_ frame: JPEGFrame) -> ChromaSubsampling? {
    guard frame.components.count == 3 else { return nil }
    let luma = frame.components[0]
    guard frame.components.dropFirst().allSatisfy({ $0.horizontal == 1 && $0.vertical == 1 }) else {
      let isEqual = frame.components.dropFirst().allSatisfy {
        $0.horizontal == luma.horizontal && $0.vertical == luma.vertical
      }
      return isEqual ? .s444 : .other
    }
    switch (luma.horizontal, luma.vertical) {
    case (1, 1): return .s444
    case (2, 1): return .s422
    case (2, 2): return .s420
    case (1, 2): return .s440
    case (4, 1): return .s411
    default: return .other
    }
  }
}

extension JPEGFeature {
  /// The name of an unsupported kind of image with this marker.
  fileprivate func name(of marker: UInt8) -> String {
    switch self {
    case .hierarchical: "a hierarchical JPEG"
    default: marker >= 0xF0 ? "a JPEG-LS image" : "a lossless JPEG"
    }
  }
}

/// The precision of the first coefficients of each channel in the scans of a progressive JPEG
/// (ITU-T T.81, G.1.1.1).
private struct ScanPrecision {
  /// The number of coefficients after the first that determine whether a decoder smooths between
  /// blocks, as in libjpeg-turbo (`SAVED_COEFS` without the DC coefficient).
  private static let decisive = 9
  /// For each channel, the missing bits of each coefficient; nil for a coefficient that no scan
  /// contains.
  private var missing: [UInt8: [Int?]] = [:]

  /// Records a scan with the header `header` and this many channels.
  mutating func note(_ header: [UInt8], channels: Int) {
    guard header.count == 4 + 2 * channels else { return }
    let (first, last) = (Int(header[1 + 2 * channels]), Int(header[2 + 2 * channels]))
    guard first <= last, first <= Self.decisive else { return }
    for channel in 0..<channels {
      for index in first...min(last, Self.decisive) {
        missing[header[1 + 2 * channel], default: Array(repeating: nil, count: Self.decisive + 1)][
          index] = Int(header[3 + 2 * channels] & 15)
      }
    }
  }

  /// Whether a coefficient of a relevant channel lacks its last bit.
  func lacksDetail(channel: UInt8) -> Bool {
    missing[channel].map { $0[1...].contains { $0 != 0 } } ?? true
  }
}
