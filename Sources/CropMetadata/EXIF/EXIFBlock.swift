import CropCore

/// An EXIF block (a TIFF structure without pixels), edited in place so that every offset stays
/// valid, including those inside maker notes.
///
/// Everything that the kept directories do not refer to is overwritten with zeros, so nothing can
/// hide in gaps, in a dropped thumbnail or after the end.
package struct EXIFBlock {
  /// The block, from `II` or `MM` on.
  package internal(set) var bytes: [UInt8]
  let structure: TIFFStructure
  /// 1 for each byte that a kept directory refers to.
  var live: [UInt8] = []
  /// The range of the camera's maker note, if it is kept.
  private(set) var makerNote: (start: Int, end: Int)?
  /// Removed metadata that users may miss.
  package private(set) var lost: MetadataLoss = []
  private var tellsOrientation = false

  /// The longest block that is read, in bytes; the sum of a few lengths then fits in 32 bits.
  private static let most = 1 << 24

  /// The block, with or without the leading `Exif` of a JPEG segment, after `edit`; nil if no
  /// directory is found.
  package init?(_ bytes: [UInt8], edit: MetadataEdit) {
    var block = Self.contents(of: bytes)
    guard let structure = Self.structure(of: &block) else { return nil }
    self.bytes = block
    self.structure = structure
    let first = structure.firstDirectory
    live = [UInt8](repeating: 0, count: self.bytes.count)
    live.fill(from: 0, to: 8, with: 1)
    let claimed = self.claimed(from: first)
    // A directory that overlaps the first one may have been dropped, together with the first.
    guard self.edit(directory: first, kind: .main, edit), live[first] == 1 else { return nil }
    keepWhatMakerNoteReaches(unless: claimed, edit)
    var end = 8
    for index in 8..<self.bytes.count {
      if live[index] == 1 { end = index + 1 } else { self.bytes[index] = 0 }
    }
    self.bytes.removeLast(self.bytes.count - end)
    if edit.orientation != .up, !tellsOrientation {
      addOrientation(edit.orientation, toDirectoryAt: first)
    }
    if let density = edit.density.density, let stated = Self.stating(density, in: self.bytes) {
      self.bytes = stated
    }
  }

  /// A block without its leading `Exif`.
  static func contents(of bytes: [UInt8]) -> [UInt8] {
    bytes.part(from: bytes.has("Exif\0\0") ? 6 : 0, to: bytes.count)
  }

  /// The structure of a block; nil if its start is invalid.
  @inline(never)
  static func structure(of block: inout [UInt8]) -> TIFFStructure? {
    let length = block.count
    guard length >= 14, length <= most,
      let structure = TIFFStructure(&block, base: 0, length: length), !structure.isBig
    else { return nil }
    return structure
  }

  /// The orientation in a block, with or without its leading `Exif`: an integer from 1 to 8 in its
  /// first directory; nil for anything else.
  package static func orientation(of bytes: [UInt8]) -> Orientation? {
    orientationEntry(in: bytes)?.orientation
  }

  /// The position in `bytes` of the orientation entry if its type is not the standard's; otherwise
  /// nil. Browsers ignore such an entry.
  package static func unusualOrientation(of bytes: [UInt8]) -> Int? {
    guard let entry = orientationEntry(in: bytes), !entry.isUsual else { return nil }
    return entry.place
  }

  private static func orientationEntry(
    in bytes: [UInt8]
  ) -> (orientation: Orientation, place: Int, isUsual: Bool)? {
    var block = contents(of: bytes)
    guard let structure = structure(of: &block),
      let fields = fields(of: structure, directoryAt: structure.firstDirectory, &block)
    else { return nil }
    for index in 0..<fields.count {
      let place = fields[index]
      let field = structure.field(at: place, &block)
      if field.tag == TIFFTag.orientation {
        return structure.orientation(field, &block).map {
          ($0, place + bytes.count - block.count, field.type == 3 && field.count == 1)
        }
      }
    }
    return nil
  }

  /// A block that contains only the orientation.
  package static func block(_ orientation: Orientation) -> [UInt8] {
    var block: [UInt8] = []
    block.append("MM\0\u{2A}\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0")
    block.append(UInt8(truncatingIfNeeded: orientation.rawValue))
    block.append("\0\0\0\0\0\0")
    return block
  }

  private enum Kind { case main, exif, gps, interoperability }

  /// The positions of the fields of the directory at `offset`; nil if it is invalid.
  static func fields(
    of structure: TIFFStructure, directoryAt offset: Int, _ block: inout [UInt8]
  ) -> TIFFStructure.Fields? {
    guard offset >= 8, let fields = structure.fields(ofDirectoryAt: offset, &block),
      fields.count > 0
    else { return nil }
    return fields
  }

  /// Keeps the valid fields of the directory at `offset`; false if there are none.
  private mutating func edit(directory offset: Int, kind: Kind, _ edit: MetadataEdit) -> Bool {
    // A directory inside kept bytes is a loop or invalid. The link to the next directory follows
    // it.
    guard let fields = Self.fields(of: structure, directoryAt: offset, &bytes),
      fields.end + 4 <= bytes.count, live[offset] == 0
    else { return false }
    live.fill(from: offset, to: fields.end + 4, with: 1)
    // With fewer fields, the directory is shorter. The link, which led to the thumbnail, is
    // removed.
    var kept = 0
    for index in 0..<fields.count where keep(fieldAt: fields[index], kind: kind, edit) {
      for step in 0..<fields.size { bytes[fields[kept] + step] = bytes[fields[index] + step] }
      kept += 1
    }
    bytes.store(kept, 2, at: offset, structure.order)
    bytes.fill(from: fields[kept], to: fields.end + 4, with: 0)
    // A directory must not be empty, but the first one may get an orientation field.
    if kept > 0 || (kind == .main && edit.orientation != .up) { return true }
    live.fill(from: offset, to: fields.end + 4, with: 0)
    return false
  }

  /// Decides whether to keep a field, and edits its value.
  private mutating func keep(fieldAt at: Int, kind: Kind, _ edit: MetadataEdit) -> Bool {
    // EXIF does not have BigTIFF's types.
    let field = structure.field(at: at, &bytes)
    guard field.type < 14, field.valueSize > 0, field.count <= bytes.count / field.valueSize else {
      return false
    }
    if let inner = Self.directory(behind: field.tag, kind) {
      guard inner != .gps || !edit.dropsLocation else { return false }
      return self.edit(directory: structure.offset(in: field.slot, &bytes), kind: inner, edit)
    }
    // The subject's area or location, in EXIF and in TIFF/EP.
    if field.tag == TIFFTag.subjectArea || field.tag == TIFFTag.subjectLocation {
      lost.insert(.regions)
      return false
    }
    if Self.leadsElsewhere(field.tag, kind) { return false }
    if kind == .main, case .dropped = edit.density, Self.isDensity(field.tag) { return false }
    guard let values = field.values else { return false }
    if !field.isInSlot {
      let end = values + field.valueSize * field.count
      let isMakerNote = field.tag == TIFFTag.makerNote && kind == .exif
      if bytes.holdsPicture(from: values, to: end) {
        let isBlanked = isMakerNote && blankPreview(inMakerNote: values, to: end)
        guard isBlanked, !bytes.holdsPicture(from: values, to: end) else {
          lost.insert(.pictures)
          return false
        }
        lost.insert(.previews)
      }
      live.fill(from: values, to: end, with: 1)
      if isMakerNote { makerNote = (values, end) }
    }
    set(field.tag, of: kind, at: at, edit)
    return true
  }

  /// Corrects a value that the crop has changed.
  private mutating func set(_ tag: Int, of kind: Kind, at: Int, _ edit: MetadataEdit) {
    let (value, size): (Int, Int)
    switch (kind, tag) {
    case (.main, TIFFTag.orientation):
      (value, size) = (edit.orientation.rawValue, 2)
      tellsOrientation = true
    case (.exif, TIFFTag.pixelWidth), (.interoperability, TIFFTag.relatedWidth):
      (value, size) = (edit.width, 4)
    case (.exif, TIFFTag.pixelHeight), (.interoperability, TIFFTag.relatedHeight):
      (value, size) = (edit.height, 4)
    case (.exif, TIFFTag.colorSpace) where edit.isSRGB: (value, size) = (1, 2)
    default: return
    }
    bytes.storeField(tag: tag, value, size: size, at: at, structure.order)
  }

  /// Adds a field to a directory, by writing a copy of the directory at `offset` to the end of the
  /// block.
  private mutating func addOrientation(_ orientation: Orientation, toDirectoryAt offset: Int) {
    guard let fields = structure.fields(ofDirectoryAt: offset, &bytes) else { return }
    // Fields are sorted by tag.
    var before = 0
    while before < fields.count,
      structure.field(at: fields[before], &bytes).tag < TIFFTag.orientation
    { before += 1 }
    if bytes.count % 2 == 1 { bytes.append(0) }
    let start = bytes.count
    bytes.append(bytes, from: offset, to: fields[before])
    let added = bytes.count
    bytes.append("\0\0\0\0\0\0\0\0\0\0\0\0")
    bytes.append(bytes, from: fields[before], to: fields.end)
    bytes.append("\0\0\0\0")
    bytes.store(start, 4, at: 4, structure.order)
    bytes.store(fields.count + 1, 2, at: start, structure.order)
    bytes.storeField(
      tag: TIFFTag.orientation, orientation.rawValue, size: 2, at: added, structure.order)
    bytes.fill(from: offset, to: fields.end, with: 0)
  }
}

extension EXIFBlock {
  /// The kind of directory that a tag refers to; nil for any other tag.
  private static func directory(behind tag: Int, _ kind: Kind) -> Kind? {
    switch (kind, tag) {
    case (.main, TIFFTag.exif): .exif
    case (.main, TIFFTag.gps): .gps
    case (.exif, TIFFTag.interoperability): .interoperability
    default: nil
    }
  }

  /// Whether a tag refers to an image or, in the main directory, describes pixels or contains other
  /// metadata, which are stored separately in the result: sizes, strips, tiles, sub-images, XMP,
  /// IPTC, Photoshop, ICC, embedded JPEG, DNG's private data and previews. Georeferencing is not
  /// valid after a crop.
  private static func leadsElsewhere(_ tag: Int, _ kind: Kind) -> Bool {
    switch tag {
    case TIFFTag.jpegOffset, TIFFTag.jpegLength: true
    case 0x00FE, 0x00FF, 0x0100...0x0103, 0x0106, 0x0111, 0x0115...0x0117, 0x011C, 0x013D, 0x0140,
      0x0142...0x0145, 0x014A, 0x0152, 0x0153, 0x015B, 0x02BC, 0x830E, 0x83BB, 0x8480, 0x8482,
      0x85D8, 0x8649, 0x8773, 0x87AF...0x87B1, 0x935C, 0xC4A5, 0xC634, 0xC6D2, 0xC6D3:
      kind == .main
    default: false
    }
  }
}
