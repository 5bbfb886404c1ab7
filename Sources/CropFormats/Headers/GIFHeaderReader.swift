import CropCore

/// Reads a GIF block by block, to the trailer.
struct GIFHeaderReader: HeaderReader {
  var file: Inspection
  private var frames = 0
  /// The delay of the next frame, in milliseconds.
  private var delay = 0
  private var durations: [Int] = []
  private var playCount = 1
  private var isInterlaced = false
  private var isTransparent = false

  init(_ file: Inspection) { self.file = file }

  /// If the first frame extends beyond the canvas, it enlarges the canvas, as in decoders; later
  /// frames do not.
  mutating func info() throws(CropError) -> ImageInfo {
    var width = try need(reader.little16(6), "the header")
    var height = try need(reader.little16(8), "the header")
    let flags = try need(reader.byte(10), "the header")
    var position = 13 + Self.tableSize(flags)
    blocks: while true {
      try reader.countPart()
      switch try reader.byte(position) {
      case 0x3B:
        if position + 1 < reader.count {
          file.kinds.insert(.trailer)
          file.trailerStart = position + 1
        }
        break blocks
      case 0x21: position = try gifExtension(at: position)
      case 0x2C:
        let left = try need(reader.little16(position + 1), "a frame header")
        let top = try need(reader.little16(position + 3), "a frame header")
        let across = try need(reader.little16(position + 5), "a frame header")
        let down = try need(reader.little16(position + 7), "a frame header")
        let flags = try need(reader.byte(position + 9), "a frame header")
        frames += 1
        durations.append(delay)
        delay = 0
        if frames == 1 {
          (width, height) = (max(width, left + across), max(height, top + down))
          isInterlaced = flags & 0x40 != 0
        }
        file.largestFrame = max(file.largestFrame, across * down)
        let data = position + 11 + Self.tableSize(flags)
        position = try reader.endOfBlocks(from: data) ?? reader.count
      case nil:
        guard frames > 0 else { throw corrupt("it has no image data") }
        try file.truncated("the end mark is missing")
        break blocks
      default:
        guard frames > 0 else { throw corrupt("a block is invalid") }
        try file.truncated("a block is invalid")
        break blocks
      }
    }
    guard frames > 0 else { throw corrupt("it has no image data") }
    let size = try size(width, height)
    // Decoders hold the canvas and the previous frame, four bytes per pixel.
    file.memory = max(Inspection.product(size, bytes: 8), file.largestFrame * 4)
    var info = ImageInfo(format: .gif, byteCount: reader.count, stored: size)
    info.color = .palette
    info.hasAlpha = isTransparent
    info.frameCount = frames
    info.isProgressive = isInterlaced
    info.profileName = try file.gifProfile().flatMap(ProfileName.read)
    info.frameDurations = durations
    info.playCount = playCount
    return info
  }

  /// The number of bytes of the color table that `flags` announces.
  private static func tableSize(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
  }

  /// Reads an extension block, and returns its end.
  private mutating func gifExtension(at position: Int) throws(CropError) -> Int {
    switch try reader.byte(position + 1) {
    case 0xF9:
      if let flags = try reader.byte(position + 3), flags & 1 == 1 { isTransparent = true }
      delay = 10 * (try reader.little16(position + 4) ?? 0)
    case 0xFE:
      file.kinds.insert(.text)
      let end = try reader.endOfBlocks(from: position + 2) ?? reader.count
      file.places.append(
        MetadataPlace(kind: .comment, ranges: [position + 2..<end], isInBlocks: true))
    case 0xFF:
      let isNetscape = try reader.matches("NETSCAPE2.0", at: position + 3)
      let isOther = try reader.matches("ANIMEXTS1.0", at: position + 3)
      if isNetscape || isOther, try reader.little16(position + 14) == 0x0103,
        let again = try reader.little16(position + 16)
      {
        // The field counts repetitions, not plays.
        playCount = again == 0 ? 0 : again + 1
      }
      if isNetscape || isOther { break }
      if try reader.matches("C2PA_GIF", at: position + 3) {
        file.kinds.insert(.credentials)
      } else if try reader.matches("XMP DataXMP", at: position + 3) {
        file.kinds.insert(.xmp)
        let start = position + 14
        let end = try reader.endOfBlocks(from: start) ?? reader.count
        // The packet is followed by 258 bytes that lead readers that parse it as sub-blocks to its
        // end.
        if start < end {
          file.places.append(MetadataPlace(kind: .xmp, ranges: [start..<end], padding: 258))
        }
      } else if try reader.matches("ICCRGBG1012", at: position + 3) {
        file.kinds.insert(.icc)
        let end = try reader.endOfBlocks(from: position + 14) ?? reader.count
        file.places.append(
          MetadataPlace(kind: .profile, ranges: [position + 14..<end], isInBlocks: true))
      } else {
        file.kinds.insert(.applicationData)
      }
    default: break
    }
    return try reader.endOfBlocks(from: position + 2) ?? reader.count
  }
}

extension Inspection {
  /// The first ICC profile, if it is one for RGB colors.
  mutating func gifProfile() throws(CropError) -> [UInt8]? {
    guard let place = places.first(where: { $0.kind == .profile }),
      let profile = try bytes(of: place), profile.count >= 132,
      profile[16..<20].elementsEqual("RGB ".utf8), profile[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    return profile
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
    var inspection = Inspection(self, limits: .unlimited(), isLenient: true)
    _ = try inspection.info()
    return inspection
  }
}
