import CropJPEG
import FoundationEssentials

extension FileEditor {
  /// Rewrites the `meta` box of a HEIC or AVIF with other items for metadata; their data go into a
  /// box at the end. The data of removed items are overwritten with zeros. An image that is turned
  /// gets other properties.
  func heif(_ file: Data) -> Data? {
    let source = ImageSource(bytes: file, name: "HEIF")
    var inspection = Inspection(source, limits: Limits(), isLenient: false)
    guard let top = try? inspection.boxes(from: 0, to: file.count),
      let meta = top.first(where: { $0.type == "meta" }), !top.contains(where: \.isCut),
      var items = try? inspection.items(in: meta), let primary = items.primary,
      let parts = try? inspection.boxes(from: meta.start + 4, to: meta.end)
    else { return nil }
    // Data stored in other items have no known positions, and a sequence has data positions in its
    // own boxes.
    guard !items.hasDataElsewhere, !top.contains(where: { $0.type == "moov" }) else { return nil }
    let bytes = FileBytes(data: file)
    guard let contents = contents(of: &items, primary, &inspection) else { return nil }
    var work = HEIFWork(
      bytes: bytes, items: items, gone: contents.gone, primary: contents.main,
      added: contents.added)
    work.add("Exif", exif(contents, &inspection, items).map { [0, 0, 0, 0] + $0 })
    work.add("mime", metadata.xmp)
    for (item, packet) in contents.texts { work.add("mime", packet, about: item) }
    return work.file(
      of: file, top, meta, parts, zeroing: dropsOthers ? top.filter { $0.type == "mdat" } : []
    ) { keeps(box: $0, bytes) }
  }

  /// The contents of the new file: its main image, the items to remove, and new properties; nil if
  /// this can't be determined. Turned items get new properties.
  private func contents(
    of items: inout HEIFItems, _ primary: Int, _ inspection: inout Inspection
  ) -> Contents? {
    var gone = Set(items.items.filter { isReplaced($0.value) }.keys)
    let before = items
    var pictures = items.pictures(primary: primary)
    var added: [[UInt8]]?
    if let turning {
      guard pictures.indices.contains(turning.page - 1),
        let family = items.family(of: pictures[turning.page - 1]),
        let others = items.others(than: family, of: pictures),
        items.items.values.allSatisfy(\.hasLengths),
        let properties = try? items.turn(family, by: turning.orientation, &inspection)
      else { return nil }
      gone.formUnion(others)
      pictures = [pictures[turning.page - 1]]
      added = properties
    }
    if dropsOthers {
      guard let shown = try? items.shown(pictures, &inspection) else { return nil }
      let all = shown.union(items.withParts(usableMaps(of: pictures, in: before, &inspection)))
      guard all.allSatisfy({ items.items[$0]?.hasLengths ?? false }) else { return nil }
      gone = Set(items.items.keys).subtracting(all)
    }
    var texts: [(Int, [UInt8])] = []
    for picture in pictures {
      guard let map = try? inspection.gainMapItems(before, of: picture), !gone.contains(map.map),
        let packet = try? inspection.gainMapNumbers(map, before).packet
      else { continue }
      // Only the map's numbers are kept, nothing else in its XMP.
      texts.append((map.map, packet))
    }
    return Contents(main: pictures[0], gone: gone, added: added, texts: texts)
  }

  /// The gain maps that a file keeps if everything except its images is removed, with the brighter
  /// images that they make.
  private func usableMaps(
    of pictures: [Int], in items: HEIFItems, _ inspection: inout Inspection
  ) -> [Int] {
    pictures.indices.flatMap { index -> [Int] in
      guard let map = try? inspection.gainMapItems(items, of: pictures[index]) else { return [] }
      var page = Inspection(
        inspection.reader.source, limits: Limits(), isLenient: false,
        page: turning?.page ?? index + 1)
      guard let info = try? page.info(), info.gainMap?.fault == nil else { return [] }
      return [map.map] + (map.derived.map { [$0] } ?? [])
    }
  }

  /// The contents of the new file.
  private struct Contents {
    var main: Int
    var gone: Set<Int>
    var added: [[UInt8]]?
    /// The XMP packets of gain maps.
    var texts: [(item: Int, packet: [UInt8])]
  }

  /// The EXIF, with Apple's parameters of a gain map that is kept although other metadata is
  /// removed.
  private func exif(
    _ contents: Contents, _ inspection: inout Inspection, _ items: HEIFItems
  ) -> [UInt8]? {
    guard metadata.exif == nil, !contents.texts.isEmpty else { return metadata.exif }
    let old = ImageMetadata(inspection.reader.source).blocks.exif
    return old.flatMap(AppleHeadroom.init(inEXIF:))?.exif(.up)
  }

  /// Whether the item is metadata that is removed, possibly to be inserted again.
  private func isReplaced(_ item: HEIFItems.Item) -> Bool {
    let isKnown = item.type == "Exif" || item.contentType == "application/rdf+xml"
    if let turning, turning.keepsOtherMetadata { return isKnown }
    return isKnown || item.type == "mime" || item.type == "uri "
  }

  /// Whether a box is kept: never content credentials; videos and unknown boxes unless other data
  /// is removed.
  private func keeps(box: HEIFBox, _ bytes: FileBytes) -> Bool {
    switch box.type {
    case "ftyp", "meta", "mdat": true
    case "uuid", "jumb", "mpvd": false
    default: !dropsOthers
    }
  }
}

extension HEIFItems {
  /// The items that show the images: the images, their parts, and their alpha planes.
  fileprivate func shown(
    _ pictures: [Int], _ inspection: inout Inspection
  ) throws(CropError) -> Set<Int> {
    let colors = withParts(pictures)
    var planes: [Int] = []
    for reference in references where reference.type == "auxl" {
      guard !colors.isDisjoint(with: reference.to),
        try inspection.purpose(of: reference.from, in: self).isAlpha
      else { continue }
      planes.append(reference.from)
    }
    return colors.union(withParts(planes))
  }
}

extension HEIFItems.Item {
  /// Whether all its extents have a length, instead of extending to the end of the file.
  fileprivate var hasLengths: Bool { extents.allSatisfy { $0.length > 0 } }
}
