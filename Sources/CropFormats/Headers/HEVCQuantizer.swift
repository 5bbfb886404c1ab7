/// The quantizer of a still image in HEVC: the luma QP of its first slice (ITU-T H.265, 7.4.7.1).
struct HEVCQuantizer {
  /// The QP, −48 to 51; 6 more double the quantizer step.
  let value: Int

  /// The quantizer of the image whose `hvcC` property and first coded bytes are given.
  ///
  /// - Throws: an error if the headers can't be read, or the image is not an IDR image.
  init(configuration: [UInt8], data: [UInt8]) throws(CodedBits.Unreadable) {
    let sets = try ParameterSets(configuration)
    var at = 0
    while at + sets.lengthSize + 2 <= data.count {
      let length = data[at..<at + sets.lengthSize].reduce(0) { $0 << 8 | Int($1) }
      at += sets.lengthSize
      if data[at] >> 1 & 63 < 32 {
        value = try Self.quantizer(ofSlice: data[at..<min(at + length, data.count)], sets)
        return
      }
      // Skips parameter sets and messages.
      at += length
    }
    throw CodedBits.Unreadable()
  }

  /// The QP of the first slice of an image (7.3.6.1).
  private static func quantizer(
    ofSlice unit: ArraySlice<UInt8>, _ sets: ParameterSets
  ) throws(CodedBits.Unreadable) -> Int {
    guard let sequence = sets.sequence, let picture = sets.picture else {
      throw CodedBits.Unreadable()
    }
    var bits = CodedBits(unit: unit)
    let type = try bits.number(7)
    try bits.skip(9)
    // An IDR picture; other types have references to other pictures here.
    guard type == 19 || type == 20, try bits.flag() else { throw CodedBits.Unreadable() }
    try bits.skip(1)
    _ = try bits.golomb()
    try bits.skip(picture.extraBits)
    let isIntra = try bits.golomb() == 2
    guard isIntra else { throw CodedBits.Unreadable() }
    try bits.skip(picture.hasOutputFlag ? 1 : 0)
    try bits.skip(sequence.hasSeparatePlanes ? 2 : 0)
    try bits.skip(sequence.hasSampleOffsets ? sequence.hasChroma ? 2 : 1 : 0)
    let value = try picture.quantizer + bits.signedGolomb()
    guard (-48...51).contains(value) else { throw CodedBits.Unreadable() }
    return value
  }
}

/// The parameter sets of `hvcC` (ISO/IEC 14496-15, 8.3.3.1), limited to the fields that a slice
/// header depends on.
private struct ParameterSets {
  /// The number of bytes of the length field before each unit.
  let lengthSize: Int
  private(set) var sequence: SequenceSet?
  private(set) var picture: PictureSet?

  init(_ bytes: [UInt8]) throws(CodedBits.Unreadable) {
    guard bytes.count > 22 else { throw CodedBits.Unreadable() }
    lengthSize = Int(bytes[21] & 3) + 1
    var at = 23
    for _ in 0..<bytes[22] {
      guard at + 3 <= bytes.count else { throw CodedBits.Unreadable() }
      let type = bytes[at] & 63
      let count = Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
      at += 3
      for _ in 0..<count {
        guard at + 2 <= bytes.count else { throw CodedBits.Unreadable() }
        let end = at + 2 + (Int(bytes[at]) << 8 | Int(bytes[at + 1]))
        guard end <= bytes.count else { throw CodedBits.Unreadable() }
        if type == 33, sequence == nil { sequence = try SequenceSet(bytes[at + 2..<end]) }
        if type == 34, picture == nil { picture = try PictureSet(bytes[at + 2..<end]) }
        at = end
      }
    }
  }
}

/// A picture parameter set (7.3.2.3.1).
private struct PictureSet {
  let hasOutputFlag: Bool
  let extraBits: Int
  let quantizer: Int

  init(_ unit: ArraySlice<UInt8>) throws(CodedBits.Unreadable) {
    var bits = CodedBits(unit: unit)
    try bits.skip(16)
    try bits.skipGolombs(2)
    try bits.skip(1)
    hasOutputFlag = try bits.flag()
    extraBits = try bits.number(3)
    try bits.skip(2)
    try bits.skipGolombs(2)
    quantizer = try 26 + bits.signedGolomb()
  }
}

/// A sequence parameter set (7.3.2.2.1).
private struct SequenceSet {
  let hasSeparatePlanes: Bool
  let hasChroma: Bool
  let hasSampleOffsets: Bool

  init(_ unit: ArraySlice<UInt8>) throws(CodedBits.Unreadable) {
    var bits = CodedBits(unit: unit)
    try bits.skip(20)
    let layers = try bits.number(3)
    try bits.skip(1)
    try Self.skipLevels(&bits, layers: layers)
    try bits.skipGolombs(1)
    let chroma = try bits.golomb()
    hasSeparatePlanes = chroma == 3 ? try bits.flag() : false
    hasChroma = chroma != 0 && !hasSeparatePlanes
    try bits.skipGolombs(2)
    let isWindowed = try bits.flag()
    try bits.skipGolombs((isWindowed ? 4 : 0) + 3)
    let isLayered = try bits.flag()
    try bits.skipGolombs(3 * (isLayered ? layers + 1 : 1) + 6)
    if try bits.flag() { try Self.skipScalingLists(&bits) }
    try bits.skip(1)
    hasSampleOffsets = try bits.flag()
  }

  /// Skips profile, tier and level (7.3.3).
  private static func skipLevels(
    _ bits: inout CodedBits, layers: Int
  ) throws(CodedBits.Unreadable) {
    try bits.skip(96)
    guard layers > 0 else { return }
    var rest = 2 * (8 - layers)
    for _ in 0..<layers {
      rest += try bits.flag() ? 88 : 0
      rest += try bits.flag() ? 8 : 0
    }
    try bits.skip(rest)
  }

  /// Skips the scaling lists (7.3.4).
  private static func skipScalingLists(_ bits: inout CodedBits) throws(CodedBits.Unreadable) {
    guard try bits.flag() else { return }
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        let isNew = try bits.flag()
        try bits.skipGolombs(isNew ? min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1)
      }
    }
  }
}
