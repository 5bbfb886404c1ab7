import CropCore

extension Inspection {
  /// Walks a PNG from chunk to chunk to IEND.
  mutating func png() throws(CropError) -> ImageInfo {
    var info = try pngHeader()
    var position = 33
    var hasData = false
    while true {
      try countPart()
      guard let length = try reader.big32(position),
        let type = try reader.bytes(position + 4, 4)
      else {
        try truncated("the end chunk is missing")
        break
      }
      guard length < 1 << 31, type.allSatisfy(Self.isLetter) else {
        // Random bytes after the start of the data are what a torn copy looks like.
        guard hasData else { throw corrupt("a chunk before the picture data can't be") }
        try truncated("a chunk is no chunk")
        break
      }
      let name = String(decoding: type, as: UTF8.self)
      if name == "IDAT" { hasData = true }
      guard let end = reader.end(of: position, 12 + length) else {
        try truncated("the chunk \(name) reaches past the end")
        break
      }
      if name == "IEND" {
        guard hasData else { throw corrupt("it has no picture data") }
        if end < reader.count { kinds.insert(.trailer) }
        break
      }
      try chunk(name, at: position + 8, length: length, &info)
      position = end
    }
    guard hasData else { throw corrupt("it has no picture data") }
    return info
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private mutating func pngHeader() throws(CropError) -> ImageInfo {
    if try reader.matches("CgBI", at: 12) { throw unsupported("a PNG in Apple's private form") }
    guard try reader.big32(8) == 13, try reader.matches("IHDR", at: 12) else {
      throw corrupt("it does not start with its header")
    }
    let width = try need(reader.big32(16), "the header")
    let height = try need(reader.big32(20), "the header")
    let depth = try need(reader.byte(24), "the header")
    let kind = try need(reader.byte(25), "the header")
    let compression = try need(reader.byte(26), "the header")
    let filter = try need(reader.byte(27), "the header")
    let interlace = try need(reader.byte(28), "the header")
    _ = try need(reader.big32(29), "the header")
    guard width < 1 << 31, height < 1 << 31 else { throw corrupt("its size can't be") }
    let size = try size(width, height)
    let depths: [Int]
    let channels: Int
    switch kind {
    case 0: (depths, channels) = ([1, 2, 4, 8, 16], 1)
    case 2: (depths, channels) = ([8, 16], 3)
    case 3: (depths, channels) = ([1, 2, 4, 8], 1)
    case 4: (depths, channels) = ([8, 16], 2)
    case 6: (depths, channels) = ([8, 16], 4)
    default: throw corrupt("its colour type \(kind) can't be")
    }
    guard depths.contains(depth), compression == 0, filter == 0, interlace <= 1 else {
      throw corrupt("its header can't be")
    }
    if interlace == 1 {
      // A palette is read as colours.
      let samples = kind == 3 ? 4 : channels
      memory = Self.product(size, bytes: samples * (depth == 16 ? 2 : 1))
    }
    return ImageInfo(
      format: .png, byteCount: reader.count, stored: size, bitDepth: depth,
      color: kind == 3 ? .palette : kind & 2 == 0 ? .gray : .rgb, hasAlpha: kind & 4 != 0,
      isProgressive: interlace == 1)
  }

  private mutating func chunk(
    _ name: String, at start: Int, length: Int, _ info: inout ImageInfo
  ) throws(CropError) {
    switch name {
    case "IHDR": throw corrupt("it has two headers")
    case "tRNS": info.hasAlpha = true
    case "acTL": info.frameCount = max(1, try reader.big32(start) ?? 1)
    case "eXIf":
      let isFirst = !kinds.contains(.exif)
      let orientation = try exif(base: start, length: length)
      if isFirst, let orientation { info.lay(orientation) }
    case "iCCP":
      kinds.insert(.icc)
      // The profile is compressed; its name is before it.
      let head = try reader.bytes(start, min(length, 80)) ?? []
      info.profileName = ProfileName.clean(
        String(decoding: head.prefix { $0 != 0 }, as: UTF8.self))
    case "caBX": kinds.insert(.credentials)
    case "iTXt", "zTXt", "tEXt":
      let head = try reader.bytes(start, min(length, 80)) ?? []
      switch String(decoding: head.prefix { $0 != 0 }, as: UTF8.self) {
      case "XML:com.adobe.xmp", "Raw profile type xmp": kinds.insert(.xmp)
      case "Raw profile type exif", "Raw profile type APP1": kinds.insert(.exif)
      case "Raw profile type iptc", "Raw profile type 8bim": kinds.insert(.photoshop)
      case "Raw profile type icc", "Raw profile type icm": kinds.insert(.icc)
      default: kinds.insert(.text)
      }
    default: break
    }
  }
}

extension ImageInfo {
  /// Sets how the stored pixels are laid down, and the size that is shown with it.
  mutating func lay(_ orientation: Orientation) {
    self.orientation = orientation
    shown = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored).target
  }
}
