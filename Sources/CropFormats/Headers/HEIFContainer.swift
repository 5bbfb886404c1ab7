import CropCore

/// The boxes and items of a HEIC or AVIF (ISO/IEC 23008-12), and the file that they are read from.
struct HEIFContainer: StructureReader {
  var reader: PictureReader
  var source: ImageSource { reader.source }
  /// The boxes of the file.
  let top: [HEIFBox]
  /// The box that lists the items.
  let meta: HEIFBox
  /// The boxes in `meta`.
  let parts: [HEIFBox]
  let isSequence: Bool
  var items = HEIFItems()

  /// Reads the boxes and items of a file, and checks the derived images among them.
  ///
  /// - Throws: an error for an invalid file, or one without a main image.
  init(_ source: ImageSource) throws(CropError) {
    reader = PictureReader(source)
    top = try reader.boxes(from: 0, to: reader.count)
    isSequence = top.contains { $0.type == "moov" }
    let found = top.filter { $0.type == "meta" }
    // Of several, decoders take another one.
    guard found.count <= 1 else { throw reader.corrupt("it describes its images twice") }
    guard let meta = found.first else {
      throw top.contains(where: \.isCut)
        ? reader.corrupt("it ends before its image")
        : reader.unsupported("a HEIF \(isSequence ? "sequence" : "file") without a still image")
    }
    guard !meta.isCut else { throw reader.corrupt("it ends inside its header") }
    self.meta = meta
    parts = try reader.boxes(from: meta.start + 4, to: meta.end)
    let primary = try readItems()
    try checkDerived()
    guard let primary, items.items[primary] != nil else {
      throw isSequence
        ? unsupported("a HEIF sequence without a main image")
        : corrupt("it names no main image")
    }
    items.primary = primary
  }

  /// The item of the image of a page, from 1.
  func item(ofPage page: Int) throws(CropError) -> Int {
    let pictures = items.pictures
    try PageChoice.only(page).check(count: pictures.count, file: name)
    return pictures[page - 1]
  }

  /// Whether all data of an item is in the file.
  func isInFile(_ item: HEIFItems.Item) -> Bool {
    let room = item.isInData ? items.data.map { $0.end - $0.start } ?? 0 : reader.count
    return item.extents.allSatisfy { extent in
      let (end, overflow) = extent.offset.addingReportingOverflow(extent.length)
      return !overflow && end <= room && extent.offset <= room
    }
  }
}

extension HEIFContainer {
  /// Reads the items that the `meta` box lists.
  ///
  /// Whatever a file may state only once is refused if it occurs twice: decoders differ in which
  /// one they take, and would see another image than the one that was checked.
  ///
  /// - Returns: the number of the main image, if the box states it.
  private mutating func readItems() throws(CropError) -> Int? {
    var primary: Int?
    for name in ["pitm", "iinf", "iloc", "iref", "iprp", "idat"] {
      try single(parts.filter { $0.type == name }.count, name)
    }
    for box in parts {
      switch box.type {
      case "pitm":
        let version = try need(reader.byte(box.start), "the primary item")
        primary = try reader.number(box.start + 4, size: version == 0 ? 2 : 4)
      case "iinf": try readItemTypes(box)
      case "iloc": try readItemPlaces(box)
      case "iref": try readItemReferences(box)
      case "iprp": try readItemProperties(box)
      case "idat": items.data = box
      default: break
      }
    }
    return primary
  }

  private func single(_ count: Int, _ what: String) throws(CropError) {
    guard count <= 1 else { throw corrupt("it has \(what) twice") }
  }

  private mutating func readItemTypes(_ box: HEIFBox) throws(CropError) {
    let version = try need(reader.byte(box.start), "the list of items")
    for entry in try reader.boxes(from: box.start + (version == 0 ? 6 : 8), to: box.end)
    where entry.type == "infe" {
      let version = try need(reader.byte(entry.start), "the list of items")
      guard version >= 2 else { continue }
      let isHidden = try need(reader.number(entry.start + 1, size: 3), "the list of items") & 1
      let width = version == 2 ? 2 : 4
      let item = try need(reader.number(entry.start + 4, size: width), "the list of items")
      let place = entry.start + 4 + width + 2
      let type = try need(reader.bytes(place, 4), "the list of items")
      try single(items.items[item]?.entry == nil ? 1 : 2, "an item")
      items.items[item, default: .init()].type = String(decoding: type, as: UTF8.self)
      items.items[item, default: .init()].isHidden = isHidden == 1
      items.items[item, default: .init()].entry = entry.start
      // The item's name, then for `mime` the content type, both terminated by a zero.
      let rest = try reader.bytes(place + 4, max(0, min(256, entry.end - place - 4))) ?? []
      let words = rest.split(separator: 0, omittingEmptySubsequences: false)
      if words.count > 1 {
        items.items[item, default: .init()].contentType = String(decoding: words[1], as: UTF8.self)
      }
    }
  }

  private mutating func readItemPlaces(_ box: HEIFBox) throws(CropError) {
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
    guard count <= PictureReader.mostBoxes else { throw corrupt("it has too many items") }
    var placed: Set<Int> = []
    for _ in 0..<count {
      let item = try field(idSize, at: &position, in: box)
      try single(placed.insert(item).inserted ? 1 : 2, "the position of an item")
      let method = version == 0 ? 0 : try field(2, at: &position, in: box) & 15
      if try field(2, at: &position, in: box) != 0 || method > 1 { items.hasDataElsewhere = true }
      let base = try field(baseSize, at: &position, in: box)
      var extents: [(offset: Int, length: Int)] = []
      for _ in 0..<(try field(2, at: &position, in: box)) {
        // Extents without fields take no bytes, so the file's size would not limit their number.
        guard offsetSize + lengthSize > 0 || extents.isEmpty else { break }
        try reader.countPart()
        _ = try field(indexSize, at: &position, in: box)
        let place = try field(offsetSize, at: &position, in: box)
        let (offset, overflow) = base.addingReportingOverflow(place)
        let length = try field(lengthSize, at: &position, in: box)
        extents.append((overflow ? .max : offset, length))
      }
      items.items[item, default: .init()].extents = extents
      items.items[item, default: .init()].isInData = method == 1
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

  private mutating func readItemReferences(_ box: HEIFBox) throws(CropError) {
    let size = try need(reader.byte(box.start), "the references") == 0 ? 2 : 4
    for entry in try reader.boxes(from: box.start + 4, to: box.end) {
      guard let from = try reader.number(entry.start, size: size),
        let count = try reader.big16(entry.start + size)
      else { throw corrupt("it ends inside the references") }
      var to: [Int] = []
      for i in 0..<count {
        let place = entry.start + size + 2 + i * size
        guard place + size <= entry.end, let item = try reader.number(place, size: size) else {
          throw corrupt("it ends inside the references")
        }
        try reader.countPart()
        to.append(item)
      }
      items.references.append(.init(type: entry.type, from: from, to: to, box: entry))
    }
  }

  private mutating func readItemProperties(_ box: HEIFBox) throws(CropError) {
    let what = "the properties"
    let parts = try reader.boxes(from: box.start, to: box.end)
    try single(parts.filter { $0.type == "ipco" }.count, what)
    var described: Set<Int> = []
    for part in parts {
      if part.type == "ipco" { items.properties = try reader.boxes(from: part.start, to: part.end) }
      guard part.type == "ipma" else { continue }
      let version = try need(reader.byte(part.start), what)
      let isWide = try need(reader.number(part.start + 1, size: 3), what) & 1 == 1
      let count = try need(reader.big32(part.start + 4), what)
      var position = part.start + 8
      guard count <= PictureReader.mostBoxes else { throw corrupt("it has too many items") }
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
        items.items[item, default: .init()].properties = indexes
        items.items[item, default: .init()].essential = essential
      }
    }
  }
}
