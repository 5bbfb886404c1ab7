import CropCore

/// An EXIF block (a TIFF structure without pixels), edited in place so that every offset stays valid:
/// maker notes hold offsets of their own.
///
/// Everything that is not reached from the directories that are kept is overwritten with zeros, so
/// nothing hides in gaps, in a dropped thumbnail or behind the end.
package struct EXIFBlock {
  /// The block, from `II` or `MM` on.
  package private(set) var bytes: [UInt8]
  private var isLittleEndian = false
  /// 1 for each byte that is reached from a kept directory.
  private var live: [UInt8] = []
  /// Values that are dropped because they hold a picture.
  package private(set) var droppedPictures = 0
  private var tellsOrientation = false

  /// The longest block that is read, in bytes; sums of a few lengths then fit in 32 bits.
  private static let most = 1 << 24

  /// The block, with or without the leading `Exif` of a JPEG segment, after `edit`; nil where there is
  /// no directory to be found.
  package init?(_ bytes: [UInt8], edit: MetadataEdit) {
    guard let first = Self.open(bytes) else { return nil }
    self = first.block
    live = [UInt8](repeating: 0, count: self.bytes.count)
    for index in 0..<8 { live[index] = 1 }
    guard self.edit(directory: first.directory, kind: .main, edit) else { return nil }
    var end = 8
    for index in 8..<self.bytes.count {
      if live[index] == 1 { end = index + 1 } else { self.bytes[index] = 0 }
    }
    self.bytes.removeLast(self.bytes.count - end)
    if edit.orientation != .up, !tellsOrientation {
      addOrientation(edit.orientation, toDirectoryAt: first.directory)
    }
  }

  private init(unread bytes: [UInt8]) { self.bytes = bytes }

  /// The block as it is, and where its first directory is.
  private static func open(_ bytes: [UInt8]) -> (block: EXIFBlock, directory: Int)? {
    let start = bytes.has("Exif\0\0") ? 6 : 0
    guard bytes.count - start >= 14, bytes.count <= most else { return nil }
    var block = EXIFBlock(unread: start == 0 ? bytes : bytes.part(from: start, to: bytes.count))
    if block.bytes.has("II") {
      block.isLittleEndian = true
    } else if !block.bytes.has("MM") {
      return nil
    }
    guard block.short(2) == 42, let directory = block.long(4) else { return nil }
    return (block, directory)
  }

  /// What a block, with or without its leading `Exif`, tells about the orientation: one short number
  /// from 1 to 8 in its first directory; nil for anything else.
  package static func orientation(of bytes: [UInt8]) -> Orientation? {
    guard let (block, directory) = open(bytes), let count = block.short(directory),
      directory + 2 + 12 * count <= block.bytes.count
    else { return nil }
    for index in 0..<count {
      let at = directory + 2 + 12 * index
      if block.short(at) != 0x0112 { continue }
      guard block.short(at + 2) == 3, block.long(at + 4) == 1, let value = block.short(at + 8)
      else { return nil }
      return Orientation(rawValue: value)
    }
    return nil
  }

  /// A block that tells nothing but the orientation.
  package static func telling(_ orientation: Orientation) -> [UInt8] {
    var block: [UInt8] = []
    block.append("MM\0\u{2A}\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0")
    block.append(UInt8(truncatingIfNeeded: orientation.rawValue))
    block.append("\0\0\0\0\0\0")
    return block
  }

  private enum Kind { case main, exif, gps, interoperability }

  /// Keeps the good entries of the directory at `offset`; false where there are none.
  private mutating func edit(directory offset: Int, kind: Kind, _ edit: MetadataEdit) -> Bool {
    guard offset >= 8, let count = short(offset), count > 0 else { return false }
    let end = offset + 2 + 12 * count + 4
    // A directory inside what is kept already is a loop or a lie.
    guard end <= bytes.count, live[offset] == 0 else { return false }
    for index in offset..<end { live[index] = 1 }
    // Fewer entries: the directory gets shorter, and its link to the next one, which led to the
    // thumbnail, is cut.
    var kept = 0
    for index in 0..<count {
      let at = offset + 2 + 12 * index
      guard keep(entry: at, kind: kind, edit) else { continue }
      let to = offset + 2 + 12 * kept
      for step in 0..<12 { bytes[to + step] = bytes[at + step] }
      kept += 1
    }
    store(kept, at: offset, bytes: 2)
    for index in offset + 2 + 12 * kept..<end { bytes[index] = 0 }
    // A directory must not be empty; the first one may yet get an entry.
    if kept > 0 || (kind == .main && edit.orientation != .up) { return true }
    for index in offset..<end { live[index] = 0 }
    return false
  }

  /// Decides about one entry, and edits its value.
  private mutating func keep(entry at: Int, kind: Kind, _ edit: MetadataEdit) -> Bool {
    guard let tag = short(at), let type = short(at + 2), let count = long(at + 4) else {
      return false
    }
    let size = Self.size(of: type)
    guard size > 0, count <= bytes.count / size else { return false }
    let inner: Kind? =
      switch (kind, tag) {
      case (.main, 0x8769): .exif
      case (.main, 0x8825): .gps
      case (.exif, 0xA005): .interoperability
      default: nil
      }
    if let inner {
      if inner == .gps, edit.dropsLocation { return false }
      guard let offset = long(at + 8) else { return false }
      return self.edit(directory: offset, kind: inner, edit)
    }
    if kind == .main ? Self.isStructural(tag) : Self.leadsElsewhere(tag) { return false }
    let length = size * count
    if length > 4 {
      guard let start = long(at + 8), start + length <= bytes.count else { return false }
      if bytes.holdsPicture(from: start, to: start + length) {
        droppedPictures += 1
        return false
      }
      for index in start..<start + length { live[index] = 1 }
    }
    set(tag, of: kind, at: at, edit)
    return true
  }

  /// Puts right what the crop has changed.
  private mutating func set(_ tag: Int, of kind: Kind, at: Int, _ edit: MetadataEdit) {
    switch (kind, tag) {
    case (.main, 0x0112):
      set(edit.orientation.rawValue, bytes: 2, at: at)
      tellsOrientation = true
    case (.exif, 0xA002), (.interoperability, 0x1001): set(edit.width, bytes: 4, at: at)
    case (.exif, 0xA003), (.interoperability, 0x1002): set(edit.height, bytes: 4, at: at)
    case (.exif, 0xA001) where edit.isSRGB: set(1, bytes: 2, at: at)
    default: break
    }
  }

  /// Puts a directory with one more entry at the end of the block, in place of the one at `offset`.
  private mutating func addOrientation(_ orientation: Orientation, toDirectoryAt offset: Int) {
    guard let count = short(offset), offset + 2 + 12 * count <= bytes.count else { return }
    if bytes.count % 2 == 1 { bytes.append(0) }
    let start = bytes.count
    for _ in 0..<2 + 12 * (count + 1) + 4 { bytes.append(0) }
    store(count + 1, at: start, bytes: 2)
    var to = start + 2
    var isPlaced = false
    for index in 0...count {
      let at = offset + 2 + 12 * index
      // Entries stand in the order of their tags.
      if !isPlaced, index == count || (short(at) ?? 0) > 0x0112 {
        store(0x0112, at: to, bytes: 2)
        set(orientation.rawValue, bytes: 2, at: to)
        isPlaced = true
        to += 12
      }
      if index == count { break }
      for step in 0..<12 { bytes[to + step] = bytes[at + step] }
      to += 12
    }
    for index in offset..<offset + 2 + 12 * count { bytes[index] = 0 }
    store(start, at: 4, bytes: 4)
  }

  /// Makes the entry at `at` one number of 2 or 4 bytes.
  private mutating func set(_ value: Int, bytes count: Int, at: Int) {
    store(count == 2 ? 3 : 4, at: at + 2, bytes: 2)
    store(1, at: at + 4, bytes: 4)
    store(0, at: at + 8, bytes: 4)
    store(value, at: at + 8, bytes: count)
  }
}

extension EXIFBlock {
  /// Whether a tag of the main directory describes pixels or holds other metadata, which have their own
  /// place in the result: sizes, strips, tiles, sub-pictures, XMP, IPTC, Photoshop, ICC, embedded
  /// JPEG, DNG's private data and previews.
  private static func isStructural(_ tag: Int) -> Bool {
    switch tag {
    case 0x00FE, 0x00FF, 0x0100...0x0103, 0x0106, 0x0111, 0x0115...0x0117, 0x011C, 0x013D, 0x0140,
      0x0142...0x0145, 0x014A, 0x0152, 0x0153, 0x015B, 0x0201, 0x0202, 0x02BC, 0x83BB, 0x8649,
      0x8773, 0x935C, 0xC4A5, 0xC634, 0xC6D2, 0xC6D3:
      true
    default: false
    }
  }

  /// Whether a tag of an inner directory leads to a picture or to places of the old one: subject area,
  /// subject location.
  private static func leadsElsewhere(_ tag: Int) -> Bool {
    tag == 0x9214 || tag == 0xA214 || tag == 0x0201 || tag == 0x0202
  }

  /// Bytes a value of a TIFF type takes, 0 for types that do not exist.
  private static func size(of type: Int) -> Int {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: 0
    }
  }

  /// Two bytes as a number; nil past the end.
  private func short(_ at: Int) -> Int? {
    guard at >= 0, at <= bytes.count - 2 else { return nil }
    let (first, second) = (Int(bytes[at]), Int(bytes[at + 1]))
    return isLittleEndian ? second << 8 | first : first << 8 | second
  }

  /// Four bytes as a number; nil past the end, and for what can't be a length or place in a block.
  private func long(_ at: Int) -> Int? {
    guard let first = short(at), let second = short(at + 2) else { return nil }
    let (high, low) = isLittleEndian ? (second, first) : (first, second)
    return high <= Self.most >> 16 ? high << 16 | low : nil
  }

  private mutating func store(_ value: Int, at offset: Int, bytes count: Int) {
    for index in 0..<count {
      let shift = 8 * (isLittleEndian ? index : count - 1 - index)
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}
