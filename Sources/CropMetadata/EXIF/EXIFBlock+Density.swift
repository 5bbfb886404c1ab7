import CropCore

/// What a crop does to the density that its file states for printing.
package enum DensityEdit: Hashable, Sendable {
  /// It stays as it is.
  case kept
  /// It is removed.
  case dropped
  /// It is replaced by pixels per inch along and across the stored rows of the result.
  case stated(PixelDensity)

  /// The new density; nil if there is none.
  package var density: PixelDensity? {
    if case .stated(let density) = self { density } else { nil }
  }

  /// The edit with rows and columns exchanged.
  package var transposed: Self {
    if case .stated(let density) = self { .stated(density.transposed) } else { self }
  }
}

#if !hasFeature(Embedded)
  extension DensityEdit: Codable {}
#endif

extension PixelDensity {
  /// The values of EXIF's XResolution and YResolution: a numerator and a denominator each.
  package func fractions(_ order: ByteOrder) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    for (place, value) in [(0, across), (8, down)] {
      // Thousandths are finer than any printer.
      let parts = value == value.rounded() ? 1 : 1000
      let numerator = Int(max(1, min(value * Double(parts), 1e9)).rounded())
      bytes.store(numerator, 4, at: place, order)
      bytes.store(parts, 4, at: place + 4, order)
    }
    return bytes
  }
}

extension EXIFBlock {
  /// The tags of XResolution, YResolution and ResolutionUnit.
  static func isDensity(_ tag: Int) -> Bool {
    tag == TIFFTag.xResolution || tag == TIFFTag.yResolution || tag == TIFFTag.resolutionUnit
  }

  /// A block, with or without the leading `Exif`, whose main directory states a density; nil for an
  /// invalid block.
  ///
  /// If it already has the fields of a density, they change in place, so that every offset stays
  /// valid. Otherwise a copy of the directory with these fields goes to the end.
  package static func stating(_ density: PixelDensity, in bytes: [UInt8]) -> [UInt8]? {
    var block = contents(of: bytes)
    guard let structure = structure(of: &block),
      let fields = fields(of: structure, directoryAt: structure.firstDirectory, &block)
    else { return nil }
    let order = structure.order
    let fractions = density.fractions(order)
    var places = [-1, -1]
    var unit = -1
    for index in 0..<fields.count {
      let field = structure.field(at: fields[index], &block)
      switch (field.tag, field.type, field.count) {
      case (TIFFTag.xResolution, 5, 1): places[0] = field.values ?? -1
      case (TIFFTag.yResolution, 5, 1): places[1] = field.values ?? -1
      case (TIFFTag.resolutionUnit, 3, 1): unit = fields[index]
      default: break
      }
    }
    if places[0] >= 0, places[1] >= 0, unit >= 0 {
      for (index, place) in places.enumerated() {
        for step in 0..<8 { block[place + step] = fractions[8 * index + step] }
      }
      block.storeField(tag: TIFFTag.resolutionUnit, 2, size: 2, at: unit, order)
    } else {
      addDensity(fractions, to: &block, fields, structure)
    }
    var result: [UInt8] = []
    if bytes.has("Exif\0\0") { result.append("Exif\0\0") }
    result.append(block, from: 0, to: block.count)
    return result
  }

  /// Writes a copy of the main directory with the fields of a density to the end of a block.
  private static func addDensity(
    _ fractions: [UInt8], to block: inout [UInt8], _ fields: TIFFStructure.Fields,
    _ structure: TIFFStructure
  ) {
    let order = structure.order
    let next = fields.end + 4 <= block.count ? block.part(from: fields.end, to: fields.end + 4) : []
    if block.count % 2 == 1 { block.append(0) }
    let values = block.count
    block.append(fractions, from: 0, to: 16)
    let start = block.count
    block.append("\0\0")
    var count = 0
    var isAdded = false
    func add(_ tag: Int, _ value: Int, _ type: Int) {
      let place = block.count
      block.append("\0\0\0\0\0\0\0\0\0\0\0\0")
      block.storeField(tag: tag, value, size: type == 3 ? 2 : 4, at: place, order)
      block.store(type, 2, at: place + 2, order)
      count += 1
    }
    func addAll() {
      isAdded = true
      add(TIFFTag.xResolution, values, 5)
      add(TIFFTag.yResolution, values + 8, 5)
      add(TIFFTag.resolutionUnit, 2, 3)
    }
    for index in 0..<fields.count {
      let place = fields[index]
      let tag = structure.field(at: place, &block).tag
      // Fields are sorted by tag; the three tags have none between them that EXIF uses.
      if !isAdded, tag > TIFFTag.xResolution { addAll() }
      if isDensity(tag) { continue }
      block.append(block, from: place, to: place + 12)
      count += 1
    }
    if !isAdded { addAll() }
    if next.isEmpty { block.append("\0\0\0\0") } else { block.append(next, from: 0, to: 4) }
    block.store(count, 2, at: start, order)
    block.store(start, 4, at: 4, order)
    block.fill(from: fields.start - 2, to: fields.end, with: 0)
  }

  /// A block that contains only a density.
  package static func block(_ density: PixelDensity) -> [UInt8] {
    var block: [UInt8] = []
    block.append("MM\0\u{2A}\0\0\0\u{8}\0\0\0\0\0\0")
    guard let structure = structure(of: &block) else { return block }
    addDensity(
      density.fractions(.big), to: &block,
      TIFFStructure.Fields(start: 10, count: 0, size: 12), structure)
    return block
  }
}

extension MetadataBlocks {
  /// States a density in EXIF, which is added if there is none.
  package mutating func state(_ density: PixelDensity) {
    exif = exif.flatMap { EXIFBlock.stating(density, in: $0) } ?? EXIFBlock.block(density)
  }
}
