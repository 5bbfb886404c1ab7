/// Patches for references in valid files that libheif before 1.18 rejects.
///
/// It allows an auxiliary image, a thumbnail or metadata to belong to one item only, which must be
/// an image that it knows. Newer files have auxiliary images that belong to the main image and to
/// the brighter one derived from it (`tmap`, ISO 21496-1).
struct HEIFReferencePatches {
  private var heif: HEIFContainer
  /// The item that is decoded.
  private let main: Int

  init(_ heif: HEIFContainer, of main: Int) {
    self.heif = heif
    self.main = main
  }

  /// The item types that libheif 1.15 recognizes as images.
  private static let knownPictures: Set<String> = ["hvc1", "av01", "vvc1", "grid", "iovl", "iden"]

  /// The patches that make libheif ignore the references that it would reject the file for, or, if
  /// it needs one for the transparency of `main`, read it with `main` as its only target.
  ///
  /// Nothing outside the `meta` box moves.
  ///
  /// - Throws: ``CropError/unsupportedFeature(file:feature:)`` if a reference can't be rewritten.
  mutating func patches() throws(CropError) -> [BytePatch] {
    let items = heif.items
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
    for (index, box) in heif.parts.enumerated() where box.type == "iref" {
      let inside = refused.filter { box.start <= $0.box.name && $0.box.end <= box.end }
      var shortened: Set<Int> = []
      for reference in inside
      where reference.type == "auxl" && reference.to.count > 1 && reference.to.contains(main)
        && shortened.count < Self.mostPlanes
      {
        guard try heif.purpose(of: reference.from).isAlpha else { continue }
        shortened.insert(reference.box.name)
      }
      if shortened.isEmpty {
        patches += inside.map { BytePatch(start: $0.box.name, bytes: HEIFContainer.ignored) }
      } else {
        patches += try rewritten(
          box, before: heif.parts[..<index], without: Set(inside.map(\.box.name)),
          shortening: shortened)
      }
    }
    // The number of patches is limited, because every read goes through all of them.
    guard patches.count <= HEIFContainer.mostPatches else {
      throw heif.unsupported("a HEIF file with so many auxiliary images")
    }
    return patches
  }

  /// The largest number of alpha planes of one image whose references are rewritten.
  private static var mostPlanes: Int { 8 }

  /// The `iref` box with some references reduced to one target (`shortening`, by the positions of
  /// their names) and some ignored (`without`).
  ///
  /// It gets shorter, and the box before it longer by the same amount. Decoders ignore bytes after
  /// the fields of a box, but in `iref` they read them as a reference.
  private mutating func rewritten(
    _ box: HEIFBox, before siblings: ArraySlice<HEIFBox>, without refused: Set<Int>,
    shortening shortened: Set<Int>
  ) throws(CropError) -> [BytePatch] {
    let failure = heif.unsupported(
      "a HEIF file whose alpha plane belongs to several images in this way")
    let header = box.name - 4
    guard let old = try heif.reader.bytes(header, box.end - header),
      let version = try heif.reader.byte(box.start)
    else { throw failure }
    let width = version == 0 ? 2 : 4
    var new = Array(old[..<(box.start + 4 - header)])
    for entry in try heif.reader.boxes(from: box.start + 4, to: box.end) {
      var bytes = Array(old[(entry.name - 4 - header)..<(entry.end - header)])
      let isPlain = entry.start == entry.name + 4
      if shortened.contains(entry.name) {
        guard isPlain, bytes.count >= 10 + 2 * width else { throw failure }
        let one = ByteOrder.big.bytes(1, 2) + ByteOrder.big.bytes(main, width)
        bytes = ByteOrder.big.bytes(10 + 2 * width, 4) + bytes[4..<8 + width] + one
      } else if refused.contains(entry.name) {
        bytes.replaceSubrange(4..<8, with: HEIFContainer.ignored)
      }
      new += bytes
    }
    let spare = old.count - new.count
    guard spare > 0, box.start == box.name + 4 else { throw failure }
    new.replaceSubrange(0..<4, with: ByteOrder.big.bytes(new.count, 4))
    return try lengthened(siblings, until: header, by: spare, failure)
      + [BytePatch(start: header, bytes: [UInt8](repeating: 0, count: spare) + new)]
  }

  /// Boxes in which decoders ignore bytes after the fields.
  private static let patient: Set<String> = [
    "hdlr", "pitm", "iloc", "infe", "ipma", "idat", "free", "skip",
  ]

  /// The patches that extend the last of `boxes`, which ends at `end`, by `spare` bytes.
  private mutating func lengthened(
    _ boxes: ArraySlice<HEIFBox>, until end: Int, by spare: Int, _ failure: CropError
  ) throws(CropError) -> [BytePatch] {
    guard let last = boxes.last, last.end == end, last.start == last.name + 4 else { throw failure }
    let size = ByteOrder.big.bytes(last.end - last.name + 4 + spare, 4)
    switch last.type {
    case _ where Self.patient.contains(last.type):
      return [BytePatch(start: last.name - 4, bytes: size)]
    case "iprp", "iinf":
      // These contain boxes up to their end; the last one is lengthened too.
      var start = last.start
      if last.type == "iinf" { start += try heif.reader.byte(last.start) == 0 ? 6 : 8 }
      let parts = try heif.reader.boxes(from: start, to: last.end)
      guard let type = parts.last?.type, Self.patient.contains(type) else { throw failure }
      return try lengthened(parts[...], until: end, by: spare, failure)
        + [BytePatch(start: last.name - 4, bytes: size)]
    case "ipco": throw failure
    // Decoding does not need groups of items or locations of external data.
    default: return [BytePatch(start: last.name - 4, bytes: size + Array("free".utf8))]
    }
  }
}
