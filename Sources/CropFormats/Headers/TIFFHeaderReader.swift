import CropCore

/// Walks the chain of directories of a TIFF.
struct TIFFHeaderReader: HeaderReader {
  var file: Inspection
  private let structure: TIFFStructure
  private typealias Directory = TIFFStructure.Directory

  init(_ file: Inspection) throws(CropError) {
    self.file = file
    guard let structure = try TIFFStructure(&self.file.reader, base: 0, length: file.reader.count)
    else { throw file.corrupt("its header is invalid") }
    self.structure = structure
  }

  /// The largest number of pages; a longer chain counts as damage.
  private static var mostPages: Int { 10_000 }
  /// The largest number of fields in all directories, which may overlap.
  private static var mostFields: Int { 1 << 20 }
  /// The largest number of strips and tiles whose positions are checked; the decoder checks the
  /// rest.
  private static var mostPieces: Int { 1 << 20 }

  /// Walks the chain of directories of a TIFF and checks that all strips and tiles are in the file.
  mutating func info() throws(CropError) -> ImageInfo {
    var seen: Set<Int> = []
    var offset = structure.firstDirectory
    var info: ImageInfo?
    var pieces = Self.mostPieces
    var fields = 0
    while offset != 0 {
      guard seen.insert(offset).inserted else {
        file.warn(.pagesInCircle(count: seen.count))
        break
      }
      guard seen.count <= Self.mostPages else {
        throw corrupt("it has more than \(Self.mostPages) pages")
      }
      guard let directory = try structure.directory(offset, &file.reader) else {
        guard info != nil || seen.count > 1 else { throw corrupt("it ends before its directory") }
        try file.truncated("page \(seen.count) reaches past the end")
        break
      }
      try checkPieces(directory, page: seen.count, &pieces)
      fields += directory.fields.count
      guard fields <= Self.mostFields else { throw corrupt("its directories are too long") }
      if seen.count == file.page { info = try readPage(directory) }
      offset = directory.next
    }
    guard !seen.isEmpty else { throw corrupt("it has no page") }
    try PageChoice.only(file.page).check(count: seen.count, file: name)
    guard var info else { throw corrupt("page \(file.page) can't be read") }
    info.pageCount = seen.count
    return info
  }

  private mutating func readPage(_ directory: Directory) throws(CropError) -> ImageInfo {
    guard directory[TIFFTag.dngVersion] == nil else { throw unsupported("a camera raw file (DNG)") }
    guard let width = try number(TIFFTag.imageWidth, of: directory),
      let height = try number(TIFFTag.imageHeight, of: directory)
    else { throw corrupt("its size is missing") }
    let size = try size(width, height)
    let samples = try number(TIFFTag.samplesPerPixel, of: directory) ?? 1
    guard (1...16).contains(samples) else { throw unsupported("a TIFF of \(samples) channels") }
    let depth = try depth(of: directory)
    try checkCompression(try number(TIFFTag.compression, of: directory) ?? 1)
    let color = try tiffColor(try number(TIFFTag.photometric, of: directory))
    try checkDecodable(directory, color: color, depth: depth, samples: samples)
    if directory[TIFFTag.xmp] != nil { file.kinds.insert(.xmp) }
    if directory[TIFFTag.iptc] != nil || directory[TIFFTag.photoshop] != nil {
      file.kinds.insert(.photoshop)
    }
    for tag in Self.telling {
      guard let field = directory[tag], field.valueSize > 0, field.count > 0 else { continue }
      if field.values == nil {
        // Some writers put metadata after the pixels, so a truncated copy lacks it.
        try file.truncated("a field of the image (\(tag)) reaches past the end")
        break
      }
    }
    for (tag, kind) in [
      (TIFFTag.xmp, MetadataPlace.Kind.xmp), (TIFFTag.iptc, .photoshop),
      (TIFFTag.photoshop, .photoshop),
    ] {
      if let field = directory[tag], let values = field.values {
        file.note(kind, at: values, length: field.count * field.valueSize)
      }
    }
    if file.readsMetadata {
      file.blocks.exif = try TIFFTree(directory, structure, &file.reader)?.exifBlock
    }
    if directory[TIFFTag.exif] != nil {
      file.kinds.insert(.exif)
      try file.noteCapture(directory, structure)
    }
    if directory[TIFFTag.subDirectories] != nil { file.kinds.insert(.thumbnail) }
    if directory[TIFFTag.contentCredentials] != nil { file.kinds.insert(.credentials) }
    if directory[TIFFTag.gps] != nil { file.kinds.formUnion([.exif, .location]) }
    if directory.fields.contains(where: { !Self.isKnown($0.tag) }) {
      file.kinds.insert(.applicationData)
    }
    // The tie points or the transformation of a map (GeoTIFF).
    if directory[TIFFTag.mapPoints] != nil || directory[TIFFTag.mapTransformation] != nil {
      file.kinds.insert(.location)
    }
    var profileName: String?
    if let field = directory[TIFFTag.icc], let start = field.values {
      file.kinds.insert(.icc)
      let length = min(field.count, ProfileName.maxBytes)
      profileName = ProfileName.read(try reader.bytes(start, length) ?? [])
    }
    file.density = try file.density(directory, structure)
    file.memory = try stripBytes(directory, size: size, bits: depth * samples)
    let orientation =
      try structure.orientation(directory[TIFFTag.orientation], &file.reader) ?? .up
    let needed = color == .cmyk ? 4 : color == .gray || color == .palette ? 1 : 3
    var info = ImageInfo(
      format: .tiff, byteCount: reader.count, stored: size, orientation: orientation)
    info.bitDepth = depth
    info.color = color
    info.hasAlpha = directory[TIFFTag.extraSamples] != nil && samples > needed
    info.profileName = profileName
    return info
  }

  /// Fields whose values must be inside the file: texts, color table, XMP, IPTC, Photoshop's
  /// resources and ICC profile.
  private static let telling = [270, 271, 272, 306, 315, 320, 700, 33432, 33723, 34377, 34675]

  /// Whether a tag is one of TIFF, or one that is kept, reported as another kind, or not worth
  /// keeping: those of EXIF and TIFF/EP, of the coding, and empty space. Others are private:
  /// layers, georeferencing, measurements.
  private static func isKnown(_ tag: Int) -> Bool {
    switch tag {
    case ..<32_768, 32_995...32_998, 33_421...33_423, 33_432, 33_434, 33_437, 33_723, 34_377,
      34_665, 34_675, 34_850...34_869, 36_864...37_522, 37_888...37_893, 40_091...40_095,
      40_960...42_111, 42_240, 50_341, 52_545, 59_932, 59_933:
      true
    default: false
    }
  }

  private mutating func number(_ tag: Int, of page: Directory) throws(CropError) -> Int? {
    try structure.number(page[tag], &file.reader)
  }

  private mutating func depth(of directory: Directory) throws(CropError) -> Int {
    let field = directory[TIFFTag.bitsPerSample]
    let depth = try structure.number(field, &file.reader) ?? 1
    for i in 1..<max(2, min(field?.count ?? 1, 16)) {
      if let other = try structure.number(field, at: i, &file.reader), other != depth {
        throw unsupported("a TIFF whose channels differ in depth")
      }
    }
    guard [1, 2, 4, 8, 16, 32].contains(depth) else { throw unsupported("a \(depth)-bit TIFF") }
    return depth
  }

  private func checkCompression(_ compression: Int) throws(CropError) {
    switch compression {
    case 1...8, 32_773, 32_946, 34_661, 34_887, 34_925, 50_000, 50_001: return
    case 34_712, 33_003, 33_005: throw unsupported("a TIFF with JPEG 2000 compression")
    default: throw unsupported("a TIFF with compression \(compression)")
    }
  }

  /// Throws for images that libtiff or libvips 8.14 can't read, or would show in wrong colors.
  private mutating func checkDecodable(
    _ directory: Directory, color: ColorModel, depth: Int, samples: Int
  ) throws(CropError) {
    let photometric = try number(TIFFTag.photometric, of: directory)
    let compression = try number(TIFFTag.compression, of: directory) ?? 1
    let isPlanar = try number(TIFFTag.planarConfiguration, of: directory) == 2
    let sampleFormat = try number(TIFFTag.sampleFormat, of: directory)
    if photometric == 6, compression != 6, compression != 7 {
      throw unsupported("a YCbCr TIFF without JPEG compression")
    }
    if photometric == 9 { throw unsupported("a TIFF with ICC L*a*b* colors") }
    if color == .lab, samples > 3 { throw unsupported("a TIFF with L*a*b* colors and alpha") }
    if isPlanar, samples > 1, color == .gray || color == .palette {
      throw unsupported("a grayscale or palette TIFF with separate planes")
    }
    if depth < 8, samples > 1 { throw unsupported("a TIFF of \(samples) × \(depth) bits") }
    if depth == 16, sampleFormat == 3 {
      throw unsupported("a TIFF with 16-bit floating-point samples")
    }
  }

  private func tiffColor(_ photometric: Int?) throws(CropError) -> ColorModel {
    switch photometric {
    case nil, 0, 1: return .gray
    case 2, 6: return .rgb
    case 3: return .palette
    case 5: return .cmyk
    case 8, 9: return .lab
    case 32_803, 34_892: throw unsupported("a camera raw file")
    case let other?: throw unsupported("a TIFF with photometric interpretation \(other)")
    }
  }

  /// The size of a decoded strip, which is all that must be in memory if pixels are not in tiles.
  private mutating func stripBytes(
    _ directory: Directory, size: BitmapSize, bits: Int
  ) throws(CropError) -> Int {
    guard directory[TIFFTag.tileWidth] == nil else { return 0 }
    let rows = try number(TIFFTag.rowsPerStrip, of: directory) ?? size.height
    let strip = BitmapSize(width: size.width, height: min(max(rows, 1), size.height))
    return Inspection.product(strip, bytes: (bits + 7) / 8)
  }

  /// Checks that the strips or tiles of a page lie inside the file.
  private mutating func checkPieces(
    _ directory: Directory, page: Int, _ budget: inout Int
  ) throws(CropError) {
    let isTiled = directory[TIFFTag.tileOffsets] != nil
    let offsets = directory[isTiled ? TIFFTag.tileOffsets : TIFFTag.stripOffsets]
    let lengths = directory[isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts]
    guard let offsets else {
      // Old-style JPEG compression has its data in other fields.
      if directory[TIFFTag.jpegOffset] == nil { throw corrupt("page \(page) has no image data") }
      return
    }
    guard offsets.values != nil, lengths == nil || lengths?.values != nil else {
      try file.truncated("the table of page \(page) reaches past the end")
      return
    }
    let frames = file.isSummary ? nil : try TIFFJPEGFrames(directory, structure, &file.reader)
    let count = min(offsets.count, budget)
    budget -= count
    if frames != nil, count < offsets.count {
      throw unsupported("a TIFF of so many JPEGs")
    }
    for start in stride(from: 0, to: count, by: TIFFStructure.mostNumbers) {
      let range = start..<min(start + TIFFStructure.mostNumbers, count)
      let places = try structure.numbers(offsets, in: range, &file.reader)
      let sizes = try structure.numbers(lengths, in: range, &file.reader)
      for (i, place) in places.enumerated() {
        if structure.inside(place, i < sizes.count ? sizes[i] : 0) == nil {
          return try file.truncated("a part of page \(page) reaches past the end")
        }
        guard let frames, i < sizes.count, sizes[i] > 0 else { continue }
        try check(frames, piece: start + i, at: place, length: sizes[i], page: page)
      }
    }
  }
}
