/// Encodes LZW with codes of up to 12 bits (GIF 89a, appendix F).
struct LZWCoder {
  private let clearCode: Int
  private let firstWidth: Int
  private var width: Int
  private var pending: UInt32 = 0
  private var pendingBits = 0
  private var block: [UInt8] = []
  private var output: [UInt8] = []
  /// The known strings as a tree: for each code, its first extension, its next sibling, and its
  /// last byte.
  private var child = [Int16](repeating: -1, count: 4096)
  private var sibling = [Int16](repeating: -1, count: 4096)
  private var last = [UInt8](repeating: 0, count: 4096)
  private var next: Int

  /// A coder for indexes of `bits` bits, 2 to 8.
  init(bits: Int) {
    clearCode = 1 << bits
    firstWidth = bits + 1
    width = firstWidth
    next = clearCode + 2
  }

  /// `bytes` in blocks, each after its length, without the empty block at the end.
  mutating func blocks(of bytes: [UInt8]) -> [UInt8] {
    emit(clearCode)
    var code = -1
    for byte in bytes {
      if code < 0 {
        code = Int(byte)
      } else if let longer = find(byte, after: code) {
        code = longer
      } else {
        emit(code)
        add(byte, after: code)
        code = Int(byte)
      }
    }
    if code >= 0 { emit(code) }
    // The reader's table grows by one more code before it reads the end code.
    if next == 1 << width, width < 12 { width += 1 }
    emit(clearCode + 1)
    if pendingBits > 0 { append(UInt8(truncatingIfNeeded: pending)) }
    flush()
    return output
  }

  private func find(_ byte: UInt8, after code: Int) -> Int? {
    var candidate = child[code]
    while candidate >= 0 {
      if last[Int(candidate)] == byte { return Int(candidate) }
      candidate = sibling[Int(candidate)]
    }
    return nil
  }

  private mutating func add(_ byte: UInt8, after code: Int) {
    guard next < 4096 else {
      emit(clearCode)
      for index in child.indices { child[index] = -1 }
      next = clearCode + 2
      width = firstWidth
      return
    }
    last[next] = byte
    sibling[next] = child[code]
    child[code] = Int16(next)
    if next == 1 << width, width < 12 { width += 1 }
    next += 1
  }

  private mutating func emit(_ code: Int) {
    pending |= UInt32(code) << UInt32(pendingBits)
    pendingBits += width
    while pendingBits >= 8 {
      append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  private mutating func append(_ byte: UInt8) {
    block.append(byte)
    if block.count == 255 { flush() }
  }

  private mutating func flush() {
    guard !block.isEmpty else { return }
    output.append(UInt8(block.count))
    output += block
    block.removeAll(keepingCapacity: true)
  }
}
