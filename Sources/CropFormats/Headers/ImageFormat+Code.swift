import FoundationEssentials

// The code for each format: how to detect it, read its headers and edit its metadata.

extension ImageFormat {
  /// Detects the format of an image by the first bytes of its content; nothing else is read.
  ///
  /// - Throws: `CropError.empty`, `.unsupportedFormat`, `.unsupportedFeature` or `.corrupt` for
  ///   other content, and `.readFailed`.
  public init(contentOf source: ImageSource) throws(CropError) {
    guard source.byteCount > 0 else { throw .empty(file: source.name) }
    var inspection = Inspection(source, limits: Limits(), isLenient: true, page: 1)
    self = try inspection.format()
  }

  /// The file with other metadata; nil if its structure is invalid. JPEGs are handled elsewhere.
  func edited(_ file: Data, _ editor: FileEditor) -> Data? {
    switch self {
    case .jpeg: nil
    case .png: editor.png(file)
    case .webp: editor.webp(file)
    case .gif: editor.gif(file)
    case .tiff: editor.tiff(file)
    case .heic, .avif: editor.heif(file)
    case .jxl: editor.jpegXL(file)
    }
  }
}

extension Inspection {
  /// Reads the structure of a file of `format`.
  mutating func walk(_ format: ImageFormat) throws(CropError) -> ImageInfo {
    switch format {
    case .jpeg: try read(JPEGHeaderReader.self)
    case .png: try read(PNGHeaderReader.self)
    case .webp: try read(WebPHeaderReader.self)
    case .gif: try read(GIFHeaderReader.self)
    case .tiff: try read(TIFFHeaderReader.self)
    case .heic, .avif: try read(HEIFHeaderReader.self)
    case .jxl: try read(JPEGXLHeaderReader.self)
    }
  }

  private mutating func read<Header: HeaderReader>(
    _: Header.Type
  ) throws(CropError) -> ImageInfo {
    var header = try Header(self)
    defer { self = header.file }
    return try header.info()
  }
}

/// The format that the first bytes of a file indicate.
enum DetectedFormat: Equatable {
  case picture(ImageFormat)
  /// Another format; named if it is known.
  case other(String?)
  /// One of the formats, in a form that is not supported.
  case feature(String)
}

extension Inspection {
  /// The format, by content only.
  mutating func format() throws(CropError) -> ImageFormat {
    switch try sniff() {
    case .picture(let format): return format
    case .other(let found): throw .unsupportedFormat(file: name, found: found)
    case .feature(let feature): throw unsupported(feature)
    }
  }

  private mutating func sniff() throws(CropError) -> DetectedFormat {
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
    if starts([0xFF, 0x0A]) || holds("JXL ", at: 4) { return .picture(.jxl) }
    if holds("ftyp", at: 4) { return try sniffBrands() }
    return .other(Self.name(of: head))
  }

  /// Distinguishes HEIC, AVIF and their sequences from videos by the brands of the `ftyp` box.
  private mutating func sniffBrands() throws(CropError) -> DetectedFormat {
    let length = min(try reader.big32(0) ?? 0, 4096, reader.count)
    guard length >= 16, let box = try reader.bytes(0, length) else {
      throw corrupt("its first box is cut short")
    }
    var brands: [String] = []
    for offset in stride(from: 8, through: length - 4, by: 4) where offset != 12 {
      brands.append(String(decoding: box[offset..<offset + 4], as: UTF8.self))
    }
    switch brands[0] {
    // A sequence may have a primary image too; the header parser decides.
    case "avif", "avis": return .picture(.avif)
    case let brand where Self.hevcBrands.contains(brand): return .picture(.heic)
    case "crx ": return .feature("a camera raw file (CR3)")
    default: break
    }
    if brands.contains("avif") { return .picture(.avif) }
    // The items determine how the images are coded; the header parser decides.
    if brands.contains(where: Self.hevcBrands.union(Self.pictureBrands).contains) {
      return .picture(.heic)
    }
    return .other("a video or audio file (\(brands[0]))")
  }

  /// Brands of images and image sequences coded with HEVC.
  private static let hevcBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "msf1", "MiHB", "MiHE", "MiHA",
  ]
  /// Brands of images of any coding (ISO/IEC 23008-12, ISO/IEC 23000-22).
  private static let pictureBrands: Set<String> = ["mif1", "mif2", "miaf", "MiPr", "tmap"]

  private static let beginnings: [(text: String, name: String)] = [
    ("%PDF", "a PDF document"), ("%!PS", "a PostScript document"),
    ("<svg", "an SVG or XML document"), ("<?xml", "an SVG or XML document"),
    ("<!", "a web page"), ("<html", "a web page"), ("8BPS", "a Photoshop document"),
    ("BM", "a BMP image"), ("gimp xcf", "a GIMP image"), ("PK\u{3}\u{4}", "a ZIP archive"),
    ("RIFF", "a RIFF file that is not WebP"), ("FUJIFILM", "a camera raw file (RAF)"),
    ("FOVb", "a camera raw file (X3F)"), ("IIRO", "a camera raw file (ORF)"),
    ("IIU\0", "a camera raw file (RW2)"), ("#?RADIANCE", "a Radiance HDR image"),
    ("qoif", "a QOI image"), ("DDS ", "a DDS texture"), ("AT&TFORM", "a DjVu document"),
    ("/* XPM", "an XPM image"), ("farbfeld", "a farbfeld image"),
  ]

  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 codestream"),
    ([0, 0, 1, 0], "an icon (ICO)"), ([0, 0, 2, 0], "a cursor (CUR)"),
    ([0x76, 0x2F, 0x31, 0x01], "an OpenEXR image"), ([0x49, 0x49, 0xBC], "a JPEG XR image"),
    ([0x42, 0x50, 0x47, 0xFB], "a BPG image"), ([0x1F, 0x8B], "a gzip archive"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a video (Matroska or WebM)"), ([0x0A, 0x05, 1], "a PCX image"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an office document"),
  ]

  /// The names of other common formats, for error messages.
  private static func name(of head: [UInt8]) -> String? {
    func starts(_ text: String, at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    if starts("jP  ", at: 4) { return "a JPEG 2000 image" }
    if let kind = beginnings.first(where: { starts($0.text) }) { return kind.name }
    if let kind = signatures.first(where: { head.starts(with: $0.bytes) }) { return kind.name }
    if head.first == 0x50, head.count > 1, (0x31...0x37).contains(head[1]) {
      return "a PNM image"
    }
    let isText = head.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 10 || $0 == 13 || $0 == 9 }
    return isText ? "text" : nil
  }
}
