import CropCore
import FoundationEssentials

/// Reads the boxes of a JPEG XL (ISO/IEC 18181-2), if it has any, and the headers of its
/// codestream (ISO/IEC 18181-1, annex D).
///
/// The codestream does not state its length, so only the decoder detects that it is truncated.
struct JPEGXLHeaderReader: HeaderReader {
  var file: Inspection
  /// The start of the codestream.
  private var codestream: [UInt8] = []
  /// Whether the file contains the data to restore the original JPEG.
  private var isFromJPEG = false

  /// The most bytes that are read as headers; names of extra channels are the longest part of them.
  private static let mostHeader = 4096
  /// The largest decompressed metadata block, in bytes.
  private static let mostMetadata = PictureReader.longestRun

  init(_ file: Inspection) { self.file = file }

  mutating func info() throws(CropError) -> ImageInfo {
    if try reader.byte(0) == 0xFF {
      codestream = try reader.bytes(0, min(reader.count, Self.mostHeader)) ?? []
    } else {
      try readBoxes()
    }
    let header: JPEGXLHeader
    do throws(JPEGXLBits.Failure) {
      header = try JPEGXLHeader(codestream)
    } catch {
      switch error {
      case .isShort: throw corrupt("it ends inside its header")
      case .isWrong(let words): throw corrupt(words)
      }
    }
    if let feature = header.unsupported { throw unsupported("a JPEG XL \(feature)") }
    if header.hasProfile { file.kinds.insert(.icc) }
    if header.hasPreview { file.kinds.insert(.preview) }
    file.isCodedExactly = !header.isLossy && !isFromJPEG
    var info = ImageInfo(
      format: .jxl, byteCount: reader.count, stored: try size(header.width, header.height),
      orientation: header.orientation)
    info.bitDepth = header.bitDepth
    info.color = header.isGray ? .gray : .rgb
    info.hasAlpha = header.hasAlpha
    info.colorCoding = header.colorCoding
    return info
  }

  private mutating func readBoxes() throws(CropError) {
    var hasEnd = false
    for box in try reader.boxes(from: 0, to: reader.count) {
      try reader.countPart()
      if box.isCut { try file.truncated("a box reaches past the end") }
      switch box.type {
      case "jxlc":
        try append(box.start..<box.end)
        hasEnd = true
      case "jxlp":
        // A leading number; its first bit marks the last part.
        let number = try need(reader.big32(box.start), "a part of the image")
        try append(min(box.start + 4, box.end)..<box.end)
        hasEnd = hasEnd || number >= 1 << 31
      case "brob":
        let inner = try reader.bytes(box.start, 4) ?? []
        let type = String(decoding: inner, as: UTF8.self)
        guard ["Exif", "xml "].contains(type) else { try note(type, box, content: nil); break }
        let packed = try reader.bytes(box.start + 4, max(0, box.end - box.start - 4)) ?? []
        try note(type, box, content: Brotli.unpacked(packed, most: Self.mostMetadata))
      case "jbrd":
        isFromJPEG = true
        file.kinds.insert(.originalJPEG)
      case "JXL ", "ftyp", "jxll", "jxli", "free", "skip", "": break
      default: try note(box.type, box, content: nil)
      }
    }
    guard !codestream.isEmpty else { throw corrupt("it has no image data") }
    if !hasEnd { try file.truncated("the last part of its image is missing") }
  }

  private mutating func append(_ range: Range<Int>) throws(CropError) {
    let count = min(range.count, Self.mostHeader - codestream.count)
    if count > 0 { codestream += try reader.bytes(range.lowerBound, count) ?? [] }
  }

  /// Records a metadata box; `content` is its decompressed content, nil if the box is not
  /// compressed.
  private mutating func note(
    _ type: String, _ box: HEIFBox, content: [UInt8]?
  ) throws(CropError) {
    let isPacked = box.type == "brob"
    switch type {
    case "Exif":
      file.kinds.insert(.exif)
      if let content {
        try noteExif(content)
      } else if isPacked {
        // Unreadable metadata may contain a location.
        file.kinds.insert(.location)
      } else if let skipped = try reader.big32(box.start), skipped < box.end - box.start - 4 {
        let start = box.start + 4 + skipped
        file.note(.exif, at: start, length: box.end - start)
        _ = try file.exif(base: start, length: box.end - start)
      }
    case "xml ":
      file.kinds.insert(.xmp)
      if isPacked {
        file.blocks.xmp = file.blocks.xmp ?? content
      } else {
        file.note(.xmp, at: box.start, length: box.end - box.start)
      }
    case "jumb": file.kinds.insert(.credentials)
    case "jhgm": file.kinds.insert(.gainMap)
    default: file.kinds.insert(.applicationData)
    }
  }

  /// Records decompressed EXIF: four bytes with the offset of the block, then the block.
  private mutating func noteExif(_ content: [UInt8]) throws(CropError) {
    guard let skipped = content.number(0, size: 4, order: .big), skipped < content.count - 4 else {
      return
    }
    let block = Array(content[(4 + skipped)...])
    var inner = Inspection(
      ImageSource(bytes: Data(block), name: name), limits: file.limits, isLenient: true,
      isSummary: file.isSummary)
    _ = try inner.exif(base: 0, length: block.count)
    file.kinds.formUnion(inner.kinds)
    file.density = file.density ?? inner.density
    file.captured = file.captured ?? inner.captured
    file.blocks.exif = file.blocks.exif ?? block
  }
}

/// The headers of a codestream: `SizeHeader` and `ImageMetadata` (ISO/IEC 18181-1:2024, D.2 and D.3).
private struct JPEGXLHeader {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var orientation = Orientation.up
  private(set) var bitDepth = 8
  private(set) var hasAlpha = false
  private(set) var isGray = false
  /// Whether colors are coded in a perceptual space (XYB), which is lossy.
  private(set) var isLossy = true
  private(set) var hasProfile = false
  private(set) var hasPreview = false
  private(set) var colorCoding: ColorCoding? = .sRGB
  /// The unsupported feature of the image, in words that follow "a JPEG XL".
  private(set) var unsupported: String?

  init(_ bytes: [UInt8]) throws(JPEGXLBits.Failure) {
    var bits = JPEGXLBits(bytes)
    guard try bits.number(16) == 0x0AFF else { throw .isWrong("its image data is invalid") }
    (width, height) = try bits.size()
    // All defaults: sRGB of 8 bits, lossy.
    guard try !bits.flag() else { return }
    let hasMore = try bits.flag()
    if hasMore { try readExtras(&bits) }
    guard unsupported == nil else { return }
    if let depth = try Self.depth(&bits) {
      bitDepth = depth
      if depth > 16 { unsupported = "with more than 16 bits per channel" }
    } else {
      unsupported = "with floating-point samples"
    }
    _ = try bits.flag()
    let count = try bits.choice((0, 0), (1, 0), (2, 4), (1, 12))
    for _ in 0..<count where unsupported == nil { try readChannel(&bits) }
    guard unsupported == nil else { return }
    isLossy = try bits.flag()
    try readColors(&bits)
  }

  private mutating func readExtras(_ bits: inout JPEGXLBits) throws(JPEGXLBits.Failure) {
    orientation = Orientation(rawValue: try bits.number(3) + 1) ?? .up
    // The intrinsic size does not affect the pixels.
    if try bits.flag() { _ = try bits.size() }
    if try bits.flag() {
      hasPreview = true
      try bits.skipPreviewSize()
    }
    // libvips 8.14 shows the last frame of all.
    if try bits.flag() { unsupported = "animation" }
  }

  /// The bits per channel; nil for floating-point samples.
  private static func depth(_ bits: inout JPEGXLBits) throws(JPEGXLBits.Failure) -> Int? {
    if try bits.flag() {
      _ = try bits.choice((32, 0), (16, 0), (24, 0), (1, 6))
      _ = try bits.number(4)
      return nil
    }
    return try bits.choice((8, 0), (10, 0), (12, 0), (1, 6))
  }

  private mutating func readChannel(_ bits: inout JPEGXLBits) throws(JPEGXLBits.Failure) {
    var kind = 0
    if try !bits.flag() {
      kind = try bits.kind()
      _ = try Self.depth(&bits)
      _ = try bits.choice((0, 0), (3, 0), (4, 0), (1, 3))
      let name = try bits.choice((0, 0), (0, 4), (16, 5), (48, 10))
      try bits.skip(8 * name)
      // libvips would treat premultiplied colors as straight ones.
      if kind == 0, try bits.flag() { unsupported = "with premultiplied alpha" }
    }
    if kind != 0 || hasAlpha {
      unsupported = kind == 4 ? "in CMYK" : "with extra channels"
    }
    hasAlpha = true
  }

  private mutating func readColors(_ bits: inout JPEGXLBits) throws(JPEGXLBits.Failure) {
    guard try !bits.flag() else { return }
    hasProfile = try bits.flag()
    let space = try bits.kind()
    isGray = space == 1
    colorCoding = nil
    // The profile is compressed after the headers. Color space 2 is XYB, 3 is unknown.
    guard !hasProfile, space <= 1 else { return }
    let white = try bits.kind()
    var place = ColorPrimaries.sRGB.white
    if white == 2 { place = try bits.chromaticity() }
    var measured: ColorPrimaries?
    var primaries = 1
    if !isGray {
      primaries = try bits.kind()
      if primaries == 2 {
        let red = try bits.chromaticity(), green = try bits.chromaticity()
        measured = ColorPrimaries(
          white: place, red: red, green: green, blue: try bits.chromaticity())
      }
    }
    let gamma = try bits.flag() ? Double(bits.number(24)) / 1e7 : nil
    let transfer = gamma == nil ? try bits.kind() : 0
    // Numbers of ITU-T H.273, except for P3, which has two white points there. The decoder's
    // profile is for other values.
    let codes = [1: 1, 9: 9, 11: 12]
    if white == 1, let code = codes[primaries], gamma == nil, [1, 8, 13, 16, 18].contains(transfer)
    {
      colorCoding = .codePoints(
        ColorCodePoints(primaries: code, transfer: transfer, matrix: 0, isFullRange: true))
    } else if transfer == 13 || gamma.map({ $0 > 0 }) == true, white == 1 || white == 2,
      var own = measured ?? codes[primaries].flatMap(ColorPrimaries.init(codePoint:))
    {
      own.white = place
      colorCoding = .measured(MeasuredColor(gamma: gamma, primaries: own))
    }
  }
}

/// Reads the fields of a codestream's headers, least significant bit first (ISO/IEC 18181-1, annex
/// B).
private struct JPEGXLBits {
  enum Failure: Error {
    case isShort
    case isWrong(String)
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// An unsigned number of `count` bits, 0 to 32.
  mutating func number(_ count: Int) throws(Failure) -> Int {
    guard position + count <= 8 * bytes.count else { throw .isShort }
    var value = 0
    for bit in 0..<count {
      value |= Int(bytes[position / 8] >> UInt8(position % 8) & 1) << bit
      position += 1
    }
    return value
  }

  mutating func flag() throws(Failure) -> Bool { try number(1) == 1 }

  mutating func skip(_ count: Int) throws(Failure) {
    guard count <= 8 * bytes.count - position else { throw .isShort }
    position += count
  }

  /// Reads a number in one of four encodings, `U32`: a constant plus a number of bits.
  mutating func choice(
    _ ways: (Int, Int), _ second: (Int, Int), _ third: (Int, Int), _ fourth: (Int, Int)
  ) throws(Failure) -> Int {
    let way = [ways, second, third, fourth][try number(2)]
    return try way.0 + number(way.1)
  }

  /// Reads an `Enum`.
  mutating func kind() throws(Failure) -> Int { try choice((0, 0), (1, 0), (2, 4), (18, 6)) }

  mutating func size() throws(Failure) -> (width: Int, height: Int) {
    let isSmall = try flag()
    func side(_ bits: inout Self) throws(Failure) -> Int {
      isSmall
        ? try 8 * (bits.number(5) + 1) : try bits.choice((1, 9), (1, 13), (1, 18), (1, 30))
    }
    let height = try side(&self)
    let ratio = try ratio(of: height)
    if let ratio { return (ratio, height) }
    return (try side(&self), height)
  }

  mutating func skipPreviewSize() throws(Failure) {
    let isSmall = try flag()
    func side(_ bits: inout Self) throws(Failure) -> Int {
      isSmall
        ? try 8 * bits.choice((16, 0), (32, 0), (1, 5), (33, 9))
        : try bits.choice((1, 6), (65, 8), (321, 10), (1345, 12))
    }
    let height = try side(&self)
    if try ratio(of: height) == nil { _ = try side(&self) }
  }

  /// The width by one of seven ratios; nil if the width follows.
  private mutating func ratio(of height: Int) throws(Failure) -> Int? {
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let number = try number(3)
    guard number > 0 else { return nil }
    return height * ratios[number - 1].0 / ratios[number - 1].1
  }

  /// Reads a `Customxy`: a chromaticity, in millionths.
  mutating func chromaticity() throws(Failure) -> ColorPrimaries.Chromaticity {
    func number(_ bits: inout Self) throws(Failure) -> Double {
      let packed = try bits.choice(
        (0, 19), (524_288, 19), (1_048_576, 20), (2_097_152, 21))
      return Double(packed % 2 == 0 ? packed / 2 : -(packed + 1) / 2) / 1e6
    }
    return ColorPrimaries.Chromaticity(x: try number(&self), y: try number(&self))
  }
}
