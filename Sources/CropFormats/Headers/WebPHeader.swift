import CropCore

extension Inspection {
  /// Walks a WebP from chunk to chunk to the end that its RIFF header states.
  mutating func webp() throws(CropError) -> ImageInfo {
    let declared = try need(reader.little32(4), "the header")
    let end = 8 + declared + (declared & 1)
    if 8 + declared > reader.count {
      try truncated("it should have \(8 + declared) bytes and has \(reader.count)")
    } else if end < reader.count {
      kinds.insert(.trailer)
    }
    var walk = WebPWalk()
    var position = 12
    let last = min(8 + declared, reader.count)
    while position < last {
      try countPart()
      guard let length = try reader.little32(position + 4), position + 8 <= last else {
        try truncated("a chunk is cut short")
        break
      }
      let name = try reader.bytes(position, 4).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let reach = position + 8 + length
      if reach > last { try truncated("the chunk \(name) reaches past the end") }
      try chunk(name, at: position + 8, length: min(length, last - position - 8), &walk)
      position = reach + (length & 1)
    }
    return try info(walk)
  }

  private mutating func info(_ walk: WebPWalk) throws(CropError) -> ImageInfo {
    guard let picture = walk.picture else { throw corrupt("it has no picture data") }
    if let canvas = walk.canvas, !walk.isAnimated, canvas != picture {
      throw corrupt("its picture is not as large as its canvas")
    }
    let size = walk.canvas ?? picture
    // The decoder holds the whole picture; an animation its canvas twice.
    // Rows on their way out add about an eighth.
    memory = Self.product(size, bytes: walk.isAnimated ? 18 : 9) / 2
    return ImageInfo(
      format: .webp, byteCount: reader.count, stored: size, orientation: walk.orientation ?? .up,
      hasAlpha: walk.hasAlpha, frameCount: max(walk.frames, 1),
      subsampling: walk.isLossy ? .s420 : nil, profileName: walk.profileName,
      frameDurations: walk.durations, playCount: walk.playCount)
  }

  private mutating func chunk(
    _ name: String, at start: Int, length: Int, _ walk: inout WebPWalk
  ) throws(CropError) {
    switch name {
    case "VP8X":
      let flags = try need(reader.byte(start), "the header")
      let width = try need(reader.little24(start + 4), "the header")
      let height = try need(reader.little24(start + 7), "the header")
      walk.canvas = BitmapSize(width: width + 1, height: height + 1)
      walk.isAnimated = flags & 2 != 0
      walk.hasAlpha = walk.hasAlpha || flags & 16 != 0
    case "VP8 ", "VP8L": try picture(name, at: start, &walk)
    case "ANIM": walk.playCount = try reader.little16(start + 4)
    case "C2PA": kinds.insert(.credentials)
    case "ANMF": try frame(at: start, length: length, &walk)
    case "EXIF":
      // Some writers leave the marker of JPEG before it.
      let skipped = try reader.matches("Exif\0", at: start) ? 6 : 0
      note(.exif, at: start, length: length)
      let orientation = try exif(base: start + skipped, length: max(0, length - skipped))
      walk.orientation = walk.orientation ?? orientation
    case "XMP ":
      kinds.insert(.xmp)
      note(.xmp, at: start, length: length)
    case "ICCP":
      kinds.insert(.icc)
      let profile = try reader.bytes(start, min(length, ProfileName.mostBytes)) ?? []
      walk.profileName = ProfileName.read(profile)
    default: break
    }
  }

  /// One frame of an animation, inside the canvas.
  private mutating func frame(
    at start: Int, length: Int, _ walk: inout WebPWalk
  ) throws(CropError) {
    guard let canvas = walk.canvas, length >= 24, let x = try reader.little24(start),
      let y = try reader.little24(start + 3), let width = try reader.little24(start + 6),
      let height = try reader.little24(start + 9)
    else { throw corrupt("a frame is cut short") }
    guard 2 * x + width + 1 <= canvas.width, 2 * y + height + 1 <= canvas.height else {
      throw corrupt("a frame is larger than the canvas")
    }
    walk.picture = canvas
    walk.frames += 1
    walk.durations.append(try reader.little24(start + 12) ?? 0)
  }

  /// The header of the coded picture itself.
  private mutating func picture(
    _ name: String, at start: Int, _ walk: inout WebPWalk
  ) throws(CropError) {
    guard walk.picture == nil else { return }
    if name == "VP8L" {
      guard try reader.byte(start) == 0x2F else { throw corrupt("its picture data can't be") }
      let bits = try need(reader.little32(start + 1), "the picture data")
      walk.picture = BitmapSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
      walk.hasAlpha = walk.hasAlpha || bits >> 28 & 1 == 1
    } else {
      let tag = try need(reader.byte(start), "the picture data")
      guard tag & 1 == 0, try reader.little24(start + 3) == 0x2A_019D else {
        throw corrupt("its picture data can't be")
      }
      let width = try need(reader.little16(start + 6), "the picture data") & 0x3FFF
      let height = try need(reader.little16(start + 8), "the picture data") & 0x3FFF
      walk.picture = try size(width, height)
      walk.isLossy = true
    }
  }
}

/// What has been seen of a WebP so far.
private struct WebPWalk {
  var canvas: BitmapSize?
  var picture: BitmapSize?
  var isAnimated = false
  var isLossy = false
  var hasAlpha = false
  var frames = 0
  /// In milliseconds.
  var durations: [Int] = []
  var playCount: Int?
  var orientation: Orientation?
  var profileName: String?
}
