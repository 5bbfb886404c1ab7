import CropJPEG
import FoundationEssentials

extension FileEditor {
  /// Rewrites the `meta` box of a HEIC or AVIF with other items for metadata; their data go into a
  /// box at the end. The data of removed items are overwritten with zeros. An image that is turned
  /// gets other properties.
  func heif(_ file: Data) -> Data? {
    // Data stored in other items have no known positions, and a sequence has data positions in its
    // own boxes.
    guard var heif = try? HEIFContainer(ImageSource(bytes: file, name: "HEIF")),
      !heif.top.contains(where: \.isCut), !heif.items.hasDataElsewhere, !heif.isSequence,
      let contents = contents(of: &heif)
    else { return nil }
    var work = HEIFWork(
      file, heif, gone: contents.gone, primary: contents.main, added: contents.added)
    work.add("Exif", exif(contents, heif).map { [0, 0, 0, 0] + $0 })
    work.add("mime", metadata.xmp)
    for (item, packet) in contents.texts { work.add("mime", packet, about: item) }
    return work.file(
      zeroing: dropsOthers ? heif.top.filter { $0.type == "mdat" } : [], keeps: keeps(box:))
  }

  /// The contents of the new file: its main image, the items to remove, and new properties; nil if
  /// this can't be determined. Turned items get new properties.
  private func contents(of heif: inout HEIFContainer) -> Contents? {
    let items = heif.items
    var gone = Set(items.items.filter { isReplaced($0.value) }.keys)
    var pictures = items.pictures
    var added: [[UInt8]]?
    if let turning {
      guard pictures.indices.contains(turning.page - 1),
        let family = items.family(of: pictures[turning.page - 1]),
        let others = items.others(than: family, of: pictures),
        items.items.values.allSatisfy(\.hasLengths),
        let properties = try? heif.turn(family, by: turning.orientation)
      else { return nil }
      gone.formUnion(others)
      pictures = [pictures[turning.page - 1]]
      added = properties
    }
    if dropsOthers {
      guard let shown = try? heif.shown(pictures) else { return nil }
      let all = shown.union(items.withParts(usableMaps(of: pictures, in: &heif)))
      guard all.allSatisfy({ items.items[$0]?.hasLengths ?? false }) else { return nil }
      gone = Set(items.items.keys).subtracting(all)
    }
    var texts: [(Int, [UInt8])] = []
    for picture in pictures {
      guard let map = try? HEIFGainMap(of: picture, in: &heif), !gone.contains(map.map),
        let packet = try? map.numbers(in: &heif).packet
      else { continue }
      // Only the map's numbers are kept, nothing else in its XMP.
      texts.append((map.map, packet))
    }
    return Contents(main: pictures[0], gone: gone, added: added, texts: texts)
  }

  /// The gain maps that a file keeps if everything except its images is removed, with the brighter
  /// images that they make.
  private func usableMaps(of pictures: [Int], in heif: inout HEIFContainer) -> [Int] {
    pictures.indices.flatMap { index -> [Int] in
      guard let map = try? HEIFGainMap(of: pictures[index], in: &heif) else { return [] }
      let info = try? ImageInfo(
        heif.source, limits: Limits(), isLenient: false, page: turning?.page ?? index + 1)
      guard let info, info.gainMap?.fault == nil else { return [] }
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
  private func exif(_ contents: Contents, _ heif: HEIFContainer) -> [UInt8]? {
    guard metadata.exif == nil, !contents.texts.isEmpty else { return metadata.exif }
    let old = ImageMetadata(heif.source).blocks.exif
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
  private func keeps(box: HEIFBox) -> Bool {
    switch box.type {
    case "ftyp", "meta", "mdat": true
    case "uuid", "jumb", "mpvd": false
    default: !dropsOthers
    }
  }
}

extension HEIFContainer {
  /// The items that show the images: the images, their parts, and their alpha planes.
  fileprivate mutating func shown(_ pictures: [Int]) throws(CropError) -> Set<Int> {
    let colors = items.withParts(pictures)
    var planes: [Int] = []
    for reference in items.references where reference.type == "auxl" {
      guard !colors.isDisjoint(with: reference.to),
        try purpose(of: reference.from).isAlpha
      else { continue }
      planes.append(reference.from)
    }
    return colors.union(items.withParts(planes))
  }
}

extension HEIFItems.Item {
  /// Whether all its extents have a length, instead of extending to the end of the file.
  fileprivate var hasLengths: Bool { extents.allSatisfy { $0.length > 0 } }
}
