import CropCore

/// Reads a WebP chunk by chunk, to the end that its RIFF header states.
struct WebPHeaderReader: HeaderReader {
  var file: Inspection
  private var canvas: BitmapSize?
  private var picture: BitmapSize?
  private var isAnimated = false
  private var isLossy = false
  private var hasAlpha = false
  private var frames = 0
  /// The duration of each frame, in milliseconds.
  private var durations: [Int] = []
  private var playCount: Int?
  private var orientation: Orientation?
  private var profileName: String?

  init(_ file: Inspection) { self.file = file }

  mutating func info() throws(CropError) -> ImageInfo {
    let declared = try need(reader.little32(4), "the header")
    let end = 8 + declared + (declared & 1)
    if 8 + declared > reader.count {
      try file.truncated("it should have \(8 + declared) bytes and has \(reader.count)")
    } else if end < reader.count {
      file.kinds.insert(.trailer)
    }
    var position = 12
    let last = min(8 + declared, reader.count)
    while position < last {
      try reader.countPart()
      guard let length = try reader.little32(position + 4), position + 8 <= last else {
        try file.truncated("a chunk is cut short")
        break
      }
      let name = try reader.bytes(position, 4).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let reach = position + 8 + length
      if reach > last { try file.truncated("the chunk \(name) reaches past the end") }
      try readChunk(name, at: position + 8, length: min(length, last - position - 8))
      position = reach + (length & 1)
    }
    return try summary()
  }

  private mutating func summary() throws(CropError) -> ImageInfo {
    guard let picture else { throw corrupt("it has no image data") }
    if let canvas, !isAnimated, canvas != picture {
      throw corrupt("its image and its canvas differ in size")
    }
    let size = canvas ?? picture
    file.isCodedExactly = !isLossy
    // The decoder needs memory for the complete image; for an animation, for two canvases. Rows
    // that are being written add about an eighth.
    file.memory = Inspection.product(size, bytes: isAnimated ? 18 : 9) / 2
    var info = ImageInfo(
      format: .webp, byteCount: reader.count, stored: size, orientation: orientation ?? .up)
    info.hasAlpha = hasAlpha
    info.frameCount = max(frames, 1)
    info.subsampling = isLossy ? .s420 : nil
    info.profileName = profileName
    info.frameDurations = durations
    info.playCount = playCount
    return info
  }

  private mutating func readChunk(_ name: String, at start: Int, length: Int) throws(CropError) {
    switch name {
    case "VP8X":
      let flags = try need(reader.byte(start), "the header")
      let width = try need(reader.little24(start + 4), "the header")
      let height = try need(reader.little24(start + 7), "the header")
      canvas = BitmapSize(width: width + 1, height: height + 1)
      isAnimated = flags & 2 != 0
      hasAlpha = hasAlpha || flags & 16 != 0
    case "VP8 ", "VP8L": try readPicture(name, at: start)
    case "ANIM": playCount = try reader.little16(start + 4)
    case "C2PA": file.kinds.insert(.credentials)
    case "ANMF": try readFrame(at: start, length: length)
    case "EXIF":
      // Some writers put the prefix of a JPEG segment before it.
      let skipped = try reader.matches("Exif\0", at: start) ? 6 : 0
      file.note(.exif, at: start, length: length)
      let found = try file.exif(base: start + skipped, length: max(0, length - skipped))
      orientation = orientation ?? found
    case "XMP ":
      file.kinds.insert(.xmp)
      file.note(.xmp, at: start, length: length)
    case "ICCP":
      file.kinds.insert(.icc)
      let profile = try reader.bytes(start, min(length, ProfileName.maxBytes)) ?? []
      profileName = ProfileName.read(profile)
    case "ALPH": break
    default: file.kinds.insert(.applicationData)
    }
  }

  /// One frame of an animation, inside the canvas.
  private mutating func readFrame(at start: Int, length: Int) throws(CropError) {
    guard let canvas, length >= 24, let x = try reader.little24(start),
      let y = try reader.little24(start + 3), let width = try reader.little24(start + 6),
      let height = try reader.little24(start + 9)
    else { throw corrupt("a frame is cut short") }
    guard 2 * x + width + 1 <= canvas.width, 2 * y + height + 1 <= canvas.height else {
      throw corrupt("a frame is larger than the canvas")
    }
    picture = canvas
    frames += 1
    // The alpha of a lossy image comes before it.
    if frames == 1 { isLossy = try !reader.matches("VP8L", at: start + 16) }
    durations.append(try reader.little24(start + 12) ?? 0)
  }

  /// The header of the coded image data.
  private mutating func readPicture(_ name: String, at start: Int) throws(CropError) {
    guard picture == nil else { return }
    if name == "VP8L" {
      guard try reader.byte(start) == 0x2F else { throw corrupt("its image data is invalid") }
      let bits = try need(reader.little32(start + 1), "the image data")
      picture = BitmapSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
      hasAlpha = hasAlpha || bits >> 28 & 1 == 1
    } else {
      let tag = try need(reader.byte(start), "the image data")
      guard tag & 1 == 0, try reader.little24(start + 3) == 0x2A_019D else {
        throw corrupt("its image data is invalid")
      }
      let width = try need(reader.little16(start + 6), "the image data") & 0x3FFF
      let height = try need(reader.little16(start + 8), "the image data") & 0x3FFF
      picture = try size(width, height)
      isLossy = true
    }
  }
}
