import CropCore

extension Inspection {
  /// Reads a WebP chunk by chunk, to the end that its RIFF header states.
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
    guard let picture = walk.picture else { throw corrupt("it has no image data") }
    if let canvas = walk.canvas, !walk.isAnimated, canvas != picture {
      throw corrupt("its image and its canvas differ in size")
    }
    let size = walk.canvas ?? picture
    isCodedExactly = !walk.isLossy
    // The decoder needs memory for the complete image; for an animation, for two canvases. Rows
    // that are being written add about an eighth.
    memory = Self.product(size, bytes: walk.isAnimated ? 18 : 9) / 2
    var info = ImageInfo(
      format: .webp, byteCount: reader.count, stored: size, orientation: walk.orientation ?? .up)
    info.hasAlpha = walk.hasAlpha
    info.frameCount = max(walk.frames, 1)
    info.subsampling = walk.isLossy ? .s420 : nil
    info.profileName = walk.profileName
    info.frameDurations = walk.durations
    info.playCount = walk.playCount
    return info
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
      // Some writers put the prefix of a JPEG segment before it.
      let skipped = try reader.matches("Exif\0", at: start) ? 6 : 0
      note(.exif, at: start, length: length)
      let orientation = try exif(base: start + skipped, length: max(0, length - skipped))
      walk.orientation = walk.orientation ?? orientation
    case "XMP ":
      kinds.insert(.xmp)
      note(.xmp, at: start, length: length)
    case "ICCP":
      kinds.insert(.icc)
      let profile = try reader.bytes(start, min(length, ProfileName.maxBytes)) ?? []
      walk.profileName = ProfileName.read(profile)
    case "ALPH": break
    default: kinds.insert(.applicationData)
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
    // The alpha of a lossy image comes before it.
    if walk.frames == 1 { walk.isLossy = try !reader.matches("VP8L", at: start + 16) }
    walk.durations.append(try reader.little24(start + 12) ?? 0)
  }

  /// The header of the coded image data.
  private mutating func picture(
    _ name: String, at start: Int, _ walk: inout WebPWalk
  ) throws(CropError) {
    guard walk.picture == nil else { return }
    if name == "VP8L" {
      guard try reader.byte(start) == 0x2F else { throw corrupt("its image data is invalid") }
      let bits = try need(reader.little32(start + 1), "the image data")
      walk.picture = BitmapSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
      walk.hasAlpha = walk.hasAlpha || bits >> 28 & 1 == 1
    } else {
      let tag = try need(reader.byte(start), "the image data")
      guard tag & 1 == 0, try reader.little24(start + 3) == 0x2A_019D else {
        throw corrupt("its image data is invalid")
      }
      let width = try need(reader.little16(start + 6), "the image data") & 0x3FFF
      let height = try need(reader.little16(start + 8), "the image data") & 0x3FFF
      walk.picture = try size(width, height)
      walk.isLossy = true
    }
  }
}

/// The state while reading a WebP.
private struct WebPWalk {
  var canvas: BitmapSize?
  var picture: BitmapSize?
  var isAnimated = false
  var isLossy = false
  var hasAlpha = false
  var frames = 0
  /// The duration of each frame, in milliseconds.
  var durations: [Int] = []
  var playCount: Int?
  var orientation: Orientation?
  var profileName: String?
}
