import CropCore

/// Reads a PNG chunk by chunk, to IEND.
struct PNGHeaderReader: HeaderReader {
  var file: Inspection

  init(_ file: Inspection) { self.file = file }

  mutating func info() throws(CropError) -> ImageInfo {
    var info = try pngHeader()
    try checkSum(of: "IHDR", at: 8, end: 33)
    var position = 33
    var hasData = false
    var animation = PNGAnimation(canvas: info.stored)
    while true {
      try reader.countPart()
      guard let length = try reader.big32(position),
        let type = try reader.bytes(position + 4, 4)
      else {
        try file.truncated("the end chunk is missing")
        break
      }
      guard length < 1 << 31, type.allSatisfy(Self.isLetter) else {
        // Random bytes after the start of the data are typical of an incomplete copy.
        guard hasData else { throw corrupt("a chunk before the image data is invalid") }
        try file.truncated("a chunk is invalid")
        break
      }
      let name = String(decoding: type, as: UTF8.self)
      if name == "IDAT" { hasData = true }
      guard let end = reader.end(of: position, 12 + length) else {
        try file.truncated("the chunk \(name) reaches past the end")
        break
      }
      // The decoder checks the image data's checksums.
      if name != "IDAT", name != "fdAT" { try checkSum(of: name, at: position, end: end) }
      if name == "IEND" {
        guard hasData else { throw corrupt("it has no image data") }
        if end < reader.count { file.kinds.insert(.trailer) }
        break
      }
      switch name {
      case "acTL", "fcTL", "fdAT":
        try frameChunk(name, at: position + 8, length: length, hasData: hasData, &animation)
      default: try chunk(name, at: position + 8, length: length, &info)
      }
      position = end
    }
    guard hasData else { throw corrupt("it has no image data") }
    info.frameCount = try frameCount(animation)
    info.frameDurations = Array(animation.durations.prefix(info.frameCount))
    info.playCount = animation.playCount
    return info
  }

  /// Checks the checksum of a chunk between two offsets, in pieces.
  private mutating func checkSum(
    of name: String, at start: Int, end: Int
  ) throws(CropError) {
    guard !file.isSummary else { return }
    var sum: UInt32 = 0
    var position = start + 4
    while position < end - 4 {
      let piece = try need(reader.bytes(position, min(1 << 16, end - 4 - position)), name)
      sum = CRC32.checksum(of: piece, after: sum)
      position += piece.count
    }
    guard try reader.big32(end - 4) != Int(sum) else { return }
    let words = "the chunk \(name) has a wrong checksum"
    guard file.isLenient else { throw corrupt(words) }
    file.warn(.damaged(words))
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
    guard width < 1 << 31, height < 1 << 31 else { throw corrupt("its size is invalid") }
    let size = try size(width, height)
    let depths: [Int]
    let channels: Int
    switch kind {
    case 0: (depths, channels) = ([1, 2, 4, 8, 16], 1)
    case 2: (depths, channels) = ([8, 16], 3)
    case 3: (depths, channels) = ([1, 2, 4, 8], 1)
    case 4: (depths, channels) = ([8, 16], 2)
    case 6: (depths, channels) = ([8, 16], 4)
    default: throw corrupt("its color type \(kind) is invalid")
    }
    guard depths.contains(depth), compression == 0, filter == 0, interlace <= 1 else {
      throw corrupt("its header is invalid")
    }
    if interlace == 1 {
      // A palette is decoded to colors.
      let samples = kind == 3 ? 4 : channels
      file.memory = Inspection.product(size, bytes: samples * (depth == 16 ? 2 : 1))
    }
    var info = ImageInfo(format: .png, byteCount: reader.count, stored: size)
    info.bitDepth = depth
    info.color = kind == 3 ? .palette : kind & 2 == 0 ? .gray : .rgb
    info.hasAlpha = kind & 4 != 0
    info.isProgressive = interlace == 1
    return info
  }

  private mutating func chunk(
    _ name: String, at start: Int, length: Int, _ info: inout ImageInfo
  ) throws(CropError) {
    switch name {
    case "IHDR": throw corrupt("it has two headers")
    case "tRNS": info.hasAlpha = true
    case "cICP", "sRGB", "gAMA", "cHRM":
      try color(name, at: start, length: length, &info.colorCoding)
    case "pHYs" where try reader.byte(start + 8) == 1 && length >= 9:
      file.density = PixelDensity(
        try reader.big32(start).map(Double.init), try reader.big32(start + 4).map(Double.init),
        inches: PixelDensity.meter)
    case "eXIf":
      file.note(.exif, at: start, length: length)
      let isFirst = !file.kinds.contains(.exif)
      let orientation = try file.exif(base: start, length: length)
      if isFirst, let orientation { info.lay(orientation) }
    case "iCCP":
      file.kinds.insert(.icc)
      // The profile is compressed; its name is before it.
      let head = try reader.bytes(start, min(length, 80)) ?? []
      info.profileName = ProfileName.clean(
        String(decoding: head.prefix { $0 != 0 }, as: UTF8.self))
    case "caBX": file.kinds.insert(.credentials)
    case "iTXt", "zTXt", "tEXt":
      file.note(.chunk(name), at: start, length: length)
      let head = try reader.bytes(start, min(length, 80)) ?? []
      switch String(decoding: head.prefix { $0 != 0 }, as: UTF8.self) {
      case "XML:com.adobe.xmp", "Raw profile type xmp": file.kinds.insert(.xmp)
      case "Raw profile type exif", "Raw profile type APP1": file.kinds.insert(.exif)
      case "Raw profile type iptc", "Raw profile type 8bim": file.kinds.insert(.photoshop)
      case "Raw profile type icc", "Raw profile type icm": file.kinds.insert(.icc)
      default: file.kinds.insert(.text)
      }
    case "tIME", "bKGD", "sPLT", "hIST", "sBIT", "pHYs", "oFFs", "pCAL", "sCAL", "gIFg", "gIFx",
      "gIFt", "sTER", "dSIG", "vpAg", "caNv", "orNT", "iDOT", "mDCV", "mDCv", "cLLI", "cLLi":
      break
    default:
      // A lowercase first letter marks a chunk that is not required to show the image.
      if name.first?.isLowercase == true { file.kinds.insert(.applicationData) }
    }
  }

  /// Reads a chunk about colors: code points count before sRGB, which counts before
  /// measured numbers (PNG, third edition, 4.3).
  private mutating func color(
    _ name: String, at start: Int, length: Int, _ coding: inout ColorCoding?
  ) throws(CropError) {
    if case .codePoints = coding { return }
    var measured: MeasuredColor
    switch (name, coding) {
    case ("cICP", _) where length >= 4:
      let numbers = try reader.bytes(start, 4) ?? [2, 2, 0, 1]
      coding = .codePoints(
        ColorCodePoints(
          primaries: Int(numbers[0]), transfer: Int(numbers[1]), matrix: Int(numbers[2]),
          isFullRange: numbers[3] != 0))
      return
    case ("sRGB", _):
      coding = .sRGB
      return
    case (_, .sRGB): return
    case (_, .measured(let color)): measured = color
    default: measured = MeasuredColor()
    }
    if name == "gAMA", let value = try reader.big32(start), length >= 4, value > 0 {
      measured.gamma = Double(value) / 100_000
      coding = .measured(measured)
    } else if name == "cHRM", length >= 32 {
      var places: [ColorPrimaries.Chromaticity] = []
      for i in 0..<4 {
        let x = try reader.big32(start + 8 * i) ?? 0
        let y = try reader.big32(start + 8 * i + 4) ?? 0
        places.append(.init(x: Double(x) / 100_000, y: Double(y) / 100_000))
      }
      measured.primaries = ColorPrimaries(
        white: places[0], red: places[1], green: places[2], blue: places[3])
      coding = .measured(measured)
    }
  }
}

extension ImageInfo {
  /// Sets the orientation of the stored pixels and the displayed size.
  mutating func lay(_ orientation: Orientation) {
    self.orientation = orientation
    shown = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored).target
  }
}
