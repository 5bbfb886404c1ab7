import CropCore

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
  var hasProfile = false
  var profileName: String?
  var colorCoding: ColorCoding?

  mutating func turn(_ next: Orientation) {
    orientation = orientation.followed(by: next)
    if next.isTransposing, let size = shown {
      shown = ImageSize(width: size.height, height: size.width)
    }
  }
}

extension HEIFContainer {
  /// The properties of an image and of its first coded tile.
  mutating func picture(_ main: Int, coded: Int) throws(CropError) -> HEIFPicture {
    var picture = HEIFPicture()
    for property in items.properties(of: main) { try apply(property, to: &picture) }
    for property in items.properties(of: coded) where picture.depth == nil {
      picture.depth = try depth(property)
    }
    guard coded != main else { return picture }
    // An image of tiles has the colors of its tiles unless it declares its own.
    let own = picture
    for property in items.properties(of: coded) where property.type == "colr" {
      try readColor(property, &picture)
    }
    if own.hasProfile { picture.profileName = own.profileName }
    if own.colorCoding != nil { picture.colorCoding = own.colorCoding }
    return picture
  }

  /// The purpose of an auxiliary image.
  mutating func purpose(of item: Int) throws(CropError) -> HEIFPurpose {
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
    picture.hasProfile = true
    let length = min(property.end - property.start - 4, ProfileName.maxBytes)
    picture.profileName = ProfileName.read(try reader.bytes(property.start + 4, length) ?? [])
  }

  /// The turn that a property describes; nil for any other property.
  mutating func turn(_ property: HEIFBox) throws(CropError) -> Orientation? {
    switch property.type {
    case "irot":
      let turns = try need(reader.byte(property.start), "its rotation") & 3
      return Orientation(isMirrored: false, quarterTurns: -turns)
    case "imir":
      // 0 exchanges top and bottom, 1 left and right.
      let isSideways = try need(reader.byte(property.start), "its flip") & 1 == 1
      return isSideways ? .upMirrored : .downMirrored
    default: return nil
    }
  }
}
