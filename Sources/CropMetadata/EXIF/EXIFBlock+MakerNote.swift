import CropCore

/// Values of a camera's maker note that are stored outside the note.
///
/// Some cameras and programs state a length of the note that does not include everything that its
/// directory refers to. The note is not moved, so its offsets stay valid, and the values after it
/// are kept too.
extension EXIFBlock {
  /// The longest block whose maker note is parsed, in bytes; a block in a JPEG has at most 65,533.
  private static var longestFollowed: Int { 1 << 17 }
  /// The largest number of fields of a directory that is parsed.
  private static var mostFields: Int { 512 }
  /// The longest value outside the note that is kept, in bytes. Previews are longer.
  private static var longestValue: Int { 4096 }

  /// 1 for each byte that belongs to the block's directories, including removed ones and their
  /// thumbnails; these bytes are not part of a maker note. Empty for a block that is too long.
  func claimed(from first: Int) -> [UInt8] {
    guard bytes.count <= Self.longestFollowed else { return [] }
    var claimed = [UInt8](repeating: 0, count: bytes.count)
    claim(directoryAt: first, depth: 0, &claimed)
    return claimed
  }

  private func claim(directoryAt offset: Int, depth: Int, _ claimed: inout [UInt8]) {
    var source = bytes
    guard depth < 6,
      let fields = Self.fields(of: structure, directoryAt: offset, &source),
      fields.end + 4 <= bytes.count, claimed[offset] == 0
    else { return }
    claimed.fill(from: offset, to: fields.end + 4, with: 1)
    var (starts, lengths): (TIFFStructure.Field?, TIFFStructure.Field?)
    for index in 0..<min(fields.count, Self.mostFields) {
      let field = structure.field(at: fields[index], &source)
      if !field.isInSlot, let values = field.values {
        claimed.fill(from: values, to: values + field.valueSize * field.count, with: 1)
      }
      switch field.tag {
      // Directories of EXIF, GPS, interoperability and sub-pictures.
      case TIFFTag.exif, TIFFTag.gps, TIFFTag.interoperability, TIFFTag.subDirectories:
        for place in 0..<min(field.count, 16) {
          guard let inner = structure.number(field, at: place, &source) else { break }
          claim(directoryAt: inner, depth: depth + 1, &claimed)
        }
      case TIFFTag.stripOffsets, TIFFTag.tileOffsets, TIFFTag.jpegOffset: starts = field
      case TIFFTag.stripByteCounts, TIFFTag.tileByteCounts, TIFFTag.jpegLength: lengths = field
      default: break
      }
    }
    for place in 0..<min(starts?.count ?? 0, Self.mostFields) {
      guard let start = structure.number(starts, at: place, &source), start < bytes.count,
        let length = structure.number(lengths, at: place, &source)
      else { break }
      claimed.fill(from: start, to: start + min(length, bytes.count - start), with: 1)
    }
    if let next = source.number(fields.end, size: 4, order: structure.order), next > 0 {
      claim(directoryAt: next, depth: depth + 1, &claimed)
    }
  }

  /// Keeps values that the maker note's directory has outside the note, unless another directory
  /// uses them or they contain an image. If locations are removed, overwrites those in the note.
  mutating func keepWhatMakerNoteReaches(unless claimed: [UInt8], _ edit: MetadataEdit) {
    guard let note = makerNote else { return }
    var layout = MakerNoteLayout(bytes, note.start, structure.order)
    guard layout.firstDirectory < note.end else { return }
    if (bytes.number(layout.firstDirectory, size: 2, order: layout.order) ?? 0) > Self.mostFields {
      layout.order = layout.order == .little ? .big : .little
    }
    keepValues(ofDirectoryAt: layout.firstDirectory, layout, note, claimed, edit, isInner: false)
  }

  private mutating func keepValues(
    ofDirectoryAt start: Int, _ layout: MakerNoteLayout, _ note: (start: Int, end: Int),
    _ claimed: [UInt8], _ edit: MetadataEdit, isInner: Bool
  ) {
    let order = layout.order
    guard let count = bytes.number(start, size: 2, order: order), count <= Self.mostFields,
      2 + 12 * count <= bytes.count - start
    else { return }
    if isInner {
      // The link to the next directory is often missing.
      let end = min(start + 2 + 12 * count + 4, bytes.count)
      guard keep(from: start, to: end, note, claimed) else { return }
    }
    for index in 0..<count {
      let place = start + 2 + 12 * index
      guard let tag = bytes.number(place, size: 2, order: order),
        let type = bytes.number(place + 2, size: 2, order: order),
        let length = bytes.number(place + 4, size: 4, order: order),
        let value = bytes.number(place + 8, size: 4, order: order)
      else { continue }
      let size = min(length, bytes.count) * TIFFStructure.valueSize(ofType: type)
      if edit.dropsLocation, layout.isPlace(tag) {
        // A value outside the note is not kept.
        let at = size > 4 ? layout.base + min(value, bytes.count - layout.base) : place + 8
        bytes.fill(from: max(at, note.start), to: min(at + size, note.end), with: 0)
        continue
      }
      guard length <= Self.longestValue, value <= bytes.count - layout.base else { continue }
      let at = layout.base + value
      // Nikon's scanner settings; its preview (0x0011) is an image.
      let isDirectory = type == 13 || (layout.isNikon && tag == 0x0E10)
      if isDirectory, length == 1, !isInner, at >= note.end || at < note.start {
        keepValues(ofDirectoryAt: at, layout, note, claimed, edit, isInner: true)
      } else if size > 4, size <= Self.longestValue, size <= bytes.count - at {
        keep(from: at, to: at + size, note, claimed)
      }
    }
  }

  /// Overwrites the preview in a Nikon note from `start` to `end`, in the directory that its field
  /// 0x0011 refers to; false if there is none. Only bytes inside the note change.
  mutating func blankPreview(inMakerNote start: Int, to end: Int) -> Bool {
    let layout = MakerNoteLayout(bytes, start, structure.order)
    let order = layout.order
    func place(in field: Int?) -> Int? {
      guard let field, let offset = bytes.number(field + 8, size: 4, order: order),
        offset <= bytes.count - layout.base
      else { return nil }
      return layout.base + offset
    }
    // As in the directory of an EXIF thumbnail: the image's position and length.
    guard layout.isNikon,
      let directory = place(in: field(0x0011, ofMakerDirectoryAt: layout.firstDirectory, order)),
      directory >= start,
      let first = field(TIFFTag.jpegOffset, ofMakerDirectoryAt: directory, order),
      first + 12 <= end,
      let second = field(TIFFTag.jpegLength, ofMakerDirectoryAt: directory, order),
      second + 12 <= end,
      let picture = place(in: first), picture >= start, picture <= end,
      let length = bytes.number(second + 8, size: 4, order: order)
    else { return false }
    bytes.fill(from: picture, to: picture + min(length, end - picture), with: 0)
    for field in [first, second] { bytes.fill(from: field + 8, to: field + 12, with: 0) }
    return true
  }

  /// The position of a tag's field in a maker note's directory at `start`.
  private func field(
    _ tag: Int, ofMakerDirectoryAt start: Int, _ order: ByteOrder
  ) -> Int? {
    guard let count = bytes.number(start, size: 2, order: order), count <= Self.mostFields,
      2 + 12 * count <= bytes.count - start
    else { return nil }
    for index in 0..<count {
      let place = start + 2 + 12 * index
      if bytes.number(place, size: 2, order: order) == tag { return place }
    }
    return nil
  }

  /// Keeps bytes outside the note; false if they must not be kept.
  @discardableResult
  private mutating func keep(
    from start: Int, to end: Int, _ note: (start: Int, end: Int), _ claimed: [UInt8]
  ) -> Bool {
    if start >= note.start, end <= note.end { return true }
    guard claimed.count == bytes.count, start >= 8, end <= bytes.count,
      !bytes.holdsPicture(from: start, to: end)
    else {
      return false
    }
    for index in start..<end where claimed[index] == 1 && (index < note.start || index >= note.end)
    {
      return false
    }
    live.fill(from: start, to: end, with: 1)
    return true
  }
}

/// The position of a maker note's directory, and the base of its offsets. The layouts are those
/// that ExifTool's documentation lists (MakerNotes.pm's table of headers).
private struct MakerNoteLayout {
  var firstDirectory: Int
  /// The base of the offsets, as a position in the block.
  var base = 0
  var order: ByteOrder
  var isNikon = false
  var isPanasonic = false

  init(_ bytes: [UInt8], _ note: Int, _ order: ByteOrder) {
    self.order = order
    // Canon, Minolta, older Casio and others start with the directory.
    firstDirectory = note
    func begins(_ text: StaticString) -> Bool { bytes.has(text, at: note) }
    if begins("Nikon\0\u{2}") {
      // A separate TIFF header.
      isNikon = true
      base = note + 10
      self.order = bytes.has("II", at: base) ? .little : .big
      let offset = bytes.number(base + 4, size: 4, order: self.order) ?? bytes.count
      firstDirectory = base + min(offset, bytes.count)
    } else if begins("OLYMPUS\0") || begins("SONY DSC ") || begins("Panasonic\0") {
      base = begins("OLYMPUS\0") ? note : 0
      isPanasonic = begins("Panasonic\0")
      firstDirectory = note + 12
    } else if begins("OM SYSTEM\0") {
      (base, firstDirectory) = (note, note + 16)
    } else if begins("FUJIFILM") {
      (base, firstDirectory, self.order) = (note, note + 12, .little)
    } else if begins("PENTAX \0") {
      (base, firstDirectory) = (note, note + 10)
    } else if begins("Apple iOS\0") {
      (base, firstDirectory, self.order) = (note, note + 14, .big)
    } else if begins("AOC\0") || begins("QVC\0") {
      firstDirectory = note + 6
    } else if begins("Nikon\0\u{1}") || begins("OLYMP\0") || begins("Ricoh") || begins("SANYO\0") {
      firstDirectory = note + 8
    }
  }

  /// Whether a field states where the photo was taken: Nikon's LocationInfo; Panasonic's location,
  /// country, state, city and landmark.
  func isPlace(_ tag: Int) -> Bool {
    switch tag {
    case 0x39: isNikon
    case 0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80: isPanasonic
    default: false
    }
  }
}
