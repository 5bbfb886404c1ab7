/// The order of the bytes of a whole number.
package enum ByteOrder: Sendable {
  /// The most significant first.
  case big
  /// The least significant first.
  case little

  /// The lowest `count` bytes of a number.
  package func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.store(value, count, at: 0, self)
    return bytes
  }
}

extension [UInt8] {
  /// Puts the lowest `count` bytes of a number at `offset`; they must lie inside.
  @inline(never)
  package mutating func store(_ value: Int, _ count: Int, at offset: Int, _ order: ByteOrder) {
    var rest = value
    for index in 0..<count {
      self[order == .little ? offset + index : offset + count - 1 - index] =
        UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }
}

extension RandomAccessCollection<UInt8> {
  /// The unsigned number of `count` bytes, 1 to 8, that begin `offset` bytes behind the first; nil where
  /// the bytes end before, and for one that no `Int` holds.
  package func number(_ offset: Int, _ count: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var value = 0
    for index in 0..<count {
      let place = offset &+ (order == .big ? index : count &- 1 &- index)
      guard value <= Int.max >> 8 else { return nil }
      value = value << 8 | Int(self[self.index(startIndex, offsetBy: place)])
    }
    return value
  }
}

/// Bytes that are read by their places: an array, a file.
package protocol ByteSource {
  /// What reading throws.
  associatedtype Failure: Error
  /// How many bytes there are.
  var count: Int { get }
  /// The unsigned number of `size` bytes, 1 to 8, at `offset`; nil where the bytes end before. One that
  /// no `Int` holds is `Int.max`.
  mutating func number(_ offset: Int, size: Int, order: ByteOrder) throws(Failure) -> Int?
  /// The `length` bytes from `offset`; nil where they end before, and where they are too many at once.
  mutating func bytes(_ offset: Int, _ length: Int) throws(Failure) -> [UInt8]?
}

extension ByteSource where Self: RandomAccessCollection<UInt8> {
  @inline(never)
  package func number(_ offset: Int, size: Int, order: ByteOrder) -> Int? {
    guard offset >= 0, offset <= count - size else { return nil }
    return number(offset, size, order) ?? .max
  }

  package func bytes(_ offset: Int, _ length: Int) -> [UInt8]? {
    guard offset >= 0, length >= 0, offset <= count - length else { return nil }
    return [UInt8](dropFirst(offset).prefix(length))
  }
}

extension [UInt8]: ByteSource { package typealias Failure = Never }
