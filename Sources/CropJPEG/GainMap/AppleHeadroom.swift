import CropCore

/// Apple's parameters of a gain map: fields 33 and 48 of the camera's maker note. Some iPhones only
/// write the first one.
package struct AppleHeadroom: Equatable {
  /// A fraction as it is stored.
  package struct Fraction: Equatable {
    package var over: Int32
    package var under: Int32
    var value: Double { Double(over) / Double(under) }
  }

  /// Field 33, `HDRHeadroom`.
  package let headroom: Fraction?
  /// Field 48, `HDRGain`.
  package let gain: Fraction?

  private static var mark: StaticString { "Apple iOS\0\0\u{1}MM" }
  private static var markCount: Int { 14 }

  /// Reads the parameters from an EXIF block that starts with `II` or `MM`; nil if it has no Apple
  /// maker note with one of them.
  package init?(inEXIF block: [UInt8]) {
    var block = block.has("Exif\0\0") ? block.part(from: 6, to: block.count) : block
    let length = block.count
    guard let structure = TIFFStructure(&block, base: 0, length: length),
      let main = structure.directory(structure.firstDirectory, &block),
      let offset = structure.number(main[TIFFTag.exif], &block),
      let exif = structure.directory(offset, &block), let note = exif[TIFFTag.makerNote],
      note.type == 7, let start = note.values, note.count > Self.markCount + 2,
      start <= block.count - note.count
    else { return nil }
    self.init(inNote: block.part(from: start, to: start + note.count))
  }

  /// Reads the parameters from a maker note: a header of 14 bytes, then a directory whose offsets
  /// count from the note's start.
  private init?(inNote note: [UInt8]) {
    let start = Self.markCount
    guard note.has(Self.mark),
      let count = note.number(start, size: 2, order: .big), count <= 512
    else { return nil }
    var (headroom, gain): (Fraction?, Fraction?)
    for index in 0..<count {
      let place = start + 2 + 12 * index
      guard let tag = note.number(place, size: 2, order: .big), tag == 33 || tag == 48,
        let type = note.number(place + 2, size: 2, order: .big), type == 5 || type == 10,
        note.number(place + 4, size: 4, order: .big) == 1,
        let offset = note.number(place + 8, size: 4, order: .big), offset <= note.count,
        let over = note.number(offset, size: 4, order: .big),
        let under = note.number(offset + 4, size: 4, order: .big)
      else { continue }
      let fraction = Fraction(
        over: Int32(truncatingIfNeeded: over), under: Int32(truncatingIfNeeded: under))
      guard fraction.under > 0 else { continue }
      if tag == 33 { headroom = fraction } else { gain = fraction }
    }
    guard headroom != nil || gain != nil else { return nil }
    self.headroom = headroom
    self.gain = gain
  }

  /// How much brighter than white the brightest part is, in stops, 0 or more: Apple's formula ("Applying Apple
  /// HDR effect to your photos", developer.apple.com). Nil if one of the parameters is missing.
  package var stops: Double? {
    guard let first = headroom?.value, let second = gain?.value else { return nil }
    let stops =
      switch (first < 1, second <= 0.01) {
      case (true, true): -20 * second + 1.8
      case (true, false): -0.101 * second + 1.601
      case (false, true): -70 * second + 3
      case (false, false): -0.303 * second + 2.303
      }
    return max(stops, 0)
  }

  /// An EXIF block with only these parameters and the orientation.
  package func exif(_ orientation: Orientation) -> [UInt8] {
    var block: [UInt8] = []
    func big(_ number: Int, _ size: Int) { block += ByteOrder.big.bytes(number, size) }
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) {
      big(tag, 2)
      big(type, 2)
      big(count, 4)
      big(value, 4)
    }
    var fields: [(tag: Int, value: Fraction)] = []
    if let headroom { fields.append((33, headroom)) }
    if let gain { fields.append((48, gain)) }
    // After the header of 8 bytes: a directory of two fields, one of one field, and the note, which
    // has a mark, its fields and their values.
    let (inner, place) = (8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 12 + 4)
    let values = Self.markCount + 2 + 12 * fields.count + 4
    block.append("MM\0*")
    big(8, 4)
    big(2, 2)
    field(TIFFTag.orientation, 3, 1, orientation.rawValue << 16)
    field(TIFFTag.exif, 4, 1, inner)
    big(0, 4)
    big(1, 2)
    field(TIFFTag.makerNote, 7, values + 8 * fields.count, place)
    big(0, 4)
    block.append(Self.mark)
    big(fields.count, 2)
    for index in fields.indices { field(fields[index].tag, 10, 1, values + 8 * index) }
    big(0, 4)
    for (_, value) in fields {
      big(Int(truncatingIfNeeded: value.over), 4)
      big(Int(truncatingIfNeeded: value.under), 4)
    }
    return block
  }
}
