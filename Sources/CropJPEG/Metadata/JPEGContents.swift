import CropCore

/// What a JPEG's file holds besides the image: in segments, and after the image.
public struct JPEGContents: Sendable {
  /// The kinds of data, each once.
  public private(set) var kinds: [MetadataKind] = []
  /// The position after the end of the image; nil if the file ends first.
  public private(set) var end: Int?
  /// The positions of the images after the first one, as far as the file's table lists them.
  package private(set) var pictures: [Int] = []
  /// Whether the images in the table are looked at; otherwise it counts as further images.
  private let readsTable: Bool

  /// No contents, to add those of segments.
  package init(readsTable: Bool = true) { self.readsTable = readsTable }

  /// The contents of a complete file of `byteCount` bytes, as far as it is valid.
  ///
  /// - Throws: what `input` throws.
  public init(_ input: JPEGInput, byteCount: Int) throws(JPEGError) {
    self.init()
    var bytes = InputBytes(input, count: byteCount)
    let markers = JPEGMarkerReader(input)
    var hasScan = false
    while let part = try? markers.next(), part.start <= Int64(byteCount - part.count) {
      let start = Int(part.start)
      if JPEGMarker.isEdge(part.marker) {
        if hasScan { try noteTrailer(from: start, in: &bytes) }
        return
      }
      if part.marker == JPEGMarker.startOfScan { hasScan = true }
      try note(part.marker, at: start, length: part.count, in: &bytes, input)
    }
  }

  private mutating func note(_ kind: MetadataKind) {
    if !kinds.contains(kind) { kinds.append(kind) }
  }
}

extension JPEGContents {
  /// Adds the kinds of data in a segment.
  ///
  /// - Parameters:
  ///   - marker: the second byte of its marker.
  ///   - start: the position of its content.
  ///   - length: the number of bytes of its content.
  ///   - source: the file.
  ///   - input: the same file, for the images in a table; its errors end the search.
  package mutating func note<Source: ByteSource>(
    _ marker: UInt8, at start: Int, length: Int, in source: inout Source, _ input: JPEGInput
  ) throws(Source.Failure) {
    switch marker {
    case JPEGMarker.comment: note(.text)
    case 0xE0:
      // JFIF's size of the thumbnail, or a JFXX segment, which only exists for a thumbnail.
      let isJFIF = try source.has("JFIF\0", at: start)
      let isExtension = try source.has("JFXX\0", at: start)
      let sides = isJFIF ? try source.number(start + 12, size: 2, order: .big) ?? 0 : 0
      if sides > 0 && length > 14 || isExtension { note(.thumbnail) }
      if !isJFIF && !isExtension { note(.applicationData) }
    case 0xE1:
      if length >= 6, try source.has("Exif\0", at: start) {
        note(.exif)
      } else if try source.has("http://ns.adobe.com/x", at: start) {
        note(.xmp)
        try noteMaps(inXMP: start, length: length, in: &source)
      } else {
        note(.applicationData)
      }
    case 0xE2:
      if length >= 14, try source.has("ICC_PROFILE\0", at: start) {
        note(.icc)
      } else if try source.has("MPF\0", at: start) {
        try noteFurtherPictures(base: start + 4, length: length - 4, in: &source, input)
      } else if try source.has("urn:iso:std:iso:ts:21496", at: start) {
        note(.gainMap)
      } else {
        note(.applicationData)
      }
    case 0xEB: note(try source.has("JP", at: start) ? .credentials : .applicationData)
    case 0xEC where try source.has("Ducky", at: start): break
    case 0xED: note(try source.has("Photoshop 3.0\0", at: start) ? .photoshop : .applicationData)
    case 0xEE where try source.has("Adobe", at: start): break
    default: if JPEGMarker.isApplication(marker) { note(.applicationData) }
    }
  }

  /// Adds a gain map or depth map that XMP mentions, as part of the same file; true for a gain map.
  @discardableResult
  private mutating func noteMaps<Source: ByteSource>(
    inXMP start: Int, length: Int, in source: inout Source
  ) throws(Source.Failure) -> Bool {
    guard let packet = try source.bytes(start, length) else { return false }
    // Adobe's and Apple's names of gain maps, Google's and Apple's names of depth maps, and
    // Google's names for both in its list of further images.
    let gain: [StaticString] = [
      "hdrgm:", "HDRGainMap:", "hdrgainmap", "\"GainMap\"", ">GainMap<",
    ]
    let depth: [StaticString] = ["GDepth:", "depthData:", "\"Depth\"", ">Depth<"]
    let hasGain = gain.contains { packet.place(of: $0) != nil }
    if hasGain { note(.gainMap) }
    if depth.contains(where: { packet.place(of: $0) != nil }) { note(.depthMap) }
    return hasGain
  }
}

// The table of images (CIPA DC-007, 5.2).
extension JPEGContents {
  /// The largest number of segments of an image after the first that are read.
  private static var mostSegments: Int { 64 }

  /// Adds the kinds of the images in the table whose TIFF structure is in `length` bytes from
  /// `base`.
  ///
  /// A "large thumbnail" (types 0x010001 to 0x01FFFF) is a preview of the first image. An
  /// unreadable table and unread entries count as further images.
  private mutating func noteFurtherPictures<Source: ByteSource>(
    base: Int, length: Int, in source: inout Source, _ input: JPEGInput
  ) throws(Source.Failure) {
    guard readsTable, var structure = try source.bytes(base, length),
      let table = PictureTable(&structure, base: 0, length: length)
    else { return note(.multiPicture) }
    if table.hasMore { note(.multiPicture) }
    for entry in table.entries {
      let (start, overflow) = base.addingReportingOverflow(entry.place)
      let isGainMap =
        entry.place > 0 && !overflow
        ? try noteFurtherPicture(at: start, in: &source, input) : false
      if entry.attributes & 0xFF_0000 == 0x01_0000 {
        note(.preview)
      } else if !isGainMap {
        note(.multiPicture)
      }
    }
  }

  /// Adds the kind of a JPEG after the first one, from the segments before its pixels; true for a
  /// gain map.
  private mutating func noteFurtherPicture<Source: ByteSource>(
    at start: Int, in source: inout Source, _ input: JPEGInput
  ) throws(Source.Failure) -> Bool {
    guard try source.number(start, size: 2, order: .big) == 0xFFD8 else { return false }
    var isGainMap = false
    pictures.append(start)
    let markers = JPEGMarkerReader(input, at: Int64(start) + 2)
    for _ in 0..<Self.mostSegments {
      guard let part = try? markers.next(), part.gap == nil,
        part.marker != JPEGMarker.startOfScan, !JPEGMarker.isEdge(part.marker)
      else { break }
      let content = Int(clamping: part.start)
      if part.marker == 0xE1, try source.has("http://ns.adobe.com/x", at: content) {
        if try noteMaps(inXMP: content, length: part.count, in: &source) { isGainMap = true }
      } else if part.marker == 0xE2, try source.has("urn:iso:std:iso:ts:21496", at: content) {
        note(.gainMap)
        isGainMap = true
      }
    }
    return isGainMap
  }
}

// What follows the image.
extension JPEGContents {
  /// The most bytes that are searched for the start of a video.
  private static var mostLookedThrough: Int { 64 << 20 }

  /// Adds the kinds of the bytes after the image, which ends at `end`.
  ///
  /// Images that the file's table or XMP lists are recorded as such; anything unexplained is a
  /// trailer.
  package mutating func noteTrailer<Source: ByteSource>(
    from end: Int, in source: inout Source
  ) throws(Source.Failure) {
    self.end = end
    let count = source.count
    guard end < count else { return }
    var isKnown = pictures.contains { $0 >= end }
    if try source.number(end, size: 2, order: .big) == 0xFFD8,
      kinds.contains(.gainMap) || kinds.contains(.depthMap)
    {
      isKnown = true
    }
    // Samsung's directory of data after the image is at the end of the file.
    if count - end >= 8, try source.has("SEFT", at: count - 4) {
      note(.samsungTrailer)
      isKnown = true
    }
    if try Self.hasVideo(from: end, in: &source) {
      note(.video)
      isKnown = true
    }
    if !isKnown { note(.trailer) }
  }

  /// Whether an MP4 or QuickTime file starts at or after `start`: an `ftyp` box of a plausible size
  /// (ISO/IEC 14496-12, 4.3) whose brand is not one of a still image.
  private static func hasVideo<Source: ByteSource>(
    from start: Int, in source: inout Source
  ) throws(Source.Failure) -> Bool {
    let step = 1 << 16
    let end = min(source.count - start, mostLookedThrough) + start
    var at = start
    while at + 12 <= end {
      // Pieces overlap by the size of a box's header, so that none is missed where two meet.
      guard let piece = try source.bytes(at, min(step, end - at)) else { return false }
      var next = 0
      while let found = piece.place(of: "ftyp", from: next) {
        let place = at + found - 4
        if place >= start, let size = try source.number(place, size: 4, order: .big),
          (16...1024).contains(size), size % 4 == 0,
          let brand = try source.bytes(place + 8, 4), !isStill(brand)
        {
          return true
        }
        next = found + 4
      }
      if at + piece.count >= end { return false }
      at += max(piece.count - 11, 1)
    }
    return false
  }

  /// Whether a brand is that of a HEIF still image.
  private static func isStill(_ brand: [UInt8]) -> Bool {
    let brands: [StaticString] = ["heic", "heix", "mif1", "avif", "heim", "heis"]
    return brands.contains { brand.has($0) }
  }
}

extension ByteSource {
  /// Whether the bytes from `offset` are those of `text`.
  fileprivate mutating func has(_ text: StaticString, at offset: Int) throws(Failure) -> Bool {
    try bytes(offset, text.utf8CodeUnitCount)?.has(text) ?? false
  }
}

/// The bytes of an input, by position.
private struct InputBytes: ByteSource {
  let count: Int
  private let reader: ByteReader

  init(_ input: JPEGInput, count: Int) {
    self.count = count
    reader = ByteReader(input)
  }

  func number(_ offset: Int, size: Int, order: ByteOrder) throws(JPEGError) -> Int? {
    try bytes(offset, size)?.number(0, size: size, order: order)
  }

  func bytes(_ offset: Int, _ length: Int) throws(JPEGError) -> [UInt8]? {
    guard offset >= 0, length >= 0, length <= ByteReader.capacity, offset <= count - length else {
      return nil
    }
    reader.seek(Int64(offset))
    guard try reader.need(length) else { return nil }
    return [UInt8](UnsafeBufferPointer(start: reader.buffer + reader.cursor, count: length))
  }
}
