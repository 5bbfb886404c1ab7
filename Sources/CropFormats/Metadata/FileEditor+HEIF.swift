import FoundationEssentials

extension FileEditor {
  /// A HEIC or AVIF: its `meta` box is written anew, with other items for metadata; their data goes
  /// into a box at the end. The data of items that are gone is overwritten with zeros. A picture that is
  /// turned gets other properties.
  func heif(_ file: Data) -> Data? {
    let source = PictureSource(bytes: file, name: "HEIF")
    var inspection = Inspection(source, limits: Limits(), isLenient: false)
    guard let top = try? inspection.boxes(from: 0, to: file.count),
      let meta = top.first(where: { $0.type == "meta" }), !top.contains(where: \.isCut),
      var items = try? inspection.items(in: meta), let primary = items.primary,
      let parts = try? inspection.boxes(from: meta.start + 4, to: meta.end)
    else { return nil }
    // Data in other items would be needed to know what lies where, and a sequence says in its own boxes
    // where its data lies.
    guard !items.hasDataElsewhere, !top.contains(where: { $0.type == "moov" }) else { return nil }
    let bytes = FileBytes(data: file)
    guard let contents = contents(of: &items, primary, &inspection) else { return nil }
    var work = HEIFWork(
      bytes: bytes, items: items, gone: contents.gone, primary: contents.main,
      added: contents.added)
    work.add("Exif", metadata.exif.map { [0, 0, 0, 0] + $0 })
    work.add("mime", metadata.xmp)

    // Boxes before and after `meta` that stay, each with its header.
    var starts: [Int] = [0]
    for box in top { starts.append(box.end) }
    let kept = top.indices.filter { keeps(box: top[$0], bytes) }
    // The places of all items depend on the size of the box that tells them, but not the reverse:
    // every place is a number of eight bytes.
    let draft = work.meta(parts, of: meta) { $0 }
    var moved: [(from: Range<Int>, to: Int)] = []
    var at = 0
    for index in kept {
      let range = starts[index]..<top[index].end
      moved.append((range, at))
      at += top[index].type == "meta" ? draft.count : range.count
    }
    work.base = at + 8
    let final = work.meta(parts, of: meta) { offset in
      guard let hit = moved.first(where: { $0.from.contains(offset) }) else { return 0 }
      return hit.to + offset - hit.from.lowerBound
    }
    guard final.count == draft.count else { return nil }
    var clean = file
    let spare = dropsOthers ? work.spare(in: top.filter { $0.type == "mdat" }) : []
    for range in work.dead + spare where range.upperBound <= file.count {
      clean.replaceSubrange(
        clean.startIndex + range.lowerBound..<clean.startIndex + range.upperBound,
        with: Data(count: range.count))
    }
    let cleaned = FileBytes(data: clean)
    var result = Data(capacity: file.count + final.count + work.data.count)
    for index in kept {
      if top[index].type == "meta" {
        result.append(contentsOf: final)
      } else {
        result.append(cleaned[starts[index]..<top[index].end])
      }
    }
    if !work.data.isEmpty { result.append(contentsOf: HEIFWork.box("mdat", work.data)) }
    return result
  }

  /// What the file is to hold: its main picture, the items that go, and properties that are new; nil where
  /// that can't be said. Items that are turned have new properties then.
  private func contents(
    of items: inout HEIFItems, _ primary: Int, _ inspection: inout Inspection
  ) -> (main: Int, gone: Set<Int>, added: [[UInt8]]?)? {
    var gone = Set(items.items.filter { isReplaced($0.value) }.keys)
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
      guard let shown = try? items.shown(pictures, &inspection),
        shown.allSatisfy({ items.items[$0]?.hasLengths ?? false })
      else { return nil }
      gone = Set(items.items.keys).subtracting(shown)
    }
    return (pictures[0], gone, added)
  }

  /// Whether the item is metadata that is taken out, perhaps to be put in again.
  private func isReplaced(_ item: HEIFItems.Item) -> Bool {
    let isKnown = item.type == "Exif" || item.contentType == "application/rdf+xml"
    if let turning, turning.keepsOtherMetadata { return isKnown }
    return isKnown || item.type == "mime" || item.type == "uri "
  }

  /// Content credentials never stay, videos and what is unknown go when others do.
  private func keeps(box: HEIFBox, _ bytes: FileBytes) -> Bool {
    switch box.type {
    case "ftyp", "meta", "mdat": true
    case "uuid", "jumb", "mpvd": false
    default: !dropsOthers
    }
  }
}

extension HEIFItems {
  /// The items that show the pictures: the pictures themselves, what they are made of, and their alpha
  /// planes.
  fileprivate func shown(
    _ pictures: [Int], _ inspection: inout Inspection
  ) throws(CropError) -> Set<Int> {
    let colours = withParts(pictures)
    var planes: [Int] = []
    for reference in references where reference.type == "auxl" {
      guard !colours.isDisjoint(with: reference.to),
        try inspection.purpose(of: reference.from, in: self).isAlpha
      else { continue }
      planes.append(reference.from)
    }
    return colours.union(withParts(planes))
  }
}

extension HEIFItems.Item {
  /// Whether all its data has a length, and does not go on to the end of the file.
  fileprivate var hasLengths: Bool { extents.allSatisfy { $0.length > 0 } }
}
