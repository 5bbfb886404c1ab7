/// Reads the fields of a video codec's headers, most significant bit first.
struct CodedBits {
  /// The headers end too early, or contain an invalid number.
  struct Unreadable: Error {}

  private let bytes: [UInt8]
  private var position = 0

  /// Reads the bits of `bytes`.
  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Reads the bits of a HEVC NAL unit, without the emulation prevention bytes (ITU-T H.265,
  /// 7.3.1.1).
  init(unit: some Sequence<UInt8>) {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// An unsigned number of `count` bits, 0 to 32.
  mutating func number(_ count: Int) throws(Unreadable) -> Int {
    guard (0...32).contains(count), position + count <= 8 * bytes.count else {
      throw Unreadable()
    }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() throws(Unreadable) -> Bool { try number(1) == 1 }

  /// Skips `count` bits, 0 or more.
  mutating func skip(_ count: Int) throws(Unreadable) {
    guard count >= 0, count <= 8 * bytes.count - position else { throw Unreadable() }
    position += count
  }

  /// An unsigned Exp-Golomb code (ITU-T H.265, 9.2) below 2³²; AV1 names it `uvlc`.
  mutating func golomb() throws(Unreadable) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros < 32 else { throw Unreadable() }
    }
    return try (1 << zeros) - 1 + number(zeros)
  }

  mutating func signedGolomb() throws(Unreadable) -> Int {
    let code = try golomb()
    return code % 2 == 1 ? (code + 1) / 2 : -code / 2
  }

  mutating func skipGolombs(_ count: Int) throws(Unreadable) {
    for _ in 0..<count { _ = try golomb() }
  }

  /// A number from 0 to `end` − 1 in as few bits as possible (AV1, 4.10.7: `ns`).
  mutating func number(below end: Int) throws(Unreadable) -> Int {
    guard end > 0 else { throw Unreadable() }
    let width = Int.bitWidth - end.leadingZeroBitCount
    let short = (1 << width) - end
    let value = try number(width - 1)
    return value < short ? value : try (value << 1) - short + number(1)
  }
}
