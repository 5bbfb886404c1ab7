/// A box of a HEIF file: its type and the position of its content.
struct HEIFBox {
  let type: String
  /// The position of the type.
  let name: Int
  let start: Int
  let end: Int
  /// Whether the box claims to be longer than its container, whose end is then `end`.
  let isCut: Bool
}

/// The items of a HEIF file, as its `meta` box lists them (ISO/IEC 23008-12).
struct HEIFItems {
  /// An image, or data about one.
  struct Item {
    var type = ""
    var contentType = ""
    /// The indexes of its properties, from 1, in the order in which they are applied.
    var properties: [Int] = []
    /// The properties that a reader must support to show the item.
    var essential: Set<Int> = []
    /// The ranges of its data, from the start of the file, or of `idat`.
    var extents: [(offset: Int, length: Int)] = []
    var isInData = false
    var isHidden = false
    /// The position of the content of its entry in the item list.
    var entry: Int?
  }

  /// A typed reference from one item to others.
  struct Reference {
    let type: String
    let from: Int
    let to: [Int]
    let box: HEIFBox
  }

  var items: [Int: Item] = [:]
  var properties: [HEIFBox] = []
  var references: [Reference] = []
  var primary: Int?
  /// The content of `idat`.
  var data: HEIFBox?
  /// Whether data of an item is in another item, or in another file.
  var hasDataElsewhere = false

  /// The properties of an item, in the order in which they are applied.
  func properties(of item: Int) -> [HEIFBox] {
    (items[item]?.properties ?? []).compactMap {
      properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil
    }
  }

  /// The tiles or layers of `item`, if it is a grid or an overlay.
  func parts(of item: Int) -> [Int] {
    references.filter { $0.type == "dimg" && $0.from == item }.flatMap(\.to)
  }

  /// The XMP packets that describe some of `pictures` and nothing else.
  func descriptions(ofNothingBut pictures: Set<Int>) -> Set<Int> {
    var described: [Int: Bool] = [:]
    for reference in references where reference.type == "cdsc" {
      guard items[reference.from]?.contentType == "application/rdf+xml" else { continue }
      let isOfThem = pictures.isSuperset(of: reference.to)
      described[reference.from] = (described[reference.from] ?? true) && isOfThem
    }
    return Set(described.filter(\.value).keys)
  }
}

extension Inspection {
  /// The largest number of boxes of one kind; more count as damage.
  private static var mostBoxes: Int { 100_000 }

  /// The boxes between two offsets.
  mutating func boxes(from start: Int, to end: Int) throws(CropError) -> [HEIFBox] {
    var boxes: [HEIFBox] = []
    var position = start
    while position < end, boxes.count < Self.mostBoxes {
      guard let small = try reader.big32(position), position + 8 <= end,
        let name = try reader.bytes(position + 4, 4)
      else {
        boxes.append(HEIFBox(type: "", name: end, start: end, end: end, isCut: true))
        break
      }
      var content = position + 8
      var size = small
      if small == 1 {
        guard let large = try reader.number(position + 8, size: 8), position + 16 <= end else {
          throw corrupt("a box is cut short")
        }
        (size, content) = (large, position + 16)
      } else if small == 0 {
        size = end - position
      }
      guard size >= content - position else { throw corrupt("a box is smaller than its header") }
      let isCut = size > end - position
      let reach = isCut ? end : position + size
      boxes.append(
        HEIFBox(
          type: String(decoding: name, as: UTF8.self), name: position + 4, start: content,
          end: reach, isCut: isCut))
      position = reach
    }
    return boxes
  }

  /// The `meta` box among `boxes`; nil if there is none.
  ///
  /// Of several, decoders take another one.
  func metaBox(among boxes: [HEIFBox]) throws(CropError) -> HEIFBox? {
    let found = boxes.filter { $0.type == "meta" }
    guard found.count <= 1 else { throw corrupt("it describes its images twice") }
    return found.first
  }

  /// Reads the items that the `meta` box lists, and checks the derived images among them.
  ///
  /// Whatever a file may state only once is refused if it occurs twice: decoders differ in which
  /// one they take, and would see another image than the one that was checked.
  mutating func items(in meta: HEIFBox) throws(CropError) -> HEIFItems {
    var all = HEIFItems()
    let parts = try boxes(from: meta.start + 4, to: meta.end)
    for name in ["pitm", "iinf", "iloc", "iref", "iprp", "idat"] {
      try single(parts.filter { $0.type == name }.count, name)
    }
    for box in parts {
      switch box.type {
      case "pitm":
        let version = try need(reader.byte(box.start), "the primary item")
        all.primary = try reader.number(box.start + 4, size: version == 0 ? 2 : 4)
      case "iinf": try itemTypes(box, &all)
      case "iloc": try itemPlaces(box, &all)
      case "iref": try itemReferences(box, &all)
      case "iprp": try itemProperties(box, &all)
      case "idat": all.data = box
      default: break
      }
    }
    try checkDerived(all)
    return all
  }

  private func single(_ count: Int, _ what: String) throws(CropError) {
    guard count <= 1 else { throw corrupt("it has \(what) twice") }
  }

  private mutating func itemTypes(_ box: HEIFBox, _ all: inout HEIFItems) throws(CropError) {
    let version = try need(reader.byte(box.start), "the list of items")
    for entry in try boxes(from: box.start + (version == 0 ? 6 : 8), to: box.end)
    where entry.type == "infe" {
      let version = try need(reader.byte(entry.start), "the list of items")
      guard version >= 2 else { continue }
      let isHidden = try need(reader.number(entry.start + 1, size: 3), "the list of items") & 1
      let width = version == 2 ? 2 : 4
      let item = try need(reader.number(entry.start + 4, size: width), "the list of items")
      let place = entry.start + 4 + width + 2
      let type = try need(reader.bytes(place, 4), "the list of items")
      try single(all.items[item]?.entry == nil ? 1 : 2, "an item")
      all.items[item, default: .init()].type = String(decoding: type, as: UTF8.self)
      all.items[item, default: .init()].isHidden = isHidden == 1
      all.items[item, default: .init()].entry = entry.start
      // The item's name, then for `mime` the content type, both terminated by a zero.
      let rest = try reader.bytes(place + 4, max(0, min(256, entry.end - place - 4))) ?? []
      let words = rest.split(separator: 0, omittingEmptySubsequences: false)
      if words.count > 1 {
        all.items[item, default: .init()].contentType = String(decoding: words[1], as: UTF8.self)
      }
    }
  }

  private mutating func itemPlaces(_ box: HEIFBox, _ all: inout HEIFItems) throws(CropError) {
    let what = "the positions of the items"
    let version = try need(reader.byte(box.start), what)
    let sizes = try need(reader.big16(box.start + 4), what)
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) })
    else { throw corrupt("\(what) are invalid") }
    let idSize = version < 2 ? 2 : 4
    let count = try need(reader.number(box.start + 6, size: idSize), what)
    var position = box.start + 6 + idSize
    guard count <= Self.mostBoxes else { throw corrupt("it has too many items") }
    var placed: Set<Int> = []
    for _ in 0..<count {
      let item = try field(idSize, at: &position, in: box)
      try single(placed.insert(item).inserted ? 1 : 2, "the position of an item")
      let method = version == 0 ? 0 : try field(2, at: &position, in: box) & 15
      if try field(2, at: &position, in: box) != 0 || method > 1 { all.hasDataElsewhere = true }
      let base = try field(baseSize, at: &position, in: box)
      var extents: [(offset: Int, length: Int)] = []
      for _ in 0..<(try field(2, at: &position, in: box)) {
        // Extents without fields take no bytes, so the file's size would not limit their number.
        guard offsetSize + lengthSize > 0 || extents.isEmpty else { break }
        try countPart()
        _ = try field(indexSize, at: &position, in: box)
        let place = try field(offsetSize, at: &position, in: box)
        let (offset, overflow) = base.addingReportingOverflow(place)
        let length = try field(lengthSize, at: &position, in: box)
        extents.append((overflow ? .max : offset, length))
      }
      all.items[item, default: .init()].extents = extents
      all.items[item, default: .init()].isInData = method == 1
    }
  }

  /// Reads the number of `size` bytes (0 for none) at `position`, and moves `position` after it.
  private mutating func field(
    _ size: Int, at position: inout Int, in box: HEIFBox
  ) throws(CropError) -> Int {
    guard size > 0 else { return 0 }
    guard position + size <= box.end, let value = try reader.number(position, size: size) else {
      throw corrupt("it ends inside the box \(box.type)")
    }
    position += size
    return value
  }

  private mutating func itemReferences(_ box: HEIFBox, _ all: inout HEIFItems) throws(CropError) {
    let size = try need(reader.byte(box.start), "the references") == 0 ? 2 : 4
    for entry in try boxes(from: box.start + 4, to: box.end) {
      guard let from = try reader.number(entry.start, size: size),
        let count = try reader.big16(entry.start + size)
      else { throw corrupt("it ends inside the references") }
      var to: [Int] = []
      for i in 0..<count {
        let place = entry.start + size + 2 + i * size
        guard place + size <= entry.end, let item = try reader.number(place, size: size) else {
          throw corrupt("it ends inside the references")
        }
        try countPart()
        to.append(item)
      }
      all.references.append(.init(type: entry.type, from: from, to: to, box: entry))
    }
  }

  private mutating func itemProperties(_ box: HEIFBox, _ all: inout HEIFItems) throws(CropError) {
    let what = "the properties"
    let parts = try boxes(from: box.start, to: box.end)
    try single(parts.filter { $0.type == "ipco" }.count, what)
    var described: Set<Int> = []
    for part in parts {
      if part.type == "ipco" { all.properties = try boxes(from: part.start, to: part.end) }
      guard part.type == "ipma" else { continue }
      let version = try need(reader.byte(part.start), what)
      let isWide = try need(reader.number(part.start + 1, size: 3), what) & 1 == 1
      let count = try need(reader.big32(part.start + 4), what)
      var position = part.start + 8
      guard count <= Self.mostBoxes else { throw corrupt("it has too many items") }
      for _ in 0..<count {
        let idSize = version == 0 ? 2 : 4
        let item = try need(reader.number(position, size: idSize), what)
        let links = try need(reader.byte(position + idSize), what)
        try single(described.insert(item).inserted ? 1 : 2, "the properties of an item")
        position += idSize + 1
        var indexes: [Int] = []
        var essential: Set<Int> = []
        for _ in 0..<links {
          let value = try need(reader.number(position, size: isWide ? 2 : 1), what)
          let index = value & (isWide ? 0x7FFF : 0x7F)
          indexes.append(index)
          if value != index { essential.insert(index) }
          position += isWide ? 2 : 1
        }
        guard position <= part.end else { throw corrupt("it ends inside \(what)") }
        all.items[item, default: .init()].properties = indexes
        all.items[item, default: .init()].essential = essential
      }
    }
  }
}
