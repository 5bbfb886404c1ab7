import FoundationEssentials

/// Joins single-page TIFFs to one file: each is appended to the others, and every offset in its
/// directories is adjusted.
///
/// Only little-endian files other than BigTIFF are supported, which are those written here.
package struct TIFFPages {
  /// The file so far.
  package private(set) var bytes = Data()
  /// The position at which the offset of the next page's directory is written.
  private var link = 4

  /// The largest file that offsets of 32 bits can address.
  package static let maxBytes = Int(UInt32.max)

  /// A file without pages.
  package init() {}

  /// Appends the pages of `file`; false if it can't be read.
  package mutating func append(_ file: Data) -> Bool {
    if bytes.count % 2 == 1 { bytes.append(0) }
    let shift = bytes.isEmpty ? 0 : bytes.count - 8
    guard shift + file.count <= Self.maxBytes, var mover = Mover(file, shift: shift) else {
      return false
    }
    let isFirst = bytes.isEmpty
    bytes.append(isFirst ? file : file.dropFirst(8))
    let first = mover.structure.firstDirectory
    guard let next = mover.move(directoryAt: first, in: &bytes) else { return false }
    if !isFirst { Mover.set(first + shift, at: link, in: &bytes) }
    link = next
    return true
  }
}

/// Adjusts the offsets in the directories of one file.
private struct Mover {
  let structure: TIFFStructure
  private var file: Data
  private let shift: Int
  private var seen: Set<Int> = []

  /// Nil for a file of another kind.
  init?(_ file: Data, shift: Int) {
    self.file = file
    self.shift = shift
    guard let structure = TIFFStructure(&self.file, base: 0, length: file.count),
      structure.order == .little, !structure.isBig
    else { return nil }
    self.structure = structure
  }

  /// Adjusts the directory at `offset` of its file; returns the position of its link to the next
  /// one.
  mutating func move(directoryAt offset: Int, in bytes: inout Data) -> Int? {
    guard offset >= 8, seen.insert(offset).inserted,
      let fields = structure.fields(ofDirectoryAt: offset, &file), fields.end + 4 <= file.count
    else { return nil }
    for index in 0..<fields.count {
      guard move(fieldAt: fields[index], in: &bytes) else { return nil }
    }
    return fields.end + shift
  }

  /// The tags whose values are offsets in the file: strips, tiles and further directories.
  private static let places: Set<Int> = [273, 288, 324, 513, 519, 520, 521]
  private static let directories: Set<Int> = [
    TIFFTag.subDirectories, TIFFTag.exif, TIFFTag.gps, TIFFTag.interoperability,
  ]

  private mutating func move(fieldAt place: Int, in bytes: inout Data) -> Bool {
    let field = structure.field(at: place, &file)
    if !field.isInSlot {
      move(offsetAt: field.slot, in: &bytes)
    }
    guard Self.places.contains(field.tag) || Self.directories.contains(field.tag) else {
      return true
    }
    guard field.valueSize == 4, let values = field.values, values >= 8 else {
      return field.count == 0
    }
    for index in 0..<field.count {
      let offset = move(offsetAt: values + 4 * index, in: &bytes)
      if Self.directories.contains(field.tag), move(directoryAt: offset, in: &bytes) == nil {
        return false
      }
    }
    return true
  }

  /// Adjusts the offset at `place` of the file, and returns the old one.
  @discardableResult
  private mutating func move(offsetAt place: Int, in bytes: inout Data) -> Int {
    let offset = structure.offset(in: place, &file)
    Self.set(offset + shift, at: place + shift, in: &bytes)
    return offset
  }

  static func set(_ value: Int, at place: Int, in bytes: inout Data) {
    bytes.replaceSubrange(place..<place + 4, with: ByteOrder.little.bytes(value, 4))
  }
}

extension Data: ByteSource { package typealias Failure = Never }
