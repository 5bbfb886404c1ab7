import CropCore

/// Reads the boxes of a HEIC or AVIF: the main image's size and orientation, the other contents,
/// and whether all data is in the file.
struct HEIFHeaderReader: HeaderReader {
  var file: Inspection
  private var heif: HEIFContainer
  private let main: Int

  init(_ file: Inspection) throws(CropError) {
    self.file = file
    heif = try HEIFContainer(file.source)
    main = try heif.item(ofPage: file.page)
  }

  mutating func info() throws(CropError) -> ImageInfo {
    let items = heif.items
    let coded = items.parts(of: main).first ?? main
    let format = try format(of: items.items[coded]?.type ?? "")
    let picture = try heif.picture(main, coded: coded)
    guard let stored = picture.stored, let shown = picture.shown else {
      throw corrupt("its size is missing")
    }
    if picture.hasProfile { file.kinds.insert(.icc) }
    if let cut = heif.top.first(where: \.isCut) {
      try file.truncated("the box \(cut.type) is cut short")
    }
    let map = try HEIFGainMap(of: main, in: &heif)
    // The image does not need the data of its map.
    let others = map?.own ?? []
    if items.items.contains(where: { !others.contains($0.key) && !heif.isInFile($0.value) }) {
      try file.truncated("the data of an item reaches past the end")
    }
    if heif.isSequence { file.kinds.insert(.sequence) }
    for box in heif.top {
      switch box.type {
      case "ftyp", "styp", "meta", "mdat", "imda", "idat", "moov", "moof", "sidx", "free", "skip",
        "wide", "":
        break
      case "mpvd": file.kinds.insert(.trailer)
      case "jumb": file.kinds.insert(.credentials)
      case "uuid" where try reader.bytes(box.start, 16) == Self.credentialsMark:
        file.kinds.insert(.credentials)
      default: file.kinds.insert(.applicationData)
      }
    }
    let hasAlpha = try noteCompanions()
    // Measured with libheif 1.15: about 6 bytes per pixel, more with alpha and with deep pixels.
    file.memory = Inspection.product(
      stored, bytes: (picture.depth ?? 8) > 8 ? 12 : hasAlpha ? 8 : 6)
    var info = ImageInfo(
      format: format, byteCount: reader.count, stored: stored, orientation: picture.orientation,
      shown: shown)
    info.bitDepth = picture.depth ?? 8
    info.color = picture.isGray ? .gray : .rgb
    info.hasAlpha = hasAlpha
    info.pageCount = items.pictures.count
    info.profileName = picture.profileName
    info.colorCoding = picture.colorCoding
    if let map, !file.isSummary { info.gainMap = try map.info(of: info, in: &heif, &file) }
    return info
  }

  private func format(of coding: String) throws(CropError) -> ImageFormat {
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

  /// The start of a box with content credentials (C2PA 2.1, A.4).
  private static let credentialsMark: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]

  /// The largest number of auxiliary images that are read.
  private static var mostCompanions: Int { 64 }

  /// Records thumbnails, EXIF and similar items, and returns whether there is an alpha plane.
  private mutating func noteCompanions() throws(CropError) -> Bool {
    let (items, main) = (heif.items, main)
    var hasAlpha = false
    let companions = items.references.lazy.filter { $0.to.contains(main) }
    if companions.contains(where: { $0.type == "thmb" }) { file.kinds.insert(.thumbnail) }
    for reference in companions.filter({ $0.type == "auxl" }).prefix(Self.mostCompanions) {
      let purpose = try heif.purpose(of: reference.from)
      if let kind = purpose.kind { file.kinds.insert(kind) } else { hasAlpha = true }
    }
    // Items that only describe auxiliary images say nothing about the image.
    let auxiliary = Set(items.references.lazy.filter { $0.type == "auxl" }.map(\.from))
    let aboutOthers = items.descriptions(ofNothingBut: auxiliary)
    for (number, item) in items.items.sorted(by: { $0.key < $1.key }) {
      switch item.type {
      case "Exif":
        file.kinds.insert(.exif)
        if let first = item.extents.first, !item.isInData,
          let skipped = try reader.big32(first.offset)
        {
          // Four bytes give the offset of the TIFF structure. Its orientation is ignored: the
          // image's properties are authoritative.
          let start = 4 + skipped
          if first.length > start {
            file.note(.exif, at: first.offset + start, length: first.length - start)
            _ = try file.exif(base: first.offset + start, length: first.length - start)
          }
        }
      case "mime" where item.contentType == "application/rdf+xml":
        guard !aboutOthers.contains(number) else { continue }
        file.kinds.insert(.xmp)
        let ranges = item.extents.compactMap { extent in
          reader.end(of: extent.offset, extent.length).map { extent.offset..<$0 }
        }
        if !item.isInData { file.places.append(MetadataPlace(kind: .xmp, ranges: ranges)) }
      case "tmap": file.kinds.insert(.gainMap)
      default: break
      }
    }
    return hasAlpha
  }
}
