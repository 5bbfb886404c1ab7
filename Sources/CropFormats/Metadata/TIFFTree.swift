/// The metadata in the directories of a TIFF, without the storage of its pixels: extracted from a
/// TIFF or an EXIF block, to be written elsewhere.
struct TIFFTree {
  /// A field of a directory.
  struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// The values, in the byte order of the tree; empty for a directory.
    let values: [UInt8]
    /// The fields of the directory that the value refers to.
    let directory: [Entry]?
  }

  private(set) var entries: [Entry] = []
  private let order: ByteOrder
  private var room = 1 << 20
  private var count = 0

  private static let mostEntries = 1000

  /// The contents of a main directory; nil if it is empty.
  init?<Source: ByteSource>(
    _ main: TIFFStructure.Directory, _ structure: TIFFStructure, _ source: inout Source
  ) throws(Source.Failure) {
    order = structure.order
    entries = try read(main, structure, &source, Self.describing.contains)
    if entries.isEmpty { return nil }
  }

  /// The contents of an EXIF block; nil if it is empty.
  init?(exif: [UInt8]) {
    var exif = exif
    let length = exif.count
    guard let structure = TIFFStructure(&exif, base: 0, length: length),
      let main = structure.directory(structure.firstDirectory, &exif),
      let tree = TIFFTree(main, structure, &exif)
    else { return nil }
    self = tree
  }

  private mutating func read<Source: ByteSource>(
    _ directory: TIFFStructure.Directory, _ structure: TIFFStructure,
    _ source: inout Source, _ isWanted: (Int) -> Bool
  ) throws(Source.Failure) -> [Entry] {
    var entries: [Entry] = []
    for field in directory.fields where isWanted(field.tag) {
      count += 1
      guard count <= Self.mostEntries else { break }
      if Self.pointers.contains(field.tag) {
        guard let offset = try structure.number(field, &source),
          let inner = try structure.directory(offset, &source)
        else { continue }
        // Only the main directory may refer to directories other than interoperability, which
        // prevents loops.
        let isOuter = field.tag != TIFFTag.interoperability
        let inside = try read(inner, structure, &source) { tag in
          Self.isKept(tag) && (isOuter || tag != TIFFTag.interoperability)
        }
        if !inside.isEmpty {
          entries.append(
            Entry(tag: field.tag, type: 4, count: 1, values: [], directory: inside))
        }
      } else if let start = field.values, field.valueSize > 0, field.count > 0 {
        let length = field.count * field.valueSize
        guard length <= min(room, 65_000), field.type < 14,
          let values = try source.bytes(start, length)
        else { continue }
        room -= length
        entries.append(
          Entry(
            tag: field.tag, type: field.type, count: field.count, values: values, directory: nil))
      }
    }
    return entries.sorted { $0.tag < $1.tag }
  }

  /// Tags of a main directory that describe the image and not its storage.
  private static let describing: Set<Int> = [
    0x010D, 0x010E, 0x010F, 0x0110, 0x011D, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298,
    TIFFTag.exif, TIFFTag.gps, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
  ]
  private static let pointers: Set<Int> = [TIFFTag.exif, TIFFTag.gps, TIFFTag.interoperability]

  /// Whether to keep a field of an inner directory: all except maker notes, whose offsets would
  /// become invalid, and references to the EXIF and GPS directories, which could lead back.
  private static func isKept(_ tag: Int) -> Bool {
    tag != TIFFTag.makerNote && tag != TIFFTag.exif && tag != TIFFTag.gps
  }
}

extension TIFFTree {
  var exifBlock: [UInt8] {
    let header: [UInt8] = order == .little ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    return header + order.bytes(8, 4) + coded(entries, at: 8, order)
  }

  /// The fields in a byte order, and the data that they refer to, which is stored at `offset`.
  func fields(at offset: Int, _ order: ByteOrder) -> (fields: [[UInt8]], data: [UInt8]) {
    fields(entries, at: offset, order)
  }

  private func fields(
    _ entries: [Entry], at offset: Int, _ order: ByteOrder
  ) -> (fields: [[UInt8]], data: [UInt8]) {
    var fields: [[UInt8]] = []
    var data: [UInt8] = []
    for entry in entries {
      let place = order.bytes(offset + data.count, 4)
      var slot = place
      if let inner = entry.directory {
        data += coded(inner, at: offset + data.count, order)
      } else {
        let values =
          order == self.order ? entry.values : Self.swapped(entry.values, type: entry.type)
        if values.count > 4 { data += values } else { slot = values }
      }
      if data.count % 2 == 1 { data.append(0) }
      fields.append(
        order.field(tag: entry.tag, type: entry.type, count: entry.count, slot: slot))
    }
    return (fields, data)
  }

  /// A directory and the data that it refers to, stored at `offset`.
  private func coded(_ entries: [Entry], at offset: Int, _ order: ByteOrder) -> [UInt8] {
    let length = TIFFStructure.directoryLength(fields: entries.count)
    let parts = fields(entries, at: offset + length, order)
    return order.directory(parts.fields) + parts.data
  }

  private static func swapped(_ values: [UInt8], type: Int) -> [UInt8] {
    // Fractions are pairs of 4-byte numbers.
    let size = [5, 10].contains(type) ? 4 : TIFFStructure.valueSize(ofType: type)
    guard size > 1 else { return values }
    return stride(from: 0, to: values.count, by: size).flatMap {
      values[$0..<min($0 + size, values.count)].reversed()
    }
  }
}
