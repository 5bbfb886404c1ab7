import CropCore
import CropJPEG
import CropMetadata

/// The items of a HEIC or AVIF that belong to the gain map of an image.
struct HEIFGainMap {
  /// The auxiliary image in Apple's format; nil without one.
  private let auxiliary: Int?
  /// The derived HDR image (`tmap`), whose second input is the map; nil without one.
  let derived: Int?
  let map: Int
  /// The items that make up the map and describe it.
  let own: Set<Int>

  /// The largest number of auxiliary images that are searched for a gain map.
  private static var mostAuxiliaries: Int { 64 }

  /// The gain map of `main`; nil if it has none.
  init?(of main: Int, in heif: inout HEIFContainer) throws(CropError) {
    let items = heif.items
    var auxiliary: Int?
    let pictures = items.references.lazy.filter { $0.type == "auxl" && $0.to.contains(main) }
    for reference in pictures.prefix(Self.mostAuxiliaries) where auxiliary == nil {
      guard try heif.purpose(of: reference.from).isAppleGainMap else { continue }
      auxiliary = reference.from
    }
    let derived = items.references.first { reference in
      reference.type == "dimg" && reference.to.count == 2 && reference.to[0] == main
        && items.items[reference.from]?.type == "tmap"
    }
    guard let map = auxiliary ?? derived?.to[1], map != main else { return nil }
    let maker = derived?.to[1] == map ? derived?.from : nil
    self.auxiliary = auxiliary
    self.derived = maker
    self.map = map
    own = items.withParts([map]).union(items.descriptions(ofNothingBut: [map]))
      .subtracting(items.withParts([main])).union(maker.map { [$0] } ?? [])
  }

  /// How the parameters are stored.
  private var kinds: [GainMapInfo.Kind] {
    (auxiliary == nil ? [] : [.apple]) + (derived == nil ? [] : [.toneMapped])
  }

  /// The properties of the map of the image `base`, whose EXIF `file` knows.
  func info(
    of base: ImageInfo, in heif: inout HEIFContainer, _ file: inout Inspection
  ) throws(CropError) -> GainMapInfo {
    do throws(CropError) {
      return try read(of: base, in: &heif, &file)
    } catch {
      if case .readFailed = error { throw error }
      return GainMapInfo(kinds: kinds, fault: GainMapFault.damaged.words)
    }
  }

  private func read(
    of base: ImageInfo, in heif: inout HEIFContainer, _ file: inout Inspection
  ) throws(CropError) -> GainMapInfo {
    let items = heif.items
    var picture = HEIFPicture()
    for property in items.properties(of: map) { try heif.apply(property, to: &picture) }
    let coded = items.parts(of: map).first ?? map
    for property in items.properties(of: coded) where coded != map {
      if property.type == "hvcC" || property.type == "av1C" {
        try heif.apply(property, to: &picture)
      }
      if picture.depth == nil { picture.depth = try heif.depth(property) }
    }
    guard let shown = picture.shown else { throw heif.corrupt("its size is missing") }
    // Coded samples that an aperture hides are not part of the map.
    let size = OrientationMap<ImageSpace, BitmapSpace>(
      picture.orientation.inverse, of: shown
    ).target
    let numbers = try numbers(in: &heif)
    var info = GainMapInfo(
      kinds: kinds, size: size, channels: picture.isGray ? 1 : 3, headroom: numbers.headroom)
    if auxiliary != nil, info.headroom == nil { info.headroom = try file.appleHeadroom() }
    info.scale = Double(base.shown.width) / Double(shown.width)
    info.item = GainMapInfo.Item(
      number: map, orientation: picture.orientation.rawValue,
      shown: .init(width: shown.width, height: shown.height))
    let isReadable =
      ["hvc1", "av01"].contains(items.items[coded]?.type ?? "") && picture.depth ?? 8 == 8
    info.fault = fault(in: heif, isReadable: isReadable, shown: shown, base: base)
    // Apple's form may leave it to the program how bright the map is.
    let hasNumbers =
      auxiliary == nil ? numbers.iso != nil : numbers.hasApple || numbers.iso != nil
    if !hasNumbers, info.fault == nil { info.fault = GainMapInfo.unknownBrightness }
    return info
  }

  /// Why the pixels of the map can't be used; nil if they can.
  private func fault(
    in heif: HEIFContainer, isReadable: Bool, shown: ImageSize, base: ImageInfo
  ) -> String? {
    let all = heif.items.withParts([map]).compactMap { heif.items.items[$0] }
    if !all.allSatisfy(heif.isInFile) { return GainMapFault.missing.words }
    if shown.width > base.shown.width || shown.height > base.shown.height {
      return GainMapFault.largerThanImage.words
    }
    return isReadable ? nil : "this kind of gain map can't be read"
  }

  /// The stored parameters of the map: its XMP, its name, and those of the derived image.
  func numbers(in heif: inout HEIFContainer) throws(CropError) -> GainMapNumbers {
    var numbers = GainMapNumbers()
    for item in heif.items.descriptions(ofNothingBut: [map]).sorted()
    where numbers.xmp.all.isEmpty {
      if let packet = try heif.parameters(item) { numbers.xmp = GainMapXMP(packet) }
    }
    numbers.colors = try heif.properties(["colr"], of: map)
    if auxiliary == nil {
      let name = try heif.purpose(of: map).name
      numbers.vendor = name == HEIFPurpose.samsungGainMap ? name : nil
    }
    guard let derived else { return numbers }
    numbers.brighter = try heif.properties(["colr", "pixi", "clli", "mdcv"], of: derived)
    if let all = try heif.parameters(derived), all.first == 0 {
      // After an 8-bit version, the data are the same as after the mark in a JPEG segment.
      numbers.iso = GainMapNumbers.numbers(ofISO: GainMapNumbers.isoStart + all.dropFirst())
    }
    return numbers
  }
}

extension HEIFContainer {
  /// The properties of an item that have one of these types, at most four.
  fileprivate mutating func properties(
    _ types: [String], of item: Int
  ) throws(CropError) -> [[UInt8]] {
    var boxes: [[UInt8]] = []
    for property in items.properties(of: item) where types.contains(property.type) {
      let length = property.end - property.name + 4
      guard length <= Self.mostNumbers, boxes.count < 4, property.start == property.name + 4,
        let box = try reader.bytes(property.name - 4, length)
      else { continue }
      boxes.append(box)
    }
    return boxes
  }

  /// The largest size of the packet or the parameters of a map, in bytes.
  private static var mostNumbers: Int { 1 << 16 }

  /// The data of an item; nil if it is not in the file, or much longer than parameters are.
  fileprivate mutating func parameters(_ item: Int) throws(CropError) -> [UInt8]? {
    guard let entry = items.items[item], isInFile(entry), entry.extents.count <= 8 else {
      return nil
    }
    var all: [UInt8] = []
    for extent in entry.extents {
      guard extent.length > 0, extent.length <= Self.mostNumbers - all.count,
        let part = try reader.bytes(items.start(of: entry) + extent.offset, extent.length)
      else { return nil }
      all += part
    }
    return all
  }
}

extension GainMapNumbers {
  /// The gain map of the image of `page`, from 1, in a HEIC or AVIF; empty if it has none.
  package init(inHEIF source: ImageSource, page: Int) throws(CropError) {
    self.init()
    var heif = try HEIFContainer(source)
    guard let map = try HEIFGainMap(of: heif.item(ofPage: page), in: &heif) else { return }
    self = try map.numbers(in: &heif)
  }
}
