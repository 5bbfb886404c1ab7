/// What the first bytes of a file say it is.
enum Sniffed: Equatable {
  case picture(PictureFormat)
  /// Not one of the formats; named where it is known.
  case other(String?)
  /// One of the formats, in a form that is not supported.
  case feature(String)
}

extension Inspection {
  /// Tells the format by content alone.
  mutating func sniff() throws(CropError) -> Sniffed {
    let head = try reader.bytes(0, min(reader.count, 16)) ?? []
    func starts(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
    func holds(_ text: String, at offset: Int) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    if starts([0xFF, 0xD8, 0xFF]) { return .picture(.jpeg) }
    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .picture(.png) }
    if holds("RIFF", at: 0), holds("WEBP", at: 8) { return .picture(.webp) }
    if holds("GIF87a", at: 0) || holds("GIF89a", at: 0) { return .picture(.gif) }
    if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A])
      || starts([0x49, 0x49, 0x2B, 0]) || starts([0x4D, 0x4D, 0, 0x2B])
    {
      return holds("CR", at: 8) ? .feature("a camera raw file (CR2)") : .picture(.tiff)
    }
    if holds("ftyp", at: 4) { return try sniffBrands() }
    return .other(Self.name(of: head))
  }

  /// Tells HEIC, AVIF and their sequences from videos by the brands of the `ftyp` box.
  private mutating func sniffBrands() throws(CropError) -> Sniffed {
    let length = min(try reader.big32(0) ?? 0, 4096, reader.count)
    guard length >= 16, let box = try reader.bytes(0, length) else {
      throw corrupt("its first box is cut short")
    }
    var brands: [String] = []
    for offset in stride(from: 8, through: length - 4, by: 4) where offset != 12 {
      brands.append(String(decoding: box[offset..<offset + 4], as: UTF8.self))
    }
    switch brands[0] {
    // A sequence may have a main picture too; see the walker.
    case "avif", "avis": return .picture(.avif)
    case let brand where Self.hevcBrands.contains(brand): return .picture(.heic)
    case "crx ": return .feature("a camera raw file (CR3)")
    default: break
    }
    if brands.contains("avif") { return .picture(.avif) }
    // The items say how the pictures are coded; see the walker.
    if brands.contains(where: Self.hevcBrands.union(Self.pictureBrands).contains) {
      return .picture(.heic)
    }
    return .other("a video or audio file (\(brands[0]))")
  }

  /// Pictures and sequences of them, coded with HEVC.
  private static let hevcBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "msf1", "MiHB", "MiHE", "MiHA",
  ]
  /// Pictures of any coding (ISO/IEC 23008-12, ISO/IEC 23000-22).
  private static let pictureBrands: Set<String> = ["mif1", "mif2", "miaf", "MiPr", "tmap"]

  private static let beginnings: [(text: String, name: String)] = [
    ("%PDF", "a PDF document"), ("%!PS", "a PostScript document"),
    ("<svg", "an SVG or XML document"), ("<?xml", "an SVG or XML document"),
    ("<!", "a web page"), ("<html", "a web page"), ("8BPS", "a Photoshop document"),
    ("BM", "a BMP picture"), ("gimp xcf", "a GIMP picture"), ("PK\u{3}\u{4}", "a ZIP archive"),
    ("RIFF", "a RIFF file that is not WebP"), ("FUJIFILM", "a camera raw file (RAF)"),
    ("FOVb", "a camera raw file (X3F)"), ("IIRO", "a camera raw file (ORF)"),
    ("IIU\0", "a camera raw file (RW2)"), ("#?RADIANCE", "a Radiance HDR picture"),
    ("qoif", "a QOI picture"), ("DDS ", "a DDS texture"), ("AT&TFORM", "a DjVu document"),
    ("/* XPM", "an XPM picture"), ("farbfeld", "a farbfeld picture"),
  ]

  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0xFF, 0x0A], "a JPEG XL picture"), ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 codestream"),
    ([0, 0, 1, 0], "an icon (ICO)"), ([0, 0, 2, 0], "a cursor (CUR)"),
    ([0x76, 0x2F, 0x31, 0x01], "an OpenEXR picture"), ([0x49, 0x49, 0xBC], "a JPEG XR picture"),
    ([0x42, 0x50, 0x47, 0xFB], "a BPG picture"), ([0x1F, 0x8B], "a gzip archive"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a video (Matroska or WebM)"), ([0x0A, 0x05, 1], "a PCX picture"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an office document"),
  ]

  /// What else people have lying about, so that they know what they chose.
  private static func name(of head: [UInt8]) -> String? {
    func starts(_ text: String, at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    if starts("jP  ", at: 4) { return "a JPEG 2000 picture" }
    if starts("JXL ", at: 4) { return "a JPEG XL picture" }
    if let kind = beginnings.first(where: { starts($0.text) }) { return kind.name }
    if let kind = signatures.first(where: { head.starts(with: $0.bytes) }) { return kind.name }
    if head.first == 0x50, head.count > 1, (0x31...0x37).contains(head[1]) {
      return "a PNM picture"
    }
    let isText = head.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 10 || $0 == 13 || $0 == 9 }
    return isText ? "text" : nil
  }
}
