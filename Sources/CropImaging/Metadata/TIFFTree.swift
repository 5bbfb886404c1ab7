/// What the directories of a TIFF tell about the picture, apart from how its pixels are stored: taken
/// out of a TIFF or an EXIF block, to be written anew somewhere else.
struct TIFFTree {
  /// One field.
  struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// The values, in the byte order of the tree; empty for a directory.
    let values: [UInt8]
    /// The fields of the directory that the value leads to.
    let directory: [Entry]?
  }

  private(set) var entries: [Entry] = []
  private let isLittle: Bool
  private var room = 1 << 20
  private var count = 0

  private static let mostEntries = 1000

  /// What a main directory tells; nil where that is nothing.
  init?(
    _ main: TIFFStructure.Directory, _ structure: TIFFStructure, _ reader: inout PictureReader
  ) throws(CropError) {
    isLittle = structure.isLittle
    entries = try read(main, structure, &reader, Self.describing.contains)
    if entries.isEmpty { return nil }
  }

  /// What an EXIF block tells; nil where that is nothing.
  init?(exif: [UInt8]) {
    var reader = PictureReader(PictureSource(bytes: .init(exif), name: "EXIF"))
    guard
      let structure = try? TIFFStructure(&reader, base: 0, length: exif.count),
      let main = try? structure.directory(structure.firstDirectory, &reader),
      let tree = try? TIFFTree(main, structure, &reader)
    else { return nil }
    self = tree
  }

  private mutating func read(
    _ directory: TIFFStructure.Directory, _ structure: TIFFStructure,
    _ reader: inout PictureReader, _ isWanted: (Int) -> Bool
  ) throws(CropError) -> [Entry] {
    var entries: [Entry] = []
    for field in directory.fields where isWanted(field.tag) {
      count += 1
      guard count <= Self.mostEntries else { break }
      if Self.pointers.contains(field.tag) {
        guard let offset = try structure.number(field, &reader),
          let inner = try structure.directory(offset, &reader)
        else { continue }
        // Only the main directory leads to others but interoperability: no loops.
        let isOuter = field.tag != 0xA005
        let inside = try read(inner, structure, &reader) { tag in
          Self.isKept(tag) && (isOuter || tag != 0xA005)
        }
        if !inside.isEmpty {
          entries.append(
            Entry(tag: field.tag, type: 4, count: 1, values: [], directory: inside))
        }
      } else if let start = field.values, field.valueSize > 0, field.count > 0 {
        let length = field.count * field.valueSize
        guard length <= min(room, 65_000), field.type < 14,
          let values = try reader.bytes(start, length)
        else { continue }
        room -= length
        entries.append(
          Entry(
            tag: field.tag, type: field.type, count: field.count, values: values, directory: nil))
      }
    }
    return entries.sorted { $0.tag < $1.tag }
  }

  /// Tags of a main directory that describe the picture and not how it is stored.
  private static let describing: Set<Int> = [
    0x010D, 0x010E, 0x010F, 0x0110, 0x011D, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298,
    0x8769, 0x8825, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
  ]
  private static let pointers: Set<Int> = [0x8769, 0x8825, 0xA005]

  /// All of an inner directory but its way back out, and maker notes: what they refer to lies at
  /// offsets that change.
  private static func isKept(_ tag: Int) -> Bool {
    tag != 0x927C && tag != 0x8769 && tag != 0x8825
  }
}

extension TIFFTree {
  /// The tree as an EXIF block.
  var exifBlock: [UInt8] {
    let header: [UInt8] =
      isLittle ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    return header + Self.coded(entries, at: 8, isLittle: isLittle, from: isLittle)
  }

  /// The fields as raw entries of 12 bytes in the byte order asked for, and what they lead to, which
  /// lies at `offset`.
  func fields(at offset: Int, isLittle: Bool) -> (entries: [[UInt8]], data: [UInt8]) {
    Self.fields(entries, at: offset, isLittle: isLittle, from: self.isLittle)
  }

  private static func fields(
    _ entries: [Entry], at offset: Int, isLittle: Bool, from wasLittle: Bool
  ) -> (entries: [[UInt8]], data: [UInt8]) {
    var raw: [[UInt8]] = []
    var data: [UInt8] = []
    for entry in entries {
      var slot: [UInt8]
      if let inner = entry.directory {
        slot = number(offset + data.count, 4, isLittle)
        data += coded(inner, at: offset + data.count, isLittle: isLittle, from: wasLittle)
      } else {
        slot =
          isLittle == wasLittle ? entry.values : swapped(entry.values, type: entry.type)
        if slot.count > 4 {
          let place = number(offset + data.count, 4, isLittle)
          data += slot
          slot = place
        } else {
          slot += [UInt8](repeating: 0, count: 4 - slot.count)
        }
      }
      if data.count % 2 == 1 { data.append(0) }
      raw.append(
        number(entry.tag, 2, isLittle) + number(entry.type, 2, isLittle)
          + number(entry.count, 4, isLittle) + slot)
    }
    return (raw, data)
  }

  /// A directory and what it leads to, at `offset`.
  private static func coded(
    _ entries: [Entry], at offset: Int, isLittle: Bool, from wasLittle: Bool
  ) -> [UInt8] {
    let length = 2 + 12 * entries.count + 4
    let parts = fields(entries, at: offset + length, isLittle: isLittle, from: wasLittle)
    return number(entries.count, 2, isLittle) + parts.entries.joined() + [0, 0, 0, 0] + parts.data
  }

  static func number(_ value: Int, _ count: Int, _ isLittle: Bool) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittle ? bytes : bytes.reversed()
  }

  private static func swapped(_ values: [UInt8], type: Int) -> [UInt8] {
    // Fractions are pairs of numbers of four bytes.
    let size = [5, 10].contains(type) ? 4 : TIFFStructure.Field.size(of: type)
    guard size > 1 else { return values }
    return stride(from: 0, to: values.count, by: size).flatMap {
      values[$0..<min($0 + size, values.count)].reversed()
    }
  }
}
