/// What libheif before 1.18 refuses of sound files, and what it reads instead.
///
/// It allows an auxiliary picture, a thumbnail or metadata to belong to one item only, which has to be a
/// picture that it knows. Newer files have auxiliary pictures that belong to the main picture and to the
/// one with more light that is derived from it (`tmap`, ISO 21496-1).
extension Inspection {
  /// The item types that libheif 1.15 takes for pictures.
  private static let knownPictures: Set<String> = ["hvc1", "av01", "vvc1", "grid", "iovl", "iden"]

  /// The type of a reference that nobody reads.
  private static let nobodys = Array("skip".utf8)

  /// The patches that make libheif pass over the references it would refuse the file for, or, where it
  /// needs one for the transparency of `main`, read it with `main` as its only target.
  ///
  /// `boxes` are those in the `meta` box. Nothing outside of the `meta` box moves.
  ///
  /// - Throws: ``CropError/unsupportedFeature(file:feature:)`` where a reference can't be rewritten.
  mutating func acceptedReferences(
    _ items: HEIFItems, of main: Int, in boxes: [HEIFBox]
  ) throws(CropError) -> [BytePatch] {
    let pictures = Set(
      items.items.filter { Self.knownPictures.contains($0.value.type) }.keys)
    let refused = items.references.filter { reference in
      guard reference.to.count != 1 || !reference.to.allSatisfy(pictures.contains) else {
        return false
      }
      return switch reference.type {
      case "auxl", "thmb": pictures.contains(reference.from)
      case "cdsc": true
      default: false
      }
    }
    guard !refused.isEmpty else { return [] }
    var patches: [BytePatch] = []
    for (index, box) in boxes.enumerated() where box.type == "iref" {
      let inside = refused.filter { box.start <= $0.box.name && $0.box.end <= box.end }
      var shortened: Set<Int> = []
      for reference in inside
      where reference.type == "auxl" && reference.to.count > 1 && reference.to.contains(main)
        && shortened.count < Self.mostPlanes
      {
        guard try purpose(of: reference.from, in: items).isAlpha else { continue }
        shortened.insert(reference.box.name)
      }
      if shortened.isEmpty {
        patches += inside.map { BytePatch(start: $0.box.name, bytes: Self.nobodys) }
      } else {
        patches += try rewritten(
          box, before: boxes[..<index], main: main, without: Set(inside.map(\.box.name)),
          shortening: shortened)
      }
    }
    // Few patches, whatever the file: each is looked at with every read.
    guard patches.count <= Self.mostPatches else {
      throw unsupported("a HEIF file of so many auxiliary pictures")
    }
    return patches
  }

  /// The most alpha planes of one picture whose references are rewritten.
  private static var mostPlanes: Int { 8 }
  private static var mostPatches: Int { 1024 }

  /// The `iref` box with some references of one target (`shortening`, by the places of their names) and
  /// some that nobody reads (`without`).
  ///
  /// It becomes shorter, and the box before it as much longer. Decoders ignore what follows the fields of
  /// a box, but in `iref` itself they take it for a reference.
  private mutating func rewritten(
    _ box: HEIFBox, before siblings: ArraySlice<HEIFBox>, main: Int, without refused: Set<Int>,
    shortening shortened: Set<Int>
  ) throws(CropError) -> [BytePatch] {
    let failure = unsupported(
      "a HEIF file whose alpha plane belongs to several pictures in this way")
    let header = box.name - 4
    guard let old = try reader.bytes(header, box.end - header),
      let version = try reader.byte(box.start)
    else { throw failure }
    let width = version == 0 ? 2 : 4
    var new = Array(old[..<(box.start + 4 - header)])
    for entry in try boxes(from: box.start + 4, to: box.end) {
      var bytes = Array(old[(entry.name - 4 - header)..<(entry.end - header)])
      let isPlain = entry.start == entry.name + 4
      if shortened.contains(entry.name) {
        guard isPlain, bytes.count >= 10 + 2 * width else { throw failure }
        let one = ByteOrder.big.bytes(1, 2) + ByteOrder.big.bytes(main, width)
        bytes = ByteOrder.big.bytes(10 + 2 * width, 4) + bytes[4..<8 + width] + one
      } else if refused.contains(entry.name) {
        bytes.replaceSubrange(4..<8, with: Self.nobodys)
      }
      new += bytes
    }
    let spare = old.count - new.count
    guard spare > 0, box.start == box.name + 4 else { throw failure }
    new.replaceSubrange(0..<4, with: ByteOrder.big.bytes(new.count, 4))
    return try lengthened(siblings, until: header, by: spare, failure)
      + [BytePatch(start: header, bytes: [UInt8](repeating: 0, count: spare) + new)]
  }

  /// Boxes in which decoders ignore what follows their fields.
  private static let patient: Set<String> = [
    "hdlr", "pitm", "iloc", "infe", "ipma", "idat", "free", "skip",
  ]

  /// The patches that make the last of `boxes`, which ends at `end`, longer by `spare` bytes.
  private mutating func lengthened(
    _ boxes: ArraySlice<HEIFBox>, until end: Int, by spare: Int, _ failure: CropError
  ) throws(CropError) -> [BytePatch] {
    guard let last = boxes.last, last.end == end, last.start == last.name + 4 else { throw failure }
    let size = ByteOrder.big.bytes(last.end - last.name + 4 + spare, 4)
    switch last.type {
    case _ where Self.patient.contains(last.type):
      return [BytePatch(start: last.name - 4, bytes: size)]
    case "iprp", "iinf":
      // These hold boxes to their end; the last one becomes longer with them.
      var start = last.start
      if last.type == "iinf" { start += try reader.byte(last.start) == 0 ? 6 : 8 }
      let parts = try self.boxes(from: start, to: last.end)
      guard let type = parts.last?.type, Self.patient.contains(type) else { throw failure }
      return try lengthened(parts[...], until: end, by: spare, failure)
        + [BytePatch(start: last.name - 4, bytes: size)]
    case "ipco": throw failure
    // Groups of items and places of data elsewhere are nothing that decoding takes.
    default: return [BytePatch(start: last.name - 4, bytes: size + Array("free".utf8))]
    }
  }

  /// The brand that libheif needs among those of the `ftyp` box, where there is none of them: the pictures
  /// themselves say how they are coded. nil where nothing has to change, or can.
  mutating func acceptedBrand(_ top: [HEIFBox]) throws(CropError) -> BytePatch? {
    guard let box = top.first, box.type == "ftyp", box.end - box.start >= 12 else { return nil }
    let length = min(box.end - box.start - 8, 4096) / 4 * 4
    let brands = try reader.bytes(box.start + 8, length) ?? []
    for place in stride(from: 0, to: brands.count, by: 4) {
      let brand = String(decoding: brands[place..<place + 4], as: UTF8.self)
      if ["heic", "heix", "mif1", "avif"].contains(brand) { return nil }
    }
    return BytePatch(start: box.start + 8, bytes: Array("mif1".utf8))
  }
}
