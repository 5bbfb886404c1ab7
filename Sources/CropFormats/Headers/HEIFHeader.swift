import CropCore

extension Inspection {
  /// Reads the boxes of a HEIC or AVIF: the main image's size and orientation, the other contents,
  /// and whether all data is in the file.
  mutating func heif() throws(CropError) -> ImageInfo {
    let top = try boxes(from: 0, to: reader.count)
    let isSequence = top.contains { $0.type == "moov" }
    guard let meta = try metaBox(among: top) else {
      throw top.contains(where: \.isCut)
        ? corrupt("it ends before its image")
        : unsupported("a HEIF \(isSequence ? "sequence" : "file") without a still image")
    }
    guard !meta.isCut else { throw corrupt("it ends inside its header") }
    let items = try items(in: meta)
    guard let primary = items.primary, items.items[primary] != nil else {
      throw isSequence
        ? unsupported("a HEIF sequence without a main image")
        : corrupt("it names no main image")
    }
    let pictures = items.pictures(primary: primary)
    try PageChoice.only(page).check(count: pictures.count, file: name)
    let main = pictures[page - 1]
    let coded = items.parts(of: main).first ?? main
    let coding = items.items[coded]?.type ?? ""
    let format = try heifFormat(coding)
    let picture = try heifPicture(items, of: main, coded: coded)
    guard let stored = picture.stored, let shown = picture.shown else {
      throw corrupt("its size is missing")
    }
    if let cut = top.first(where: \.isCut) { try truncated("the box \(cut.type) is cut short") }
    let map = try gainMapItems(items, of: main)
    try checkExtents(items, but: map?.own ?? [])
    if isSequence { kinds.insert(.sequence) }
    for box in top {
      switch box.type {
      case "ftyp", "styp", "meta", "mdat", "imda", "idat", "moov", "moof", "sidx", "free", "skip",
        "wide", "":
        break
      case "mpvd": kinds.insert(.trailer)
      case "jumb": kinds.insert(.credentials)
      case "uuid" where try reader.bytes(box.start, 16) == Self.credentialsMark:
        kinds.insert(.credentials)
      default: kinds.insert(.applicationData)
      }
    }
    let hasAlpha = try noteCompanions(items, of: main)
    // Measured with libheif 1.15: about 6 bytes per pixel, more with alpha and with deep pixels.
    memory = Self.product(stored, bytes: (picture.depth ?? 8) > 8 ? 12 : hasAlpha ? 8 : 6)
    var info = ImageInfo(
      format: format, byteCount: reader.count, stored: stored, orientation: picture.orientation,
      shown: shown)
    info.bitDepth = picture.depth ?? 8
    info.color = picture.isGray ? .gray : .rgb
    info.hasAlpha = hasAlpha
    info.pageCount = pictures.count
    info.profileName = picture.profileName
    info.colorCoding = picture.colorCoding
    if let map, !isSummary { info.gainMap = try gainMap(map, items, of: info) }
    return info
  }

  private func heifFormat(_ coding: String) throws(CropError) -> ImageFormat {
    switch coding {
    case "hvc1": return .heic
    case "av01": return .avif
    case "jpeg": throw unsupported("a HEIF file coded with JPEG")
    case "avc1": throw unsupported("a HEIF file coded with AVC")
    case "vvc1": throw unsupported("a HEIF file coded with VVC")
    case "unci": throw unsupported("a HEIF file without compression")
    default: throw unsupported("a HEIF file coded with “\(coding)”")
    }
  }

  /// The properties of an image and of its first coded tile.
  mutating func heifPicture(
    _ items: HEIFItems, of main: Int, coded: Int
  ) throws(CropError) -> HEIFPicture {
    var picture = HEIFPicture()
    for property in items.properties(of: main) { try apply(property, to: &picture) }
    for property in items.properties(of: coded) where picture.depth == nil {
      picture.depth = try depth(property)
    }
    guard coded != main else { return picture }
    // An image of tiles has the colors of its tiles unless it declares its own.
    let (ownName, ownCoding) = (picture.profileName, picture.colorCoding)
    let hasProfile = kinds.contains(.icc)
    for property in items.properties(of: coded) where property.type == "colr" {
      try readColor(property, &picture)
    }
    if hasProfile { picture.profileName = ownName }
    if ownCoding != nil { picture.colorCoding = ownCoding }
    return picture
  }

  /// The start of a box with content credentials (C2PA 2.1, A.4).
  private static let credentialsMark: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]

  /// Checks that the data of every item are in the file, except for those that the image does not
  /// need.
  private mutating func checkExtents(_ items: HEIFItems, but others: Set<Int>) throws(CropError) {
    for (number, item) in items.items where !others.contains(number) {
      guard !isInFile(item, items) else { continue }
      try truncated("the data of an item reaches past the end")
      return
    }
  }

  /// Whether all data of an item is in the file.
  func isInFile(_ item: HEIFItems.Item, _ items: HEIFItems) -> Bool {
    let room = item.isInData ? items.data.map { $0.end - $0.start } ?? 0 : reader.count
    return item.extents.allSatisfy { extent in
      let (end, overflow) = extent.offset.addingReportingOverflow(extent.length)
      return !overflow && end <= room && extent.offset <= room
    }
  }

  /// The largest number of auxiliary images that are read.
  private static var mostCompanions: Int { 64 }

  /// Records thumbnails, EXIF and similar items, and returns whether there is an alpha plane.
  private mutating func noteCompanions(
    _ items: HEIFItems, of main: Int
  ) throws(CropError) -> Bool {
    var hasAlpha = false
    let companions = items.references.lazy.filter { $0.to.contains(main) }
    if companions.contains(where: { $0.type == "thmb" }) { kinds.insert(.thumbnail) }
    for reference in companions.filter({ $0.type == "auxl" }).prefix(Self.mostCompanions) {
      let purpose = try purpose(of: reference.from, in: items)
      if let kind = purpose.kind { kinds.insert(kind) } else { hasAlpha = true }
    }
    // Items that only describe auxiliary images say nothing about the image.
    let auxiliary = Set(items.references.lazy.filter { $0.type == "auxl" }.map(\.from))
    let aboutOthers = items.descriptions(ofNothingBut: auxiliary)
    for (number, item) in items.items.sorted(by: { $0.key < $1.key }) {
      switch item.type {
      case "Exif":
        kinds.insert(.exif)
        if let first = item.extents.first, !item.isInData,
          let skipped = try reader.big32(first.offset)
        {
          // Four bytes give the offset of the TIFF structure. Its orientation is ignored: the
          // image's properties are authoritative.
          let start = 4 + skipped
          if first.length > start {
            note(.exif, at: first.offset + start, length: first.length - start)
            _ = try exif(base: first.offset + start, length: first.length - start)
          }
        }
      case "mime" where item.contentType == "application/rdf+xml":
        guard !aboutOthers.contains(number) else { continue }
        kinds.insert(.xmp)
        let ranges = item.extents.compactMap { extent in
          reader.end(of: extent.offset, extent.length).map { extent.offset..<$0 }
        }
        if !item.isInData { places.append(MetadataPlace(kind: .xmp, ranges: ranges)) }
      case "tmap": kinds.insert(.gainMap)
      default: break
      }
    }
    return hasAlpha
  }

  /// The purpose of an auxiliary image.
  mutating func purpose(
    of item: Int, in items: HEIFItems
  ) throws(CropError) -> HEIFPurpose {
    guard let property = items.properties(of: item).first(where: { $0.type == "auxC" }) else {
      return HEIFPurpose(name: "")
    }
    let count = max(0, min(128, property.end - property.start - 4))
    let name = try reader.bytes(property.start + 4, count) ?? []
    return HEIFPurpose(name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
  }

  mutating func apply(_ property: HEIFBox, to picture: inout HEIFPicture) throws(CropError) {
    switch property.type {
    case "ispe":
      let width = try need(reader.big32(property.start + 4), "its size")
      let height = try need(reader.big32(property.start + 8), "its size")
      let stored = try size(width, height)
      picture.stored = stored
      picture.shown = ImageSize(width: width, height: height)
    case "irot", "imir":
      if let turn = try turn(property) { picture.turn(turn) }
    case "clap":
      guard let shown = picture.shown else { return }
      picture.shown = ImageSize(
        width: try aperture(property.start, most: shown.width),
        height: try aperture(property.start + 8, most: shown.height))
    case "colr": try readColor(property, &picture)
    default: if picture.depth == nil { picture.depth = try depth(property) }
    }
    if property.type == "av1C", let flags = try reader.byte(property.start + 2) {
      picture.isGray = flags & 0x10 != 0
    }
    // The chroma format of ISO/IEC 14496-15, 8.3.3.1.2; 0 is none.
    if property.type == "hvcC", let chroma = try reader.byte(property.start + 16) {
      picture.isGray = chroma & 3 == 0
    }
  }

  /// A side of the clean aperture: a fraction of two 32-bit numbers, rounded.
  private mutating func aperture(_ offset: Int, most: Int) throws(CropError) -> Int {
    let numerator = try need(reader.big32(offset), "its clean aperture")
    let denominator = try need(reader.big32(offset + 4), "its clean aperture")
    guard denominator > 0, numerator >= denominator else {
      throw corrupt("its clean aperture is invalid")
    }
    return min((numerator + denominator / 2) / denominator, most)
  }

  /// The bits per channel; nil if the property does not state them.
  mutating func depth(_ property: HEIFBox) throws(CropError) -> Int? {
    switch property.type {
    case "pixi":
      guard let depth = try reader.byte(property.start + 5), (1...16).contains(depth) else {
        return nil
      }
      return depth
    case "av1C":
      let flags = try reader.byte(property.start + 2) ?? 0
      return flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
    case "hvcC": return try reader.byte(property.start + 17).map { ($0 & 7) + 8 }
    default: return nil
    }
  }

  private mutating func readColor(
    _ property: HEIFBox, _ picture: inout HEIFPicture
  ) throws(CropError) {
    let kind = try reader.bytes(property.start, 4) ?? []
    if kind == Array("nclx".utf8) {
      let primaries = try need(reader.big16(property.start + 4), "its colors")
      let transfer = try need(reader.big16(property.start + 6), "its colors")
      let matrix = try need(reader.big16(property.start + 8), "its colors")
      let range = try need(reader.byte(property.start + 10), "its colors")
      picture.colorCoding = .codePoints(
        ColorCodePoints(
          primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0))
      return
    }
    guard kind == Array("prof".utf8) || kind == Array("rICC".utf8) else { return }
    kinds.insert(.icc)
    let length = min(property.end - property.start - 4, ProfileName.maxBytes)
    picture.profileName = ProfileName.read(try reader.bytes(property.start + 4, length) ?? [])
  }
}

/// The purpose of an auxiliary image.
struct HEIFPurpose {
  /// The name of the purpose, a URN; empty if there is none.
  let name: String

  /// Whether it is a gain map in Apple's form.
  var isAppleGainMap: Bool { name == Self.appleGainMap }
  /// The purpose of Apple's gain maps.
  static let appleGainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"
  /// The purpose of Samsung's gain maps, which also belong to a `tmap`.
  static let samsungGainMap = "urn:com:samsung:photo:2024:aux:hdrgainmap"

  /// Whether it is an alpha plane.
  var isAlpha: Bool {
    name.hasSuffix(":alpha") || name == "urn:mpeg:hevc:2015:auxid:1"
      || name == "urn:mpeg:avc:2015:auxid:1"
  }

  /// Its name in `info`; nil for alpha, which is part of the image.
  var kind: MetadataKind? {
    if isAlpha { return nil }
    if name.hasSuffix(":depth") || name == "urn:mpeg:hevc:2015:auxid:2" { return .depthMap }
    return name.hasSuffix("gainmap") ? .gainMap : .multiPicture
  }
}

/// An image of a HEIF file, as its properties describe it.
struct HEIFPicture {
  var stored: BitmapSize?
  var shown: ImageSize?
  var orientation = Orientation.up
  var depth: Int?
  var isGray = false
  var profileName: String?
  var colorCoding: ColorCoding?

  mutating func turn(_ next: Orientation) {
    orientation = orientation.followed(by: next)
    if next.isTransposing, let size = shown {
      shown = ImageSize(width: size.height, height: size.width)
    }
  }
}
