import FoundationEssentials

/// A `meta` box (ISO/IEC 14496-12, 8.11) while its items are edited.
struct HEIFWork {
  let bytes: FileBytes
  private(set) var heif: HEIFContainer
  let gone: Set<Int>
  let primary: Int
  /// Properties to append to those of the file; nil if items keep their properties.
  private var added: [[UInt8]]?
  private var news: [New] = []
  /// The contents of the new box at the end.
  private(set) var data: [UInt8] = []
  /// The position of that box's contents in the file.
  var base = 0
  /// Groups of items to add.
  private var groups: [(type: String, members: [Int])] = []
  /// A brand to add to those that the file is compatible with.
  var brand: String?

  /// A new item.
  private struct New {
    let type: String
    let id: Int
    /// The position of its data in `data`.
    let place: Range<Int>
    /// Its references to other items.
    let references: [(type: String, to: [Int])]
    var isHidden = false
  }

  var items: HEIFItems { heif.items }

  /// The items of `file`, whose structure is `heif`, without those in `gone`.
  init(
    _ file: Data, _ heif: HEIFContainer, gone: Set<Int>, primary: Int, added: [[UInt8]]? = nil
  ) {
    bytes = FileBytes(data: file)
    self.heif = heif
    self.gone = gone
    self.primary = primary
    self.added = added
  }

  /// Adds metadata about an item, by default the main image.
  mutating func add(_ type: String, _ contents: [UInt8]?, about item: Int? = nil) {
    guard let contents else { return }
    news.append(
      New(
        type: type, id: nextNumber, place: data.count..<data.count + contents.count,
        references: [("cdsc", [item ?? primary])]))
    data += contents
  }

  /// Adds an image, and returns its item number.
  ///
  /// - Parameters:
  ///   - type: its coding.
  ///   - contents: its coded data.
  ///   - properties: their boxes, each with whether a reader must understand it.
  ///   - references: its references to other items.
  ///   - isHidden: whether it is only shown as a part of others.
  mutating func addPicture(
    _ type: String, _ contents: [UInt8], _ properties: [(box: [UInt8], isEssential: Bool)],
    _ references: [(type: String, to: [Int])], isHidden: Bool = true
  ) -> Int {
    let id = nextNumber
    news.append(
      New(
        type: type, id: id, place: data.count..<data.count + contents.count,
        references: references, isHidden: isHidden))
    data += contents
    let first = items.properties.count + (added?.count ?? 0) + 1
    added = (added ?? []) + properties.map(\.box)
    // `data` holds its contents, so the item has no extents.
    heif.items.items[id] = HEIFItems.Item(
      type: type, properties: Array(first..<first + properties.count),
      essential: Set(properties.indices.filter { properties[$0].isEssential }.map { first + $0 }))
    return id
  }

  /// Adds a group of items to a file without groups.
  mutating func group(_ type: String, _ members: [Int]) { groups.append((type, members)) }

  private var nextNumber: Int {
    max(items.items.keys.max() ?? 0, news.map(\.id).max() ?? 0) + 1
  }

  /// The data of removed items, except for data that others share.
  var dead: [Range<Int>] {
    let live = items.items.filter { !gone.contains($0.key) }.flatMap { ranges(of: $0.value) }
    return gone.compactMap { items.items[$0] }.flatMap(ranges).filter { range in
      !live.contains { $0.overlaps(range) }
    }
  }

  /// The ranges that contain no data of kept items.
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
      let start = items.start(of: item) + extent.offset
      return extent.length > 0 ? start..<start + extent.length : nil
    }
  }

  private var isWide: Bool { nextNumber > 0x1_0000 }
  private func id(_ id: Int) -> [UInt8] { isWide ? Self.big(id, 4) : Self.big(id, 2) }

  /// The box, with the positions of items mapped by `moved`.
  func meta(_ moved: (Int) -> Int) -> [UInt8] {
    var start = heif.meta.start + 4
    var body = Array(bytes[heif.meta.start..<start])
    var hasReferences = false
    for part in heif.parts {
      let header = start
      start = part.end
      switch part.type {
      case "iinf": body += infos(part)
      case "iloc": body += places(moved)
      case "iprp": body += properties(part, from: header)
      case "pitm" where primary != items.primary:
        body += Self.box("pitm", [isWide ? 1 : 0, 0, 0, 0] + id(primary))
      case "grpl" where !gone.isEmpty: body += groups(part)
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
    let added = groups.enumerated().flatMap { index, group in
      // The number of a group is not that of an item.
      Self.box(
        group.type,
        [0, 0, 0, 0] + Self.big(nextNumber + index, 4) + Self.big(group.members.count, 4)
          + group.members.flatMap { Self.big($0, 4) })
    }
    if !added.isEmpty { body += Self.box("grpl", added) }
    return Self.box("meta", body)
  }

  /// The item list: the existing entries except for removed items, then the new ones.
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
          "infe",
          [version, 0, 0, new.isHidden ? 1 : 0] + id(new.id) + [0, 0] + Array(new.type.utf8)
            + words))
    }
    let count = Self.big(entries.count, 4)
    return Self.box("iinf", [1, 0, 0, 0] + count + Array(entries.joined()))
  }

  /// The properties; those that only removed images used become boxes that readers ignore.
  private func properties(_ box: HEIFBox, from start: Int) -> [UInt8] {
    let end = box.end
    var part = Array(bytes[start..<end])
    let linked = Set(
      items.items.filter { !gone.contains($0.key) }.flatMap(\.value.properties))
    for (index, property) in items.properties.enumerated() where !linked.contains(index + 1) {
      guard property.name >= start, property.end <= end else { continue }
      let name = property.name - start
      part.replaceSubrange(name..<name + 4, with: "free".utf8)
      for at in property.start..<property.end { part[at - start] = 0 }
    }
    guard let added else { return part }
    return relinked(FileBytes(data: Data(part[(box.start - start)...])), adding: added)
  }

  /// The contents of `iprp` with more properties, and the links of every item rewritten.
  private func relinked(_ part: FileBytes, adding added: [[UInt8]]) -> [UInt8] {
    var body: [UInt8] = []
    var at = 0
    while let size = part.big(at), size >= 8, at + size <= part.count {
      let box = Array(part[at..<at + size])
      switch part.name(at + 4) {
      case "ipco": body += Self.box("ipco", Array(box.dropFirst(8)) + Array(added.joined()))
      case "ipma": break
      default: body += box
      }
      at += size
    }
    let linked = items.items.filter { !gone.contains($0.key) && !$0.value.properties.isEmpty }
    let isLarge = linked.values.contains { $0.properties.contains { $0 > 0x7F } }
    var links: [UInt8] = [isWide ? 1 : 0, 0, 0, isLarge ? 1 : 0] + Self.big(linked.count, 4)
    for (number, item) in linked.sorted(by: { $0.key < $1.key }) {
      links += id(number) + [UInt8(truncatingIfNeeded: item.properties.count)]
      for index in item.properties {
        let mark = item.essential.contains(index) ? isLarge ? 0x8000 : 0x80 : 0
        links += Self.big(index | mark, isLarge ? 2 : 1)
      }
    }
    return Self.box("iprp", body + Self.box("ipma", links))
  }

  /// The groups of items, without removed items (ISO/IEC 14496-12, 8.15.3).
  private func groups(_ part: HEIFBox) -> [UInt8] {
    var groups: [UInt8] = []
    var at = part.start
    while let size = bytes.big(at), size >= 8, at + size <= part.end, let type = bytes.name(at + 4)
    {
      defer { at += size }
      guard size >= 20, let count = bytes.big(at + 16), count <= (size - 20) / 4 else { continue }
      let members = (0..<count).compactMap { bytes.big(at + 20 + 4 * $0) }
      let stay = members.filter { !gone.contains($0) }
      guard stay.count == members.count || stay.count > 1 else { continue }
      groups += Self.box(
        type,
        bytes[at + 8..<at + 16] + Self.big(stay.count, 4) + stay.flatMap { Self.big($0, 4) }
          + bytes[at + 20 + 4 * count..<at + size])
    }
    return groups.isEmpty ? [] : Self.box("grpl", groups)
  }

  /// The positions of each item's data, with eight bytes for each position and length.
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

  /// The references between items, including the new ones.
  private var references: [UInt8] {
    var body: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
    for reference in items.references where !gone.contains(reference.from) {
      // A name that is not valid text was not preserved exactly.
      guard reference.type.utf8.count == 4 else { continue }
      let to = reference.to.filter { !gone.contains($0) }
      guard !to.isEmpty else { continue }
      body += Self.box(
        reference.type, id(reference.from) + Self.big(to.count, 2) + to.flatMap(id))
    }
    for new in news {
      for (type, to) in new.references {
        body += Self.box(type, id(new.id) + Self.big(to.count, 2) + to.flatMap(id))
      }
    }
    return body.count > 4 ? Self.box("iref", body) : []
  }

  static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    big(contents.count + 8, 4) + Array(type.utf8.prefix(4)) + contents
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    ByteOrder.big.bytes(value, count)
  }
}
