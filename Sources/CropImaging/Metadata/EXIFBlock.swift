import CropCore

/// An EXIF block (a TIFF structure without pixels), edited in place so that every offset stays valid:
/// maker notes hold offsets of their own.
///
/// Everything that is not reached from the directories that are kept is overwritten with zeros, so
/// nothing hides in gaps, in a dropped thumbnail or behind the end.
struct EXIFBlock {
  /// The block, from `II` or `MM` on.
  private(set) var bytes: [UInt8]
  private let isLittleEndian: Bool
  /// Which bytes are reached from a kept directory.
  private var isLive: [Bool]
  /// Values that are dropped because they hold a picture.
  private(set) var droppedPictures = 0
  private var tellsOrientation = false

  /// What is done to a block.
  struct Edit {
    /// The size of the result, in pixels.
    var width: Int
    var height: Int
    /// Whether the GPS directory goes.
    var dropsLocation: Bool
    /// Whether the colours are now sRGB.
    var isSRGB = false
    /// How the pixels of the result are to be laid down.
    var orientation = Orientation.up
  }

  /// The block, with or without the leading `Exif` of a JPEG segment, after `edit`; nil where there is
  /// no directory to be found.
  init?(_ bytes: [UInt8], edit: Edit) {
    let mark = Array("Exif\0\0".utf8)
    let block = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    guard block.count >= 14, block.count <= 1 << 24 else { return nil }
    switch (block[0], block[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: return nil
    }
    self.bytes = block
    isLive = [Bool](repeating: false, count: block.count)
    guard number(at: 2, bytes: 2) == 42, let first = number(at: 4, bytes: 4) else { return nil }
    for index in 0..<8 { isLive[index] = true }
    guard self.edit(directory: first, kind: .main, edit) else { return nil }
    for index in self.bytes.indices where !isLive[index] { self.bytes[index] = 0 }
    let end = (isLive.lastIndex(of: true) ?? 7) + 1
    self.bytes.removeSubrange(end...)
    if edit.orientation != .up, !tellsOrientation {
      addOrientation(edit.orientation, toDirectoryAt: first)
    }
  }

  /// A block that tells nothing but the orientation.
  static func telling(_ orientation: Orientation) -> [UInt8] {
    [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0,
      UInt8(truncatingIfNeeded: orientation.rawValue), 0, 0, 0, 0, 0, 0,
    ]
  }

  private enum Kind { case main, exif, gps, interoperability }

  /// Keeps the good entries of the directory at `offset`; false where there is none.
  private mutating func edit(directory offset: Int, kind: Kind, _ edit: Edit) -> Bool {
    guard offset >= 8, let count = number(at: offset, bytes: 2), count > 0,
      offset + 2 + 12 * count + 4 <= bytes.count,
      // A directory inside what is kept already is a loop or a lie.
      !isLive[offset]
    else { return false }
    var kept: [[UInt8]] = []
    for index in offset..<offset + 2 + 12 * count + 4 { isLive[index] = true }
    for index in 0..<count {
      let at = offset + 2 + 12 * index
      if keep(entry: at, kind: kind, edit) { kept.append(Array(bytes[at..<at + 12])) }
    }
    // Fewer entries: the directory gets shorter, and its link to the next one, which led to the
    // thumbnail, is cut.
    store(kept.count, at: offset, bytes: 2)
    var at = offset + 2
    for entry in kept {
      bytes.replaceSubrange(at..<at + 12, with: entry)
      at += 12
    }
    for index in at..<offset + 2 + 12 * count + 4 { bytes[index] = 0 }
    return true
  }

  /// Decides about one entry, and edits its value.
  private mutating func keep(entry at: Int, kind: Kind, _ edit: Edit) -> Bool {
    guard let tag = number(at: at, bytes: 2), let type = number(at: at + 2, bytes: 2),
      let count = number(at: at + 4, bytes: 4), let size = Self.size(of: type)
    else { return false }
    let (length, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, length <= bytes.count else { return false }
    let inner: Kind? =
      switch (kind, tag) {
      case (.main, 0x8769): .exif
      case (.main, 0x8825): .gps
      case (.exif, 0xA005): .interoperability
      default: nil
      }
    if let inner {
      if inner == .gps, edit.dropsLocation { return false }
      guard let offset = number(at: at + 8, bytes: 4) else { return false }
      return self.edit(directory: offset, kind: inner, edit)
    }
    if kind == .main, Self.structural.contains(tag) { return false }
    if kind != .main, Self.nested.contains(tag) { return false }
    let start = length <= 4 ? at + 8 : number(at: at + 8, bytes: 4) ?? bytes.count
    guard start + length <= bytes.count else { return false }
    if length > 4 {
      if Self.holdsPicture(bytes[start..<start + length]) {
        droppedPictures += 1
        return false
      }
      for index in start..<start + length { isLive[index] = true }
    }
    set(tag, of: kind, at: at, edit)
    return true
  }

  /// Puts right what the crop has changed.
  private mutating func set(_ tag: Int, of kind: Kind, at: Int, _ edit: Edit) {
    switch (kind, tag) {
    case (.main, 0x0112):
      setShort(edit.orientation.rawValue, at: at)
      tellsOrientation = true
    case (.exif, 0xA002): setLong(edit.width, at: at)
    case (.exif, 0xA003): setLong(edit.height, at: at)
    case (.interoperability, 0x1001): setLong(edit.width, at: at)
    case (.interoperability, 0x1002): setLong(edit.height, at: at)
    case (.exif, 0xA001) where edit.isSRGB: setShort(1, at: at)
    default: break
    }
  }

  /// Puts a directory with one more entry at the end of the block, in place of the one at `offset`.
  private mutating func addOrientation(_ orientation: Orientation, toDirectoryAt offset: Int) {
    guard let count = number(at: offset, bytes: 2), offset + 2 + 12 * count <= bytes.count else {
      return
    }
    var entries = (0..<count).map { Array(bytes[offset + 2 + 12 * $0..<offset + 14 + 12 * $0]) }
    for index in offset..<offset + 2 + 12 * count { bytes[index] = 0 }
    if bytes.count % 2 == 1 { bytes.append(0) }
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: 2 + 12 * (count + 1) + 4)
    store(0x0112, at: start, bytes: 2)
    setShort(orientation.rawValue, at: start)
    let own = Array(bytes[start..<start + 12])
    // Entries stand in the order of their tags.
    let place = entries.firstIndex { entry in
      let tag =
        isLittleEndian ? Int(entry[1]) << 8 | Int(entry[0]) : Int(entry[0]) << 8 | Int(entry[1])
      return tag > 0x0112
    }
    entries.insert(own, at: place ?? entries.count)
    store(entries.count, at: start, bytes: 2)
    bytes.replaceSubrange(start + 2..<start + 2 + 12 * entries.count, with: entries.joined())
    store(start, at: 4, bytes: 4)
  }

  private mutating func setShort(_ value: Int, at: Int) {
    store(3, at: at + 2, bytes: 2)
    store(1, at: at + 4, bytes: 4)
    store(0, at: at + 8, bytes: 4)
    store(value, at: at + 8, bytes: 2)
  }

  private mutating func setLong(_ value: Int, at: Int) {
    store(4, at: at + 2, bytes: 2)
    store(1, at: at + 4, bytes: 4)
    store(value, at: at + 8, bytes: 4)
  }
}

extension EXIFBlock {
  /// Tags of the main directory that describe pixels or hold other metadata, which have their own
  /// place in the result: sizes, strips, tiles, sub-pictures, XMP, IPTC, Photoshop, ICC, embedded
  /// JPEG, DNG's private data and previews.
  private static let structural: Set<Int> = [
    0x00FE, 0x00FF, 0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0111, 0x0115, 0x0116, 0x0117,
    0x011C, 0x013D, 0x0140, 0x0142, 0x0143, 0x0144, 0x0145, 0x014A, 0x0152, 0x0153, 0x015B,
    0x0201, 0x0202, 0x02BC, 0x83BB, 0x8649, 0x8773, 0x935C, 0xC4A5, 0xC634, 0xC6D2, 0xC6D3,
  ]

  /// Tags of the inner directories that hold or lead to pictures or sizes of the old one: subject
  /// area, subject location.
  private static let nested: Set<Int> = [0x9214, 0xA214, 0x0201, 0x0202]

  /// Whether a value holds a JPEG (its start, 0xFFD8FF), a PNG or a HEIF picture.
  static func holdsPicture(_ value: ArraySlice<UInt8>) -> Bool {
    value.withUnsafeBufferPointer { all in
      guard all.count >= 8 else { return false }
      var last: UInt32 = 0
      for byte in all {
        last = last << 8 | UInt32(byte)
        // A JPEG's first marker and the byte every marker starts with; "\x89PNG"; "ftyp".
        if last & 0xFF_FFFF == 0xFF_D8FF || last == 0x8950_4E47 || last == 0x6674_7970 {
          return true
        }
      }
      return false
    }
  }

  /// Bytes a value of a TIFF type takes, nil for types that do not exist.
  private static func size(of type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  private func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    var value = 0
    for index in 0..<count {
      let byte = Int(bytes[offset + (isLittleEndian ? count - 1 - index : index)])
      value = value << 8 | byte
    }
    return value
  }

  private mutating func store(_ value: Int, at offset: Int, bytes count: Int) {
    for index in 0..<count {
      let shift = 8 * (isLittleEndian ? index : count - 1 - index)
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}
