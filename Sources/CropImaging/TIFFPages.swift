#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Joins TIFFs of one page each to a file of several: each is moved behind the others, and every place
/// named in its directories moves with it.
///
/// Only little-endian files that are no BigTIFF are taken, as they are written here.
struct TIFFPages {
  /// The file so far.
  private(set) var bytes = Data()
  /// Where the number of the next page's directory goes.
  private var link = 4

  /// As far as offsets of 32 bits reach.
  static let mostBytes = Int(UInt32.max)

  /// Puts the pages of `file` behind the others; false if it can't be read.
  mutating func append(_ file: Data) -> Bool {
    if bytes.count % 2 == 1 { bytes.append(0) }
    let shift = bytes.isEmpty ? 0 : bytes.count - 8
    guard file.count >= 8, file.prefix(4).elementsEqual([0x49, 0x49, 42, 0]),
      shift + file.count <= Self.mostBytes
    else { return false }
    let start = bytes.count
    bytes.append(bytes.isEmpty ? file : file.dropFirst(8))
    let end = bytes.count
    let first = file.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    var mover = Mover(shift: shift, range: (start == 0 ? 8 : start)..<end)
    guard let next = mover.move(directoryAt: first, in: &bytes) else { return false }
    if start > 0 { Mover.set(first + shift, at: link, in: &bytes) }
    link = next
    return true
  }

}

/// Moves what one file's directories point at.
private struct Mover {
  let shift: Int
  /// The bytes of this file inside the whole.
  let range: Range<Int>
  private var seen: Set<Int> = []

  init(shift: Int, range: Range<Int>) {
    self.shift = shift
    self.range = range
  }

  /// Moves the directory that was at `offset` in its file; gives the place of its link to the next.
  mutating func move(directoryAt offset: Int, in bytes: inout Data) -> Int? {
    let start = offset + shift
    guard seen.insert(offset).inserted, let count = number(start, 2, in: bytes),
      range.contains(start + 2 + 12 * count + 3)
    else { return nil }
    for index in 0..<count {
      guard move(fieldAt: start + 2 + 12 * index, in: &bytes) else { return nil }
    }
    return start + 2 + 12 * count
  }

  /// The tags whose values are places in the file: strips, tiles and further directories.
  private static let places: Set<Int> = [273, 288, 324, 513, 519, 520, 521]
  private static let directories: Set<Int> = [330, 34_665, 34_853, 40_965]

  private mutating func move(fieldAt place: Int, in bytes: inout Data) -> Bool {
    guard let tag = number(place, 2, in: bytes), let type = number(place + 2, 2, in: bytes),
      let count = number(place + 4, 4, in: bytes)
    else { return false }
    let size = TIFFStructure.Field.size(of: type)
    var values = place + 8
    if size * count > 4 {
      guard let offset = number(values, 4, in: bytes) else { return false }
      Self.set(offset + shift, at: values, in: &bytes)
      values = offset + shift
    }
    guard Self.places.contains(tag) || Self.directories.contains(tag) else { return true }
    guard size == 4, range.contains(values), range.contains(values + 4 * count - 1) else {
      return count == 0
    }
    for index in 0..<count {
      guard let offset = number(values + 4 * index, 4, in: bytes) else { return false }
      Self.set(offset + shift, at: values + 4 * index, in: &bytes)
      if Self.directories.contains(tag), move(directoryAt: offset, in: &bytes) == nil {
        return false
      }
    }
    return true
  }

  private func number(_ place: Int, _ count: Int, in bytes: Data) -> Int? {
    guard range.contains(place), range.contains(place + count - 1) else { return nil }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  static func set(_ value: Int, at place: Int, in bytes: inout Data) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}
