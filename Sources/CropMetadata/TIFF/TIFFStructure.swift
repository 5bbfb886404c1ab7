/// A TIFF structure inside bytes: a complete TIFF, or the EXIF of another format.
///
/// Its offsets count from `base`; nothing is read past `base + length`.
package struct TIFFStructure {
  #if hasFeature(Embedded)
    // Embedded Swift only reads EXIF blocks: an array that starts with the structure, never a
    // BigTIFF.
    package var base: Int { 0 }
    package var isBig: Bool { false }
  #else
    package let base: Int
    /// BigTIFF: 8 bytes for offsets and counts.
    package let isBig: Bool
  #endif
  package let length: Int
  package let order: ByteOrder
  package private(set) var firstDirectory = 0

  /// Reads the header; nil if the bytes are not a TIFF's.
  package init?<Source: ByteSource>(
    _ source: inout Source, base: Int, length: Int
  ) throws(Source.Failure) {
    guard base >= 0, length >= 0, length <= source.count - base else { return nil }
    self.length = length
    // II or MM, then the number 42, or 43 in a BigTIFF.
    let mark = try source.number(base, size: 4, order: .big)
    order = mark == 0x4949_2A00 || mark == 0x4949_2B00 ? .little : .big
    #if !hasFeature(Embedded)
      self.base = base
      isBig = mark == 0x4949_2B00 || mark == 0x4D4D_002B
      if isBig {
        // The size of offsets, and two bytes that are 0.
        guard try source.number(base + 4, size: 2, order: order) == 8,
          try source.number(base + 6, size: 2, order: order) == 0
        else { return nil }
      }
    #endif
    guard isBig || mark == 0x4949_2A00 || mark == 0x4D4D_002A,
      let first = try source.number(base + (isBig ? 8 : 4), size: isBig ? 8 : 4, order: order)
    else { return nil }
    firstDirectory = first
  }

  /// The number of bytes of an offset, and of values that a field can store without an offset.
  private var wordSize: Int { isBig ? 8 : 4 }

  /// The position of `offset` among the bytes, if `length` bytes from there are inside the
  /// structure.
  package func inside(_ offset: Int, _ length: Int) -> Int? {
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard offset >= 0, length >= 0, !overflow, end <= self.length else { return nil }
    return base + offset
  }
}

extension TIFFStructure {
  /// The position of a directory's fields.
  package struct Fields {
    /// The position of the first field.
    package let start: Int
    package let count: Int
    /// The number of bytes of a field.
    package let size: Int

    /// The position of field `index`.
    package subscript(index: Int) -> Int { start &+ index &* size }

    /// The end of the fields. The offset of the next directory follows, which may be missing in
    /// EXIF.
    package var end: Int { self[count] }
  }

  /// One field of a directory.
  package struct Field {
    package let tag: Int
    package let type: Int
    package let count: Int
    /// The position of the field's values, or of their offset.
    package let slot: Int
    /// Whether the values are stored in the slot.
    package let isInSlot: Bool
    /// The position of the values; nil if they extend past the end.
    package let values: Int?

    /// The number of bytes of a value, 0 for an unknown type.
    package var valueSize: Int { TIFFStructure.valueSize(ofType: type) }
  }

  /// One directory: its fields, and the position of the next one (0: none).
  package struct Directory {
    package let fields: [Field]
    package let next: Int

    package subscript(tag: Int) -> Field? { fields.first { $0.tag == tag } }
  }

  /// The number of bytes of a value of a type, 0 for an unknown type. Only BigTIFF has 16 to 18.
  package static func valueSize(ofType type: Int) -> Int {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: 0
    }
  }

  /// The positions of the fields of the directory at `offset`; nil if they do not fit.
  @inline(never)
  package func fields<Source: ByteSource>(
    ofDirectoryAt offset: Int, _ source: inout Source
  ) throws(Source.Failure) -> Fields? {
    let counting = isBig ? 8 : 2
    let size = isBig ? 20 : 12
    guard let start = inside(offset, counting),
      let count = try source.number(start, size: counting, order: order), count <= 65_535,
      count &* size <= length &- offset &- counting
    else { return nil }
    return Fields(start: start + counting, count: count, size: size)
  }

  /// The field at `place`, one of the positions in ``fields(ofDirectoryAt:_:)``.
  @inline(never)
  package func field<Source: ByteSource>(
    at place: Int, _ source: inout Source
  ) throws(Source.Failure) -> Field {
    // A file that has become shorter in the meantime returns nil.
    let tag = try number(at: place, size: 2, &source)
    let type = try number(at: place &+ 2, size: 2, &source)
    let count = try number(at: place &+ 4, size: wordSize, &source)
    let slot = place &+ 4 &+ wordSize
    let (length, overflow) = count.multipliedReportingOverflow(by: Self.valueSize(ofType: type))
    let isInSlot = !overflow && length <= wordSize
    var values: Int?
    if isInSlot {
      values = slot
    } else if !overflow {
      values = inside(try offset(in: slot, &source), length)
    }
    return Field(
      tag: tag, type: type, count: count, slot: slot, isInSlot: isInSlot, values: values)
  }

  /// The offset that a field contains instead of its values, or that follows the fields.
  package func offset<Source: ByteSource>(
    in slot: Int, _ source: inout Source
  ) throws(Source.Failure) -> Int {
    try number(at: slot, size: wordSize, &source)
  }

  /// The number at `place`; 0 if the bytes end first.
  @inline(never)
  private func number<Source: ByteSource>(
    at place: Int, size: Int, _ source: inout Source
  ) throws(Source.Failure) -> Int {
    try source.number(place, size: size, order: order) ?? 0
  }

  /// The directory at `offset`, nil if it does not fit.
  package func directory<Source: ByteSource>(
    _ offset: Int, _ source: inout Source
  ) throws(Source.Failure) -> Directory? {
    guard let places = try fields(ofDirectoryAt: offset, &source) else { return nil }
    var fields: [Field] = []
    fields.reserveCapacity(places.count)
    for index in 0..<places.count {
      fields.append(try field(at: places[index], &source))
    }
    let hasNext = inside(places.end - base, wordSize) != nil
    return Directory(fields: fields, next: hasNext ? try self.offset(in: places.end, &source) : 0)
  }
}
