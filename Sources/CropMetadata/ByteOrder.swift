/// The byte order of integers.
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
  /// The unsigned integer of `count` bytes, 1 to 8, at `offset`; nil past the end of the bytes, and
  /// if it does not fit into `Int`.
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

/// Bytes that are read by position, such as an array or a file.
package protocol ByteSource {
  /// The error that reading throws.
  associatedtype Failure: Error
  /// The number of bytes.
  var count: Int { get }
  /// The unsigned number of `size` bytes, 1 to 8, at `offset`; nil if the bytes end first.
  /// `Int.max` if it does not fit `Int`.
  mutating func number(_ offset: Int, size: Int, order: ByteOrder) throws(Failure) -> Int?
  /// The `length` bytes from `offset`; nil past the end, and if they are too many to read.
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
