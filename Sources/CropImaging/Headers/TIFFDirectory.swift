/// A TIFF structure inside a file: a whole TIFF, or the EXIF of another format.
///
/// Offsets in it count from `base`; nothing is read past `base + length`.
struct TIFFStructure {
  let base: Int
  let length: Int
  let isLittle: Bool
  /// BigTIFF: 8 bytes for offsets and counts.
  let isBig: Bool
  let firstDirectory: Int

  /// Reads the header, nil if it is none.
  init?(_ reader: inout PictureReader, base: Int, length: Int) throws(CropError) {
    guard reader.end(of: base, length) != nil else { return nil }
    self.base = base
    self.length = length
    switch try reader.big16(base) {
    case 0x4949: isLittle = true
    case 0x4D4D: isLittle = false
    default: return nil
    }
    switch try reader.number(base + 2, size: 2, isLittle: isLittle) {
    case 42: isBig = false
    case 43: isBig = true
    default: return nil
    }
    if isBig {
      guard try reader.number(base + 4, size: 4, isLittle: isLittle) == (isLittle ? 8 : 0x80000)
      else { return nil }
    }
    guard
      let first = try reader.number(base + (isBig ? 8 : 4), size: isBig ? 8 : 4, isLittle: isLittle)
    else { return nil }
    firstDirectory = first
  }

  /// One field of a directory.
  struct Field {
    let tag: Int
    let type: Int
    let count: Int
    /// Where the values lie, from the start of the file; nil if they reach past the end.
    let values: Int?

    /// The bytes of one value, 0 for an unknown type.
    var valueSize: Int { Self.size(of: type) }

    static func size(of type: Int) -> Int {
      switch type {
      case 1, 2, 6, 7: 1
      case 3, 8: 2
      case 4, 9, 11, 13: 4
      case 5, 10, 12, 16, 17, 18: 8
      default: 0
      }
    }
  }

  /// One directory: its fields, and where the next one is (0: there is none).
  struct Directory {
    let fields: [Field]
    let next: Int

    subscript(tag: Int) -> Field? { fields.first { $0.tag == tag } }
  }

  /// The directory at `offset`, nil if it does not fit.
  func directory(_ offset: Int, _ reader: inout PictureReader) throws(CropError) -> Directory? {
    let counting = isBig ? 8 : 2
    let fieldSize = isBig ? 20 : 12
    guard let start = inside(offset, counting),
      let count = try reader.number(start, size: counting, isLittle: isLittle), count <= 65_535,
      inside(offset + counting, count * fieldSize) != nil
    else { return nil }
    var fields: [Field] = []
    fields.reserveCapacity(count)
    for i in 0..<count {
      fields.append(
        try field(at: start + counting + i * fieldSize, &reader)
          ?? Field(tag: 0, type: 0, count: 0, values: nil))
    }
    // The pointer to the next directory may be missing in EXIF.
    let after = offset + counting + count * fieldSize
    let width = isBig ? 8 : 4
    let next =
      inside(after, width) == nil
      ? 0 : try reader.number(base + after, size: width, isLittle: isLittle) ?? 0
    return Directory(fields: fields, next: next)
  }

  private func field(at position: Int, _ reader: inout PictureReader) throws(CropError) -> Field? {
    let width = isBig ? 8 : 4
    guard let tag = try reader.number(position, size: 2, isLittle: isLittle),
      let type = try reader.number(position + 2, size: 2, isLittle: isLittle),
      let count = try reader.number(position + 4, size: width, isLittle: isLittle)
    else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: Field.size(of: type))
    let slot = position + 4 + width
    var values: Int?
    if !overflow, bytes <= width {
      values = slot
    } else if !overflow,
      let offset = try reader.number(slot, size: width, isLittle: isLittle)
    {
      values = inside(offset, bytes)
    }
    return Field(tag: tag, type: type, count: count, values: values)
  }

  /// The first value of a field of whole numbers; nil for other types and where there is none.
  func number(_ field: Field?, _ reader: inout PictureReader) throws(CropError) -> Int? {
    try number(field, at: 0, &reader)
  }

  /// Value `index` of a field of whole numbers; nil for other types and past the end.
  func number(
    _ field: Field?, at index: Int, _ reader: inout PictureReader
  ) throws(CropError) -> Int? {
    guard let field, index >= 0, index < field.count, let values = field.values,
      [1, 3, 4, 13, 16, 18].contains(field.type)
    else { return nil }
    let size = field.valueSize
    return try reader.number(values + index * size, size: size, isLittle: isLittle)
  }

  /// The most values that ``numbers(_:in:_:)`` reads at once.
  static let mostNumbers = 512

  /// The values in `range` of a field of whole numbers; fewer where there are fewer.
  func numbers(
    _ field: Field?, in range: Range<Int>, _ reader: inout PictureReader
  ) throws(CropError) -> [Int] {
    var numbers: [Int] = []
    for i in range.prefix(Self.mostNumbers) {
      guard let number = try number(field, at: i, &reader) else { break }
      numbers.append(number)
    }
    return numbers
  }

  /// Where `offset` is in the file, if `length` bytes from there lie inside the structure.
  func inside(_ offset: Int, _ length: Int) -> Int? {
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard offset >= 0, length >= 0, !overflow, end <= self.length else { return nil }
    return base + offset
  }
}
