import CropCore

extension Inspection {
  /// Reads a GIF block by block, to the trailer.
  ///
  /// If the first frame extends beyond the canvas, it enlarges the canvas, as in decoders; later
  /// frames do not.
  mutating func gif() throws(CropError) -> ImageInfo {
    var width = try need(reader.little16(6), "the header")
    var height = try need(reader.little16(8), "the header")
    let flags = try need(reader.byte(10), "the header")
    var position = 13 + Self.tableSize(flags)
    var walk = GIFWalk()
    blocks: while true {
      try countPart()
      switch try reader.byte(position) {
      case 0x3B:
        if position + 1 < reader.count {
          kinds.insert(.trailer)
          trailerStart = position + 1
        }
        break blocks
      case 0x21: position = try gifExtension(at: position, &walk)
      case 0x2C:
        let left = try need(reader.little16(position + 1), "a frame header")
        let top = try need(reader.little16(position + 3), "a frame header")
        let across = try need(reader.little16(position + 5), "a frame header")
        let down = try need(reader.little16(position + 7), "a frame header")
        let flags = try need(reader.byte(position + 9), "a frame header")
        walk.frames += 1
        walk.durations.append(walk.delay)
        walk.delay = 0
        if walk.frames == 1 {
          (width, height) = (max(width, left + across), max(height, top + down))
          walk.isInterlaced = flags & 0x40 != 0
        }
        largestFrame = max(largestFrame, across * down)
        let data = position + 11 + Self.tableSize(flags)
        position = try reader.endOfBlocks(from: data) ?? reader.count
      case nil:
        guard walk.frames > 0 else { throw corrupt("it has no image data") }
        try truncated("the end mark is missing")
        break blocks
      default:
        guard walk.frames > 0 else { throw corrupt("a block is invalid") }
        try truncated("a block is invalid")
        break blocks
      }
    }
    guard walk.frames > 0 else { throw corrupt("it has no image data") }
    let size = try size(width, height)
    // Decoders hold the canvas and the previous frame, four bytes per pixel.
    memory = max(Self.product(size, bytes: 8), largestFrame * 4)
    var info = ImageInfo(format: .gif, byteCount: reader.count, stored: size)
    info.color = .palette
    info.hasAlpha = walk.isTransparent
    info.frameCount = walk.frames
    info.isProgressive = walk.isInterlaced
    info.profileName = try gifProfile().flatMap(ProfileName.read)
    info.frameDurations = walk.durations
    info.playCount = walk.playCount
    return info
  }

  /// The first ICC profile, if it is one for RGB colors.
  mutating func gifProfile() throws(CropError) -> [UInt8]? {
    guard let place = places.first(where: { $0.kind == .profile }),
      let profile = try bytes(of: place), profile.count >= 132,
      profile[16..<20].elementsEqual("RGB ".utf8), profile[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    return profile
  }

  /// The number of bytes of the color table that `flags` announces.
  private static func tableSize(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
  }

  private mutating func gifExtension(
    at position: Int, _ walk: inout GIFWalk
  ) throws(CropError) -> Int {
    switch try reader.byte(position + 1) {
    case 0xF9:
      if let flags = try reader.byte(position + 3), flags & 1 == 1 { walk.isTransparent = true }
      walk.delay = 10 * (try reader.little16(position + 4) ?? 0)
    case 0xFE:
      kinds.insert(.text)
      let end = try reader.endOfBlocks(from: position + 2) ?? reader.count
      places.append(
        MetadataPlace(kind: .comment, ranges: [position + 2..<end], isInBlocks: true))
    case 0xFF:
      let isNetscape = try reader.matches("NETSCAPE2.0", at: position + 3)
      let isOther = try reader.matches("ANIMEXTS1.0", at: position + 3)
      if isNetscape || isOther, try reader.little16(position + 14) == 0x0103,
        let again = try reader.little16(position + 16)
      {
        // The field counts repetitions, not plays.
        walk.playCount = again == 0 ? 0 : again + 1
      }
      if isNetscape || isOther { break }
      if try reader.matches("C2PA_GIF", at: position + 3) {
        kinds.insert(.credentials)
      } else if try reader.matches("XMP DataXMP", at: position + 3) {
        kinds.insert(.xmp)
        let start = position + 14
        let end = try reader.endOfBlocks(from: start) ?? reader.count
        // The packet is followed by 258 bytes that lead readers that parse it as sub-blocks to its
        // end.
        if start < end {
          places.append(MetadataPlace(kind: .xmp, ranges: [start..<end], padding: 258))
        }
      } else if try reader.matches("ICCRGBG1012", at: position + 3) {
        kinds.insert(.icc)
        let end = try reader.endOfBlocks(from: position + 14) ?? reader.count
        places.append(
          MetadataPlace(kind: .profile, ranges: [position + 14..<end], isInBlocks: true))
      } else {
        kinds.insert(.applicationData)
      }
    default: break
    }
    return try reader.endOfBlocks(from: position + 2) ?? reader.count
  }
}

extension ImageSource {
  /// The ICC profile of a source that is known to be a GIF; nil if it has none.
  ///
  /// - Throws: `CropError.readFailed`.
  package func gifProfile() throws(CropError) -> [UInt8]? {
    var inspection = try gifInspection()
    return try inspection.gifProfile()
  }

  /// The end of a source that is known to be a GIF, in bytes from the start of the file.
  ///
  /// - Throws: `CropError.readFailed`.
  package func gifEnd() throws(CropError) -> Int {
    try gifInspection().trailerStart ?? byteCount
  }

  private func gifInspection() throws(CropError) -> Inspection {
    var limits = Limits()
    (limits.pixels, limits.bytes, limits.memory) = (.max, .max, .max)
    var inspection = Inspection(self, limits: limits, isLenient: true)
    _ = try inspection.info()
    return inspection
  }
}

/// The state while reading a GIF.
private struct GIFWalk {
  var frames = 0
  /// The delay of the next frame, in milliseconds.
  var delay = 0
  var durations: [Int] = []
  var playCount = 1
  var isInterlaced = false
  var isTransparent = false
}
