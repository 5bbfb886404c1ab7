import CropJPEG
import FoundationEssentials

extension GainMapNumbers {
  /// The HEIC `base` with its gain map as an auxiliary image in Apple's format.
  ///
  /// - Parameters:
  ///   - map: a HEIC that only contains the cut map.
  ///   - base: the HEIC of the image.
  ///   - exif: the EXIF of the source, with Apple's numbers.
  /// - Returns: nil if one of the files has an unexpected structure, or the numbers are unusable.
  package func heif(_ map: Data, behind base: Data, exif: [UInt8]?) -> Data? {
    guard let packet, hasApple, let coded = CodedItem(map) else { return nil }
    let source = PictureSource(bytes: base, name: "HEIC")
    var inspection = Inspection(source, limits: Limits(), isLenient: false)
    guard let top = try? inspection.boxes(from: 0, to: base.count),
      let meta = top.first(where: { $0.type == "meta" }), !top.contains(where: \.isCut),
      let items = try? inspection.items(in: meta), let primary = items.primary,
      let inside = try? inspection.boxes(from: meta.start + 4, to: meta.end)
    else { return nil }
    let apple = exif.flatMap(AppleHeadroom.init(inEXIF:))
    let old = PictureMetadata(source).blocks.exif
    // A block that contains more than the orientation is kept.
    let isBare = old.map { $0.count <= 64 && AppleHeadroom(inEXIF: $0) == nil } ?? true
    let added = isBare ? apple?.exif(.up) : nil
    // Without the headroom in the note or the packet, the map has no meaning.
    guard appleRatio != nil || (added ?? old).flatMap(AppleHeadroom.init(inEXIF:)) != nil else {
      return nil
    }
    let gone = added == nil ? [] : Set(items.items.filter { $0.value.type == "Exif" }.keys)
    var work = HEIFWork(
      bytes: FileBytes(data: base), items: items, gone: gone, primary: primary, added: nil)
    work.add("Exif", added.map { [0, 0, 0, 0] + $0 })
    let purpose = HEIFWork.box(
      "auxC", [0, 0, 0, 0] + Array(HEIFPurpose.appleGainMap.utf8) + [0])
    let parts = coded.parts.map { work.addPicture($0.type, $0.data, $0.properties, []) }
    let item = work.addPicture(
      coded.type, coded.data,
      coded.properties + (colours + [purpose]).map { ($0, false) },
      [("auxl", [primary])] + (parts.isEmpty ? [] : [("dimg", parts)]))
    work.add("mime", packet, about: item)
    return work.file(of: base, top, meta, inside)
  }
}

/// An image of a HEIC that was just written.
private struct CodedItem {
  let type: String
  let data: [UInt8]
  /// The properties that decoding requires, without those that describe colours.
  let properties: [(box: [UInt8], isEssential: Bool)]
  /// The tiles of a grid: libheif extends a small image to a tile.
  private(set) var parts: [CodedItem] = []

  /// The main image of a file.
  init?(_ file: Data) {
    var inspection = Inspection(
      PictureSource(bytes: file, name: "map"), limits: Limits(), isLenient: false)
    guard let top = try? inspection.boxes(from: 0, to: file.count),
      let meta = top.first(where: { $0.type == "meta" }),
      let items = try? inspection.items(in: meta), let primary = items.primary
    else { return nil }
    let bytes = FileBytes(data: file)
    self.init(primary, of: items, bytes)
    for part in items.parts(of: primary) {
      guard let part = CodedItem(part, of: items, bytes) else { return nil }
      parts.append(part)
    }
    guard parts.isEmpty == (type == "hvc1") else { return nil }
  }

  private init?(_ number: Int, of items: HEIFItems, _ bytes: FileBytes) {
    guard let item = items.items[number], ["hvc1", "grid"].contains(item.type) else { return nil }
    var data: [UInt8] = []
    for extent in item.extents {
      let start = extent.offset + (item.isInData ? items.data?.start ?? 0 : 0)
      guard extent.length > 0, start <= bytes.count - extent.length else { return nil }
      data += bytes[start..<start + extent.length]
    }
    guard !data.isEmpty else { return nil }
    type = item.type
    self.data = data
    properties = item.properties.compactMap { number in
      guard items.properties.indices.contains(number - 1) else { return nil }
      let box = items.properties[number - 1]
      guard box.type != "colr", box.start == box.name + 4 else { return nil }
      return (Array(bytes[box.name - 4..<box.end]), item.essential.contains(number))
    }
  }
}
