/// Unpacks zlib streams (RFC 1950, RFC 1951) of a bounded size: PNG packs texts and profiles so.
struct Inflate {
  private let input: ArraySlice<UInt8>
  private var at: Int
  private var bits: UInt32 = 0
  private var bitCount = 0
  private let most: Int
  private var output: [UInt8] = []

  /// The unpacked bytes; nil where the stream is damaged or holds more than `most` bytes.
  static func unpacked(_ stream: ArraySlice<UInt8>, most: Int) -> [UInt8]? {
    guard stream.count >= 2, stream[stream.startIndex] & 15 == 8,
      stream[stream.startIndex + 1] & 0x20 == 0
    else { return nil }
    var inflate = Self(input: stream, at: stream.startIndex + 2, most: most)
    return inflate.run() ? inflate.output : nil
  }

  private init(input: ArraySlice<UInt8>, at: Int, most: Int) {
    self.input = input
    self.at = at
    self.most = most
  }

  private mutating func run() -> Bool {
    while true {
      guard let isLast = take(1), let kind = take(2) else { return false }
      let isRead: Bool
      switch kind {
      case 0: isRead = stored()
      case 1: isRead = coded(Self.fixedLengths, Self.fixedDistances)
      case 2: isRead = ownCodes().map { coded($0.0, $0.1) } ?? false
      default: isRead = false
      }
      guard isRead else { return false }
      if isLast == 1 { return true }
    }
  }

  /// The next `count` bits, at most 16.
  private mutating func take(_ count: Int) -> Int? {
    while bitCount < count {
      guard at < input.endIndex else { return nil }
      bits |= UInt32(input[at]) << UInt32(bitCount)
      at += 1
      bitCount += 8
    }
    let value = Int(bits & ((1 << UInt32(count)) - 1))
    bits >>= UInt32(count)
    bitCount -= count
    return value
  }

  private mutating func stored() -> Bool {
    (bits, bitCount) = (0, 0)
    guard at + 4 <= input.endIndex else { return false }
    let count = Int(input[at]) | Int(input[at + 1]) << 8
    at += 4
    guard at + count <= input.endIndex, output.count + count <= most else { return false }
    output += input[at..<at + count]
    at += count
    return true
  }

  private mutating func coded(_ lengths: Code, _ distances: Code) -> Bool {
    while let symbol = symbol(lengths) {
      if symbol == 256 { return true }
      if symbol < 256 {
        guard output.count < most else { return false }
        output.append(UInt8(symbol))
        continue
      }
      guard symbol < 286, let more = take(Self.lengthBits[symbol - 257]),
        let number = self.symbol(distances), number < 30,
        let further = take(Self.distanceBits[number])
      else { return false }
      let length = Self.lengthBase[symbol - 257] + more
      let distance = Self.distanceBase[number] + further
      guard distance <= output.count, output.count + length <= most else { return false }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }

  private mutating func symbol(_ code: Code) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  private mutating func ownCodes() -> (Code, Code)? {
    guard let lengths = take(5), let distances = take(5), let codes = take(4), lengths <= 29 else {
      return nil
    }
    var own = [Int](repeating: 0, count: 19)
    for place in Self.order.prefix(codes + 4) {
      guard let length = take(3) else { return nil }
      own[place] = length
    }
    guard let code = Code(own) else { return nil }
    let wanted = lengths + 257 + distances + 1
    var all: [Int] = []
    while all.count < wanted {
      guard let symbol = symbol(code) else { return nil }
      switch symbol {
      case ..<16: all.append(symbol)
      case 16:
        guard let last = all.last, let more = take(2) else { return nil }
        all += repeatElement(last, count: 3 + more)
      case 17:
        guard let more = take(3) else { return nil }
        all += repeatElement(0, count: 3 + more)
      default:
        guard let more = take(7) else { return nil }
        all += repeatElement(0, count: 11 + more)
      }
    }
    guard all.count == wanted, all[256] > 0, let first = Code(Array(all[..<(lengths + 257)])),
      let second = Code(Array(all[(lengths + 257)...]))
    else { return nil }
    return (first, second)
  }

  /// A prefix code, by how many codes have each length, and the symbols in the order of their codes.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    /// nil where there are more codes than fit.
    init?(_ lengths: [Int]) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      var room = 1
      for length in 1...15 {
        room = room << 1 - counts[length]
        if room < 0 { return nil }
        symbols += lengths.indices.filter { lengths[$0] == length }
      }
    }

    /// A code that is known to be right.
    init(fixed lengths: [Int]) {
      for length in lengths { counts[length] += 1 }
      for length in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
    }
  }

  private static let fixedLengths = Code(
    fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code(fixed: [Int](repeating: 5, count: 30))
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBase = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12_289, 16_385, 24_577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
}
