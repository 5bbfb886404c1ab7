import FoundationEssentials

extension FileEditor {
  /// A HEIC or AVIF: its `meta` box is written anew, with other items for metadata; their data goes
  /// into a box at the end. The data of items that are gone is overwritten with zeros.
  func heif(_ file: Data) -> Data? {
    let source = PictureSource(bytes: file, name: "HEIF")
    var inspection = Inspection(source, limits: Limits(), isLenient: false)
    guard let top = try? inspection.boxes(from: 0, to: file.count),
      let meta = top.first(where: { $0.type == "meta" }), !top.contains(where: \.isCut),
      let items = try? inspection.items(in: meta), let primary = items.primary,
      let parts = try? inspection.boxes(from: meta.start + 4, to: meta.end)
    else { return nil }
    // Data in other items would be needed to know what lies where, and a sequence says in its own boxes
    // where its data lies.
    guard !items.hasDataElsewhere, !top.contains(where: { $0.type == "moov" }) else { return nil }
    let bytes = FileBytes(data: file)
    var gone = Set(items.items.filter { Self.isMetadata($0.value) }.keys)
    if dropsOthers {
      guard let shown = try? items.shown(primary: primary, &inspection),
        shown.allSatisfy({ items.items[$0]?.hasLengths ?? false })
      else { return nil }
      gone = Set(items.items.keys).subtracting(shown)
    }
    var work = HEIFWork(bytes: bytes, items: items, gone: gone, primary: primary)
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

  private static func isMetadata(_ item: HEIFItems.Item) -> Bool {
    item.type == "Exif" || item.type == "mime" || item.type == "uri "
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
    primary: Int, _ inspection: inout Inspection
  ) throws(CropError) -> Set<Int> {
    let colours = withParts(pictures(primary: primary))
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

/// A `meta` box (ISO/IEC 14496-12, 8.11) on its way to other items.
private struct HEIFWork {
  let bytes: FileBytes
  let items: HEIFItems
  let gone: Set<Int>
  let primary: Int
  /// What is new: type, number, place in `data`.
  private var news: [(type: String, id: Int, place: Range<Int>)] = []
  /// The contents of the new box at the end.
  private(set) var data: [UInt8] = []
  /// Where the contents of that box begin in the file.
  var base = 0

  init(bytes: FileBytes, items: HEIFItems, gone: Set<Int>, primary: Int) {
    self.bytes = bytes
    self.items = items
    self.gone = gone
    self.primary = primary
  }

  mutating func add(_ type: String, _ contents: [UInt8]?) {
    guard let contents else { return }
    let id = (items.items.keys.max() ?? 0) + 1 + news.count
    news.append((type, id, data.count..<data.count + contents.count))
    data += contents
  }

  /// Where the data lay of items that are gone, but for what others share.
  var dead: [Range<Int>] {
    let live = items.items.filter { !gone.contains($0.key) }.flatMap { ranges(of: $0.value) }
    return gone.compactMap { items.items[$0] }.flatMap(ranges).filter { range in
      !live.contains { $0.overlaps(range) }
    }
  }

  /// What no item that stays has its data in.
  func spare(in boxes: [HEIFBox]) -> [Range<Int>] {
    let live = items.items.filter { !gone.contains($0.key) }.flatMap { ranges(of: $0.value) }
      .sorted { $0.lowerBound < $1.lowerBound }
    var spare: [Range<Int>] = []
    for box in boxes {
      var start = box.start
      for range in live where range.upperBound > start && range.lowerBound < box.end {
        if range.lowerBound > start { spare.append(start..<range.lowerBound) }
        start = range.upperBound
      }
      if start < box.end { spare.append(start..<box.end) }
    }
    return spare
  }

  private func ranges(of item: HEIFItems.Item) -> [Range<Int>] {
    item.extents.compactMap { extent in
      let start = extent.offset + (item.isInData ? items.data?.start ?? 0 : 0)
      return extent.length > 0 ? start..<start + extent.length : nil
    }
  }

  private var isWide: Bool { (items.items.keys.max() ?? 0) + news.count > 0xFFFF }
  private func id(_ id: Int) -> [UInt8] { isWide ? Self.big(id, 4) : Self.big(id, 2) }

  /// The box, with the places of items moved by `moved`.
  func meta(_ parts: [HEIFBox], of meta: HEIFBox, _ moved: (Int) -> Int) -> [UInt8] {
    var body = Array(bytes[meta.start..<meta.start + 4])
    var start = meta.start + 4
    var hasReferences = false
    for part in parts {
      let header = start
      start = part.end
      switch part.type {
      case "iinf": body += infos(part)
      case "iloc": body += places(moved)
      case "iprp": body += properties(from: header, to: part.end)
      // Pictures that are gone leave no group.
      case "grpl" where !gone.isEmpty: break
      case "iref":
        hasReferences = true
        body += references
      case "idat":
        var contents = Array(bytes[header..<part.end])
        for range in dead where range.lowerBound >= part.start && range.upperBound <= part.end {
          for at in range { contents[at - header] = 0 }
        }
        body += contents
      default: body += bytes[header..<part.end]
      }
    }
    if !hasReferences, !news.isEmpty { body += references }
    return Self.box("meta", body)
  }

  /// The list of items: the old entries but for those that are gone, then the new ones.
  private func infos(_ part: HEIFBox) -> [UInt8] {
    var entries: [[UInt8]] = []
    var at = part.start + (bytes[part.start] == 0 ? 6 : 8)
    while let size = bytes.big(at), size >= 12, at + size <= part.end {
      let idSize = bytes[at + 8] == 3 ? 4 : 2
      let id = bytes.big(at + 12, idSize) ?? 0
      if bytes[at + 8] < 2 || !gone.contains(id) { entries.append(Array(bytes[at..<at + size])) }
      at += size
    }
    for new in news {
      let version: UInt8 = isWide ? 3 : 2
      let words = new.type == "mime" ? Array("\0application/rdf+xml\0".utf8) : [0]
      entries.append(
        Self.box(
          "infe", [version, 0, 0, 0] + id(new.id) + [0, 0] + Array(new.type.utf8) + words))
    }
    let count = Self.big(entries.count, 4)
    return Self.box("iinf", [1, 0, 0, 0] + count + entries.joined())
  }

  /// The properties: what no picture that stays has is a box that nobody reads.
  private func properties(from start: Int, to end: Int) -> [UInt8] {
    var part = Array(bytes[start..<end])
    let linked = Set(
      items.items.filter { !gone.contains($0.key) }.flatMap(\.value.properties))
    for (index, property) in items.properties.enumerated() where !linked.contains(index + 1) {
      guard property.name >= start, property.end <= end else { continue }
      let name = property.name - start
      part.replaceSubrange(name..<name + 4, with: "free".utf8)
      for at in property.start..<property.end { part[at - start] = 0 }
    }
    return part
  }

  /// Where the data of each item lies: one number of eight bytes for each place and length.
  private func places(_ moved: (Int) -> Int) -> [UInt8] {
    var body: [UInt8] = [isWide ? 2 : 1, 0, 0, 0, 0x88, 0]
    let stay = items.items.keys.filter { !gone.contains($0) }.sorted()
      .filter { !(items.items[$0]?.extents.isEmpty ?? true) }
    body += isWide ? Self.big(stay.count + news.count, 4) : Self.big(stay.count + news.count, 2)
    for number in stay {
      guard let item = items.items[number] else { continue }
      body += id(number) + [0, item.isInData ? 1 : 0, 0, 0] + Self.big(item.extents.count, 2)
      for extent in item.extents {
        body += Self.big(item.isInData ? extent.offset : moved(extent.offset), 8)
        body += Self.big(extent.length, 8)
      }
    }
    for new in news {
      body += id(new.id) + [0, 0, 0, 0, 0, 1]
      body += Self.big(base + new.place.lowerBound, 8) + Self.big(new.place.count, 8)
    }
    return Self.box("iloc", body)
  }

  /// What items are to each other; the new ones describe the main picture.
  private var references: [UInt8] {
    var body: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
    for reference in items.references where !gone.contains(reference.from) {
      // A name that is no text was not kept as it is.
      guard reference.type.utf8.count == 4 else { continue }
      let to = reference.to.filter { !gone.contains($0) }
      guard !to.isEmpty else { continue }
      body += Self.box(
        reference.type, id(reference.from) + Self.big(to.count, 2) + to.flatMap(id))
    }
    for new in news { body += Self.box("cdsc", id(new.id) + Self.big(1, 2) + id(primary)) }
    return body.count > 4 ? Self.box("iref", body) : []
  }

  static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    big(contents.count + 8, 4) + type.utf8.prefix(4) + contents
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    ByteOrder.big.bytes(value, count)
  }
}
