// Writing directories; BigTIFF is never written.

extension [UInt8] {
  /// Writes a field with one number, of 2 or 4 bytes, at `place` in a directory: 12 bytes that must
  /// be inside.
  @inline(never)
  package mutating func storeField(
    tag: Int, _ value: Int, size: Int, at place: Int, _ order: ByteOrder
  ) {
    store(tag, type: size == 2 ? 3 : 4, count: 1, at: place, order)
    store(value, size, at: place + 8, order)
  }

  /// Writes a field without its values at `place`.
  fileprivate mutating func store(
    _ tag: Int, type: Int, count: Int, at place: Int, _ order: ByteOrder
  ) {
    store(tag, 2, at: place, order)
    store(type, 2, at: place + 2, order)
    store(count, 4, at: place + 4, order)
    store(0, 4, at: place + 8, order)
  }
}

extension ByteOrder {
  /// A field of a directory, with values of at most 4 bytes, or their offset.
  package func field(tag: Int, type: Int, count: Int, slot: [UInt8]) -> [UInt8] {
    var field = [UInt8](repeating: 0, count: 12)
    field.store(tag, type: type, count: count, at: 0, self)
    field.replaceSubrange(8..<8 + slot.count, with: slot)
    return field
  }

  /// A directory of encoded fields, which must be in tag order.
  package func directory(_ fields: [[UInt8]], next: [UInt8] = [0, 0, 0, 0]) -> [UInt8] {
    bytes(fields.count, 2) + Array(fields.joined()) + next
  }
}

extension TIFFStructure {
  /// The number of bytes of a directory, including its link to the next one.
  package static func directoryLength(fields count: Int) -> Int { 2 + 12 * count + 4 }
}
