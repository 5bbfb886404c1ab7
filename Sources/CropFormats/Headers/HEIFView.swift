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
    var heif = try HEIFContainer(source)
    let requested = try heif.item(ofPage: page)
    let items = heif.items
    let main = item ?? requested
    if let item { patches = try heif.shownByItself(item) }

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
    if main != items.primary, let patch = try heif.naming(main) { patches.append(patch) }
    var references = HEIFReferencePatches(heif, of: main)
    patches += try references.patches().filter { !patches.contains($0) }
    if let brand = try heif.acceptedBrand() { patches.append(brand) }
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
