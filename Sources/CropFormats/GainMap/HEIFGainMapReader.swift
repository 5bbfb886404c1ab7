import CropCore
import CropJPEG
import CropMetadata

/// The items of a HEIC or AVIF that belong to the gain map of an image.
struct HEIFGainMapItems {
  /// The auxiliary image in Apple's format; nil without one.
  var auxiliary: Int?
  /// The derived HDR image (`tmap`), whose second input is the map; nil without one.
  var derived: Int?
  let map: Int
  /// The items that make up the map and describe it.
  var own: Set<Int>
}

extension Inspection {
  /// The largest number of auxiliary images that are searched for a gain map.
  private static var mostAuxiliaries: Int { 64 }

  /// The items of the gain map of `main`; nil if it has none.
  mutating func gainMapItems(
    _ items: HEIFItems, of main: Int
  ) throws(CropError) -> HEIFGainMapItems? {
    var auxiliary: Int?
    let pictures = items.references.lazy.filter { $0.type == "auxl" && $0.to.contains(main) }
    for reference in pictures.prefix(Self.mostAuxiliaries) where auxiliary == nil {
      guard try purpose(of: reference.from, in: items).isAppleGainMap else { continue }
      auxiliary = reference.from
    }
    let derived = items.references.first { reference in
      reference.type == "dimg" && reference.to.count == 2 && reference.to[0] == main
        && items.items[reference.from]?.type == "tmap"
    }
    guard let map = auxiliary ?? derived?.to[1], map != main else { return nil }
    let maker = derived?.to[1] == map ? derived?.from : nil
    return HEIFGainMapItems(
      auxiliary: auxiliary, derived: maker, map: map,
      own: items.withParts([map]).union(items.descriptions(ofNothingBut: [map]))
        .subtracting(items.withParts([main])).union(maker.map { [$0] } ?? []))
  }

  /// The properties of the gain map of the image `base`.
  mutating func gainMap(
    _ found: HEIFGainMapItems, _ items: HEIFItems, of base: ImageInfo
  ) throws(CropError) -> GainMapInfo {
    let noted = (kinds, places, warnings)
    defer { (kinds, places, warnings) = noted }
    do throws(CropError) {
      return try readGainMap(found, items, of: base)
    } catch {
      if case .readFailed = error { throw error }
      return GainMapInfo(kinds: found.kinds, fault: "it is damaged or cut short")
    }
  }

  private mutating func readGainMap(
    _ found: HEIFGainMapItems, _ items: HEIFItems, of base: ImageInfo
  ) throws(CropError) -> GainMapInfo {
    var picture = HEIFPicture()
    for property in items.properties(of: found.map) { try apply(property, to: &picture) }
    let coded = items.parts(of: found.map).first ?? found.map
    for property in items.properties(of: coded) where coded != found.map {
      if property.type == "hvcC" || property.type == "av1C" {
        try apply(property, to: &picture)
      }
      if picture.depth == nil { picture.depth = try depth(property) }
    }
    guard let shown = picture.shown else { throw corrupt("its size is missing") }
    // Coded samples that an aperture hides are not part of the map.
    let size = OrientationMap<ImageSpace, BitmapSpace>(
      picture.orientation.inverse, of: shown
    ).target
    let numbers = try gainMapNumbers(found, items)
    var info = GainMapInfo(
      kinds: found.kinds, size: size, channels: picture.isGray ? 1 : 3,
      headroom: numbers.headroom)
    if found.auxiliary != nil, info.headroom == nil,
      let place = places.first(where: { $0.kind == .exif }), let exif = try bytes(of: place)
    {
      info.headroom = AppleHeadroom(inEXIF: exif)?.stops
    }
    info.scale = Double(base.shown.width) / Double(shown.width)
    info.item = GainMapInfo.Item(
      number: found.map, orientation: picture.orientation.rawValue,
      shown: .init(width: shown.width, height: shown.height))
    let isReadable =
      ["hvc1", "av01"].contains(items.items[coded]?.type ?? "") && picture.depth ?? 8 == 8
    info.fault = fault(of: found, items, isReadable: isReadable, shown: shown, base: base)
    // Apple's form may leave it to the program how bright the map is.
    let hasNumbers =
      found.auxiliary == nil ? numbers.iso != nil : numbers.hasApple || numbers.iso != nil
    if !hasNumbers, info.fault == nil { info.fault = GainMapInfo.unknownBrightness }
    return info
  }

  /// Why the pixels of the map can't be used; nil if they can.
  private func fault(
    of found: HEIFGainMapItems, _ items: HEIFItems, isReadable: Bool, shown: ImageSize,
    base: ImageInfo
  ) -> String? {
    let all = items.withParts([found.map]).compactMap { items.items[$0] }
    if !all.allSatisfy({ isInFile($0, items) }) { return "it is not in the file" }
    if shown.width > base.shown.width || shown.height > base.shown.height {
      return "it is larger than the image"
    }
    return isReadable ? nil : "this kind of gain map can't be read"
  }

  /// The stored parameters of a map: its XMP, its name, and those of the derived image.
  mutating func gainMapNumbers(
    _ found: HEIFGainMapItems, _ items: HEIFItems
  ) throws(CropError) -> GainMapNumbers {
    var numbers = GainMapNumbers()
    for item in items.descriptions(ofNothingBut: [found.map]).sorted()
    where numbers.xmp.all.isEmpty {
      if let packet = try contents(of: item, items) { numbers.xmp = GainMapXMP(packet) }
    }
    numbers.colors = try boxes(["colr"], of: found.map, items)
    if found.auxiliary == nil {
      let name = try purpose(of: found.map, in: items).name
      numbers.vendor = name == HEIFPurpose.samsungGainMap ? name : nil
    }
    guard let derived = found.derived else { return numbers }
    numbers.brighter = try boxes(["colr", "pixi", "clli", "mdcv"], of: derived, items)
    if let all = try contents(of: derived, items), all.first == 0 {
      // After an 8-bit version, the data are the same as after the mark in a JPEG segment.
      numbers.iso = GainMapNumbers.numbers(ofISO: GainMapNumbers.isoStart + all.dropFirst())
    }
    return numbers
  }

  /// The properties of an item that have one of these types, at most four.
  private mutating func boxes(
    _ types: [String], of item: Int, _ items: HEIFItems
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
  private mutating func contents(
    of item: Int, _ items: HEIFItems
  ) throws(CropError) -> [UInt8]? {
    guard let entry = items.items[item], isInFile(entry, items), entry.extents.count <= 8 else {
      return nil
    }
    var all: [UInt8] = []
    for extent in entry.extents {
      let start = extent.offset + (entry.isInData ? items.data?.start ?? 0 : 0)
      guard extent.length > 0, extent.length <= Self.mostNumbers - all.count,
        let part = try reader.bytes(start, extent.length)
      else { return nil }
      all += part
    }
    return all
  }
}

extension HEIFGainMapItems {
  /// How the parameters are stored.
  fileprivate var kinds: [GainMapInfo.Kind] {
    (auxiliary == nil ? [] : [.apple]) + (derived == nil ? [] : [.toneMapped])
  }
}

extension GainMapNumbers {
  /// The gain map of the image of `page`, from 1, in a HEIC or AVIF; empty if it has none.
  package init(inHEIF source: ImageSource, page: Int) throws(CropError) {
    self.init()
    var limits = Limits()
    (limits.pixels, limits.bytes, limits.memory) = (.max, .max, .max)
    var inspection = Inspection(source, limits: limits, isLenient: true, page: page)
    let top = try inspection.boxes(from: 0, to: source.byteCount)
    guard let meta = top.first(where: { $0.type == "meta" }) else { return }
    let items = try inspection.items(in: meta)
    guard let primary = items.primary else { return }
    let pictures = items.pictures(primary: primary)
    guard pictures.indices.contains(page - 1),
      let found = try inspection.gainMapItems(items, of: pictures[page - 1])
    else { return }
    self = try inspection.gainMapNumbers(found, items)
  }
}
