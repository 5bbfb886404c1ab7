import CropCore

/// A frame header of a JPEG.
private struct JPEGFrame {
  var size: BitmapSize
  var components: [(horizontal: Int, vertical: Int)]
  var isProgressive: Bool
}

extension Inspection {
  /// Walks a JPEG from marker to marker, through the coded data, to the end marker.
  mutating func jpeg() throws(CropError) -> ImageInfo {
    var walk = JPEGWalk()
    var position = 2
    var isEnded = false
    while !isEnded {
      guard let marker = try nextMarker(&position) else { break }
      try countPart()
      switch marker {
      case 0xD9:
        guard walk.scans > 0 else { throw corrupt("it has no picture data") }
        isEnded = true
      case 0x01, 0xD0...0xD7: break
      case 0xD8:
        guard walk.scans > 0 else { throw corrupt("it begins twice") }
        try truncated("another picture begins inside it")
        isEnded = true
      default:
        guard let length = try reader.big16(position), length >= 2,
          reader.end(of: position, length) != nil
        else {
          guard walk.scans > 0 else { throw corrupt("it ends inside its header") }
          position = reader.count
          continue
        }
        try segment(marker, at: position + 2, length: length - 2, &walk)
        if isGlance, marker == 0xDA { return info(try need(walk.frame, "its header"), walk) }
        position += length
        if marker == 0xDA { position = try reader.endOfCodedData(from: position) ?? reader.count }
      }
    }
    guard let frame = walk.frame else { throw corrupt("it has no frame header") }
    guard walk.scans > 0 else { throw corrupt("it has no picture data") }
    if !isEnded { try truncated("the end marker is missing") }
    if isEnded, position < reader.count { kinds.insert(.trailer) }
    return info(frame, walk)
  }

  private func info(_ frame: JPEGFrame, _ walk: JPEGWalk) -> ImageInfo {
    ImageInfo(
      format: .jpeg, byteCount: reader.count, stored: frame.size,
      orientation: walk.orientation ?? .up,
      color: frame.components.count == 1 ? .gray : frame.components.count == 4 ? .cmyk : .rgb,
      subsampling: Self.subsampling(frame), gridCell: Self.gridCell(frame),
      isProgressive: frame.isProgressive,
      scanCount: walk.scans, profileName: walk.profileName)
  }

  /// The most places where bytes that belong to nothing are skipped.
  private static var mostGaps: Int { 1000 }

  /// Moves `position` behind the next marker and tells which it is; nil at the end of the file.
  private mutating func nextMarker(
    _ position: inout Int
  ) throws(CropError) -> Int? {
    let expected = position
    while let start = try reader.first(0xFF, from: position) {
      let next = try reader.endOfRun(of: 0xFF, from: start)
      position = next + 1
      guard let marker = try reader.byte(next) else { return nil }
      if marker == 0 { continue }
      // Fill bytes (0xFF) are part of the format, anything else is not.
      if start > expected {
        guard junk.count < Self.mostGaps else { throw corrupt("its segments are torn apart") }
        junk.append(expected..<start)
        warn(.extraBytes)
      }
      return marker
    }
    position = reader.count
    return nil
  }

  private mutating func segment(
    _ marker: Int, at start: Int, length: Int, _ walk: inout JPEGWalk
  ) throws(CropError) {
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
      guard walk.frame == nil else { throw corrupt("it has two frame headers") }
      walk.frame = try frame(marker, at: start, length: length)
    case 0xC3, 0xCB: throw unsupported("a lossless JPEG")
    case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF: throw unsupported("a hierarchical JPEG")
    case 0xF7: throw unsupported("a JPEG-LS picture")
    case 0xDA:
      guard let frame = walk.frame else { throw corrupt("its data comes before its frame header") }
      try scan(frame, at: start, length: length, &walk)
    case 0xFE:
      kinds.insert(.text)
      note(.comment, at: start, length: length)
    case 0xE0, 0xE1, 0xE2, 0xEB, 0xED: try application(marker, at: start, length: length, &walk)
    default: break
    }
  }

  private mutating func frame(
    _ marker: Int, at start: Int, length: Int
  ) throws(CropError) -> JPEGFrame {
    let precision = try need(reader.byte(start), "the frame header")
    let height = try need(reader.big16(start + 1), "the frame header")
    let width = try need(reader.big16(start + 3), "the frame header")
    let count = try need(reader.byte(start + 5), "the frame header")
    guard length == 6 + 3 * count else { throw corrupt("its frame header has a wrong length") }
    guard precision == 8 else {
      throw precision == 12
        ? unsupported("a 12-bit JPEG") : corrupt("it claims \(precision) bits a channel")
    }
    guard height > 0 else { throw unsupported("a JPEG that tells its height at its end") }
    let size = try size(width, height)
    guard [1, 3, 4].contains(count) else { throw unsupported("a JPEG of \(count) channels") }
    var components: [(horizontal: Int, vertical: Int)] = []
    for i in 0..<count {
      let factors = try need(reader.byte(start + 7 + 3 * i), "the frame header")
      guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15) else {
        throw corrupt("its sampling factors can't be")
      }
      components.append((factors >> 4, factors & 15))
    }
    let frame = JPEGFrame(
      size: size, components: components, isProgressive: marker == 0xC2 || marker == 0xCA)
    if frame.isProgressive { memory = Self.coefficientBytes(frame) }
    return frame
  }

  /// What the coefficients of a progressive JPEG take: two bytes each, all at once.
  private static func coefficientBytes(_ frame: JPEGFrame) -> Int {
    let widest = frame.components.map(\.horizontal).max() ?? 1
    let tallest = frame.components.map(\.vertical).max() ?? 1
    let share = frame.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    // At most 65,535² pixels, 4 channels and 2 bytes: no overflow.
    return frame.size.width * frame.size.height * 2 * share / (widest * tallest)
  }

  private mutating func scan(
    _ frame: JPEGFrame, at start: Int, length: Int, _ walk: inout JPEGWalk
  ) throws(CropError) {
    let count = try need(reader.byte(start), "a scan header")
    guard (1...4).contains(count), count <= frame.components.count, length == 4 + 2 * count else {
      throw corrupt("a scan header is wrong")
    }
    walk.scans += 1
    if walk.scans > limits.scans {
      throw .limitExceeded(file: name, limit: .scans, actual: walk.scans, allowed: limits.scans)
    }
  }

  /// The smallest rectangle that holds whole blocks of every channel; a single channel's is a block.
  private static func gridCell(_ frame: JPEGFrame) -> BitmapSize {
    guard frame.components.count > 1 else { return BitmapSize(width: 8, height: 8) }
    return BitmapSize(
      width: 8 * (frame.components.map(\.horizontal).max() ?? 1),
      height: 8 * (frame.components.map(\.vertical).max() ?? 1))
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

/// What has been seen of a JPEG so far.
private struct JPEGWalk {
  var frame: JPEGFrame?
  var scans = 0
  var orientation: Orientation?
  var hasExif = false
  var profile: [UInt8] = []
  var profileName: String? { profile.isEmpty ? nil : ProfileName.read(profile) }
}

extension Inspection {
  /// Reads an application segment: EXIF, XMP, ICC and their like.
  private mutating func application(
    _ marker: Int, at start: Int, length: Int, _ walk: inout JPEGWalk
  ) throws(CropError) {
    switch marker {
    case 0xE0:
      // Numbers of columns and rows of a small picture, or a segment made for nothing else.
      let isJFIF = try reader.matches("JFIF\0", at: start)
      let sides = isJFIF ? try reader.big16(start + 12) ?? 0 : 0
      let isExtension = try reader.matches("JFXX\0", at: start)
      if sides > 0 && length > 14 || isExtension { kinds.insert(.thumbnail) }
    case 0xE1:
      if length >= 6, try reader.matches("Exif\0", at: start) {
        let orientation = try exif(base: start + 6, length: length - 6)
        // Of two the first counts.
        if !walk.hasExif { walk.orientation = orientation }
        note(.exif, at: start + 6, length: length - 6)
        walk.hasExif = true
      } else if try reader.matches("http://ns.adobe.com/x", at: start) {
        kinds.insert(.xmp)
        if try reader.matches("http://ns.adobe.com/xap/1.0/\0", at: start) {
          note(.xmp, at: start + 29, length: length - 29)
        }
        if let packet = try reader.bytes(start, length), Self.namesGainMap(packet) {
          kinds.insert(.gainMap)
        }
      }
    case 0xE2:
      if length >= 14, try reader.matches("ICC_PROFILE\0", at: start) {
        kinds.insert(.icc)
        if walk.profile.count < ProfileName.mostBytes {
          walk.profile += try reader.bytes(start + 14, length - 14) ?? []
        }
      } else if try reader.matches("MPF\0", at: start) {
        kinds.insert(.multiPicture)
      } else if try reader.matches("urn:iso:std:iso:ts:21496", at: start) {
        kinds.insert(.gainMap)
      }
    case 0xEB: if try reader.matches("JP", at: start) { kinds.insert(.credentials) }
    default:
      guard try reader.matches("Photoshop 3.0\0", at: start) else { return }
      kinds.insert(.photoshop)
      note(.photoshop, at: start, length: length)
    }
  }

  /// Whether an XMP packet speaks of a gain map.
  private static func namesGainMap(_ packet: [UInt8]) -> Bool {
    let names = ["hdrgm:Version", "HDRGainMapVersion"].map { Array($0.utf8) }
    return packet.indices.contains { i in
      packet[i] == 0x68 || packet[i] == 0x48
        ? names.contains { packet[i...].starts(with: $0) } : false
    }
  }
}
