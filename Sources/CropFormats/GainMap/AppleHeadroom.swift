import CropCore
import CropMetadata
import Glibc

/// Apple's numbers of a gain map, without which it means nothing: fields 33 and 48 of the camera's maker note.
struct AppleHeadroom: Equatable {
  /// A fraction, as it is written.
  struct Fraction: Equatable {
    var over: Int32
    var under: Int32
    var value: Double { Double(over) / Double(under) }
  }

  /// Field 33, `HDRHeadroom`.
  let headroom: Fraction
  /// Field 48, `HDRGain`.
  let gain: Fraction

  private static let mark = Array("Apple iOS\0\0\u{1}MM".utf8)

  /// The numbers of an EXIF block, from `II` or `MM` on; nil where it has no note of Apple's with both.
  init?(inEXIF block: [UInt8]) {
    var block = block.starts(with: Array("Exif\0\0".utf8)) ? Array(block.dropFirst(6)) : block
    let length = block.count
    guard let structure = TIFFStructure(&block, base: 0, length: length),
      let main = structure.directory(structure.firstDirectory, &block),
      let offset = structure.number(main[0x8769], &block),
      let exif = structure.directory(offset, &block), let note = exif[0x927C],
      note.type == 7, let start = note.values, note.count > Self.mark.count + 2,
      start <= block.count - note.count
    else { return nil }
    self.init(inNote: Array(block[start..<start + note.count]))
  }

  /// The numbers of a note: a mark of 14 bytes, then a directory whose offsets count from the note's start.
  private init?(inNote note: [UInt8]) {
    let start = Self.mark.count
    guard note.starts(with: Self.mark),
      let count = note.number(start, size: 2, order: .big), count <= 512
    else { return nil }
    var found: [Int: Fraction] = [:]
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
      if fraction.under > 0 { found[tag] = fraction }
    }
    guard let headroom = found[33], let gain = found[48] else { return nil }
    self.headroom = headroom
    self.gain = gain
  }

  /// How much brighter than white the brightest part is, in stops, 0 or more: Apple's formula ("Applying Apple
  /// HDR effect to your photos", developer.apple.com).
  var stops: Double {
    let (first, second) = (headroom.value, gain.value)
    let stops =
      switch (first < 1, second <= 0.01) {
      case (true, true): -20 * second + 1.8
      case (true, false): -0.101 * second + 1.601
      case (false, true): -70 * second + 3
      case (false, false): -0.303 * second + 2.303
      }
    return max(stops, 0)
  }

  /// An EXIF block that holds these numbers and the orientation alone.
  func exif(_ orientation: Orientation) -> [UInt8] {
    func big(_ number: Int, _ size: Int) -> [UInt8] { ByteOrder.big.bytes(number, size) }
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      big(tag, 2) + big(type, 2) + big(count, 4) + big(value, 4)
    }
    func number(_ fraction: Fraction) -> [UInt8] {
      big(Int(UInt32(bitPattern: fraction.over)), 4)
        + big(Int(UInt32(bitPattern: fraction.under)), 4)
    }
    let values = Self.mark.count + 2 + 24 + 4
    let note =
      Self.mark + big(2, 2) + field(33, 10, 1, values) + field(48, 10, 1, values + 8) + big(0, 4)
      + number(headroom) + number(gain)
    // Behind the header of 8 bytes a directory of two fields, then one of one field, then the note.
    let (inner, place) = (8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 12 + 4)
    return Array("MM\0*".utf8) + big(8, 4) + big(2, 2)
      + field(TIFFStructure.orientationTag, 3, 1, orientation.rawValue << 16)
      + field(0x8769, 4, 1, inner) + big(0, 4)
      + big(1, 2) + field(0x927C, 7, note.count, place) + big(0, 4) + note
  }
}
