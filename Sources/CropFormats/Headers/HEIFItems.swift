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
  /// The main image.
  var primary = 0
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

  /// The position from which the extents of an item count.
  func start(of item: Item) -> Int { item.isInData ? data?.start ?? 0 : 0 }

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

  /// The items that are independent images: not hidden, not part of another, not auxiliary. The
  /// main one comes first, the others by item number.
  var pictures: [Int] {
    var others: Set<Int> = []
    for reference in references {
      if reference.type == "thmb" || reference.type == "auxl" { others.insert(reference.from) }
      if reference.type == "dimg" { others.formUnion(reference.to) }
    }
    let kinds = ["hvc1", "av01", "grid", "iovl", "iden"]
    let further = items.filter { id, item in
      id != primary && !item.isHidden && kinds.contains(item.type) && !others.contains(id)
    }
    return [primary] + further.keys.sorted()
  }

  /// The given items and, recursively, their parts.
  func withParts(_ start: [Int]) -> Set<Int> {
    var parts: [Int: [Int]] = [:]
    for reference in references where reference.type == "dimg" {
      parts[reference.from, default: []] += reference.to
    }
    var found = Set(start)
    var rest = start
    while let next = rest.popLast() {
      for part in parts[next] ?? [] where found.insert(part).inserted { rest.append(part) }
    }
    return found
  }
}
