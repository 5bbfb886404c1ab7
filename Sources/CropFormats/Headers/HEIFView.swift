/// A HEIC or AVIF as a decoder sees it: with the requested image as the main one, not turned.
///
/// Decoders number images in another order, and libheif 1.15 can't mirror deep images nor turn some
/// others, which the backend can. It also rejects files because of parts it does not need, such as
/// a gain map that belongs to two images (iPhones since iOS 18). The file itself is never changed.
package struct HEIFView {
  /// The replacements for some bytes of the file; they do not overlap.
  package private(set) var patches: [BytePatch] = []
  /// Whether the decoder still turns and mirrors the image, because it is cropped after that or
  /// consists of turned tiles.
  package let isTurnedByDecoder: Bool

  /// The maximum number of turns and mirrors of an image and its alpha plane that are applied here.
  private static let mostTurns = 64

  /// The view of the image of `page`, from 1, in a file whose structure was checked.
  ///
  /// - Throws: an error if the file is invalid or can't be read.
  package init(_ source: ImageSource, page: Int) throws(CropError) {
    try self.init(source, page: page, item: nil)
  }

  /// The view of an image that belongs to another one, by its item number.
  ///
  /// - Throws: as ``init(_:page:)``.
  package init(_ source: ImageSource, item: Int) throws(CropError) {
    try self.init(source, page: 1, item: item)
  }

  private init(_ source: ImageSource, page: Int, item: Int?) throws(CropError) {
    var inspection = Inspection(source, limits: Limits(), isLenient: true, page: page)
    let top = try inspection.boxes(from: 0, to: source.byteCount)
    guard let meta = try inspection.metaBox(among: top) else {
      throw inspection.corrupt("it has no images")
    }
    let items = try inspection.items(in: meta)
    guard let primary = items.primary else { throw inspection.corrupt("it names no main image") }
    let pictures = items.pictures(primary: primary)
    try PageChoice.only(page).check(count: pictures.count, file: source.name)
    let main = item ?? pictures[page - 1]
    if let item { patches = try inspection.shownByItself(item, items) }

    let turns = items.properties(of: main).map(\.isTurn)
    let last = items.properties(of: main).lastIndex { $0.type == "clap" } ?? 0
    let isCutTurned = turns.firstIndex(of: true).map { $0 < last } ?? false
    let parts = items.withParts([main]).subtracting([main])
    let areTurned = parts.contains { items.properties(of: $0).contains(where: \.isTurn) }
    // An alpha plane is turned like its image.
    let planes = items.references.filter { $0.type == "auxl" && $0.to.contains(main) }.map(\.from)
    let found = Set(planes + [main]).flatMap(items.properties).filter(\.isTurn)
    isTurnedByDecoder = isCutTurned || areTurned || found.count > Self.mostTurns
    if !isTurnedByDecoder {
      for property in found {
        // Sets the rotation to zero. Items may share a property.
        let patch = BytePatch(start: property.name, bytes: Array("irot".utf8) + [0])
        if !patches.contains(patch) { patches.append(patch) }
      }
    }
    let boxes = try inspection.boxes(from: meta.start + 4, to: meta.end)
    if main != primary, let patch = try inspection.naming(main, in: boxes) { patches.append(patch) }
    patches += try inspection.acceptedReferences(items, of: main, in: boxes).filter {
      !patches.contains($0)
    }
    if let brand = try inspection.acceptedBrand(top) { patches.append(brand) }
  }
}

/// Bytes that are read instead of those of a file.
package struct BytePatch: Equatable, Sendable {
  /// The offset in the file.
  package let start: Int
  package let bytes: [UInt8]

  package init(start: Int, bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
  }

  /// Copies its bytes into `buffer`, as far as they overlap; the buffer has the file's bytes from
  /// `offset`.
  package func apply(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    let lower = max(start, offset)
    let upper = min(start + bytes.count, offset + buffer.count)
    guard lower < upper else { return }
    bytes.withUnsafeBytes { all in
      buffer[lower - offset..<upper - offset]
        .copyBytes(from: all[lower - start..<upper - start])
    }
  }
}

extension HEIFBox {
  /// Whether the box is a valid property that turns or mirrors an image.
  fileprivate var isTurn: Bool { (type == "irot" || type == "imir") && end == start + 1 }
}

extension HEIFItems {
  /// The items that are independent images: not hidden, not part of another, not auxiliary. The
  /// main one comes first, the others by item number.
  func pictures(primary: Int) -> [Int] {
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
