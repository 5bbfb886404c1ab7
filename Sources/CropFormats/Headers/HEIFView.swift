/// A HEIC or AVIF as a decoder is to see it: with the picture asked for as its main one, not turned.
///
/// Decoders number pictures in another order, and libheif 1.15 can't mirror deep pictures nor turn some
/// others, which the backend can. It also refuses files for what it doesn't need, such as a gain map that
/// belongs to two pictures (iPhones since iOS 18). The file itself is never changed.
package struct HEIFView {
  /// What the decoder reads in place of some bytes of the file; no two overlap.
  package private(set) var patches: [BytePatch] = []
  /// Whether the decoder still turns and mirrors the picture itself: it is cut after that, or made of
  /// parts that are turned.
  package let isTurnedByDecoder: Bool

  /// The most turns and mirrors of a picture and its alpha plane that are carried out here.
  private static let mostTurns = 64

  /// The view of the picture of `page`, from 1, in a file whose structure was checked.
  ///
  /// - Throws: what is wrong with the file, or that it can't be read.
  package init(_ source: PictureSource, page: Int) throws(CropError) {
    var inspection = Inspection(source, limits: Limits(), isLenient: true, page: page)
    let top = try inspection.boxes(from: 0, to: source.byteCount)
    guard let meta = top.first(where: { $0.type == "meta" }) else {
      throw inspection.corrupt("it has no pictures")
    }
    let items = try inspection.items(in: meta)
    guard let primary = items.primary else { throw inspection.corrupt("it names no main picture") }
    let pictures = items.pictures(primary: primary)
    try PageChoice.only(page).check(count: pictures.count, file: source.name)
    let main = pictures[page - 1]

    let turns = items.properties(of: main).map(\.isTurn)
    let last = items.properties(of: main).lastIndex { $0.type == "clap" } ?? 0
    let isCutTurned = turns.firstIndex(of: true).map { $0 < last } ?? false
    let parts = items.withParts([main]).subtracting([main])
    let areTurned = parts.contains { items.properties(of: $0).contains(where: \.isTurn) }
    // An alpha plane is turned as its picture is.
    let planes = items.references.filter { $0.type == "auxl" && $0.to.contains(main) }.map(\.from)
    let found = Set(planes + [main]).flatMap(items.properties).filter(\.isTurn)
    isTurnedByDecoder = isCutTurned || areTurned || found.count > Self.mostTurns
    if !isTurnedByDecoder {
      for property in found {
        // By no quarter turn. Items may share a property.
        let patch = BytePatch(start: property.name, bytes: Array("irot".utf8) + [0])
        if !patches.contains(patch) { patches.append(patch) }
      }
    }
    let boxes = try inspection.boxes(from: meta.start + 4, to: meta.end)
    if main != primary, let place = boxes.last(where: { $0.type == "pitm" }) {
      let size = try inspection.reader.byte(place.start) == 0 ? 2 : 4
      guard main >> (8 * size) == 0 else {
        throw inspection.unsupported("a HEIF file of so many pictures")
      }
      patches.append(
        BytePatch(start: place.start + 4, bytes: ByteOrder.big.bytes(main, size)))
    }
    patches += try inspection.acceptedReferences(items, of: main, in: boxes)
    if let brand = try inspection.acceptedBrand(top) { patches.append(brand) }
  }
}

/// Bytes that are read in place of those of a file.
package struct BytePatch: Equatable, Sendable {
  /// The offset in the file.
  package let start: Int
  package let bytes: [UInt8]

  package init(start: Int, bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
  }

  /// Puts its bytes into `buffer`, as far as they lie in it; it holds the file from `offset`.
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
  /// Whether the box, a property, turns or mirrors a picture; one that is built as it should be.
  fileprivate var isTurn: Bool { (type == "irot" || type == "imir") && end == start + 1 }
}

extension HEIFItems {
  /// The items that are pictures of their own: not hidden, no part of another, not about another. The
  /// main one comes first, the others by their numbers.
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

  /// The items given, what they are made of, and what that is made of.
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
