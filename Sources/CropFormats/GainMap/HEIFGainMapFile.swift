import CropCore
import CropJPEG
import CropMetadata
import FoundationEssentials

extension GainMapNumbers {
  /// The HEIC or AVIF `base` with its gain map: as an auxiliary image in Apple's form, as the
  /// second input of a brighter image (`tmap`), or as both, as its numbers say.
  ///
  /// - Parameters:
  ///   - map: a file of the same format that only contains the cut map.
  ///   - base: the file of the image.
  ///   - exif: the EXIF of the source, with Apple's numbers.
  /// - Returns: nil if one of the files has an unexpected structure, or the numbers are unusable.
  package func heif(
    _ map: Data, behind base: Data, as format: ImageFormat, exif: [UInt8]?
  ) -> Data? {
    let source = ImageSource(bytes: base, name: "HEIF")
    guard let coded = CodedItem(map), var heif = try? HEIFContainer(source),
      !heif.top.contains(where: \.isCut)
    else { return nil }
    let primary = heif.items.primary
    // Only HEICs have maps in Apple's form.
    let isApple = hasApple && format == .heic
    let iso = iso ?? (isApple ? nil : convertedFromApple(exif: exif)?.iso)
    guard isApple || iso != nil else { return nil }
    let note = isApple ? missingNote(in: source, from: exif) : nil
    let blocks = heif.items.items.filter { $0.value.type == "Exif" }.keys
    var work = HEIFWork(base, heif, gone: note == nil ? [] : Set(blocks), primary: primary)
    work.add("Exif", note.map { [0, 0, 0, 0] + $0 })
    let name = isApple ? HEIFPurpose.appleGainMap : vendor
    var properties = mapColors
    if let name { properties.append(HEIFWork.box("auxC", [0, 0, 0, 0] + Array(name.utf8) + [0])) }
    let parts = coded.parts.map { work.addPicture($0.type, $0.data, $0.properties, []) }
    let item = work.addPicture(
      coded.type, coded.data, coded.properties + properties.map { ($0, false) },
      (name == nil ? [] : [("auxl", [primary])]) + (parts.isEmpty ? [] : [("dimg", parts)]))
    work.add("mime", packet, about: item)
    if let iso, !addBrighter(iso, of: primary, item, &heif, to: &work) { return nil }
    return work.file()
  }

  /// EXIF with Apple's numbers of the source; nil if a file has them or other EXIF.
  private func missingNote(in file: ImageSource, from exif: [UInt8]?) -> [UInt8]? {
    let old = ImageMetadata(file).blocks.exif
    // A block that contains more than the orientation is kept.
    guard old.map({ $0.count <= 64 && AppleHeadroom(inEXIF: $0) == nil }) ?? true else {
      return nil
    }
    return exif.flatMap(AppleHeadroom.init(inEXIF:))?.exif(.up)
  }

  /// Adds the brighter image that a map makes (`tmap`), and that readers show instead of the image
  /// if they can (ISO/IEC 23008-12, 6.6.2.4); false if the image's size is unknown.
  private func addBrighter(
    _ iso: [UInt8], of primary: Int, _ map: Int, _ heif: inout HEIFContainer,
    to work: inout HEIFWork
  ) -> Bool {
    var picture = HEIFPicture()
    for property in work.items.properties(of: primary) {
      guard (try? heif.apply(property, to: &picture)) != nil else { return false }
    }
    guard let shown = picture.shown else { return false }
    let size = [shown.width, shown.height].flatMap { ByteOrder.big.bytes($0, 4) }
    var properties = [HEIFWork.box("ispe", [0, 0, 0, 0] + size)]
    if brighter.isEmpty {
      for property in work.items.properties(of: primary)
      where ["colr", "pixi"].contains(property.type) && property.start == property.name + 4 {
        properties.append(Array(work.bytes[property.name - 4..<property.end]))
      }
    } else {
      properties += brighter
    }
    let derived = work.addPicture(
      "tmap", [0] + iso.dropFirst(Self.isoStart.count), properties.map { ($0, false) },
      [("dimg", [primary, map])], isHidden: false)
    work.group("altr", [derived, primary])
    work.brand = "tmap"
    return true
  }

  /// The color spaces of the map, with the coding of the samples that libheif writes: the matrix
  /// of BT.601 in full range.
  private var mapColors: [[UInt8]] {
    var boxes = colors.map { box in
      guard box.count == 19, box[8..<12].elementsEqual("nclx".utf8) else { return box }
      return box[..<16] + [0, 6, 0x80]
    }
    // Readers of `tmap` expect one; its primaries and transfer function are not stated.
    if iso != nil, !boxes.contains(where: { $0.dropFirst(8).starts(with: "nclx".utf8) }) {
      boxes.append(HEIFWork.box("colr", Array("nclx".utf8) + [0, 2, 0, 2, 0, 6, 0x80]))
    }
    return boxes
  }
}

/// An image of a HEIC or AVIF that was just written.
private struct CodedItem {
  let type: String
  let data: [UInt8]
  /// The properties that decoding requires, without those that describe colors.
  let properties: [(box: [UInt8], isEssential: Bool)]
  /// The tiles of a grid: libheif extends a small image to a tile.
  private(set) var parts: [CodedItem] = []

  /// The main image of a file.
  init?(_ file: Data) {
    guard let items = try? HEIFContainer(ImageSource(bytes: file, name: "map")).items else {
      return nil
    }
    let bytes = FileBytes(data: file)
    self.init(items.primary, of: items, bytes)
    for part in items.parts(of: items.primary) {
      guard let part = CodedItem(part, of: items, bytes) else { return nil }
      parts.append(part)
    }
    guard parts.isEmpty == (type != "grid") else { return nil }
  }

  private init?(_ number: Int, of items: HEIFItems, _ bytes: FileBytes) {
    guard let item = items.items[number], ["hvc1", "av01", "grid"].contains(item.type) else {
      return nil
    }
    var data: [UInt8] = []
    for extent in item.extents {
      let start = items.start(of: item) + extent.offset
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
