import Foundation

/// A GIF of one frame, from numbered colours: libvips would choose the colours anew, and not find all
/// of them again.
enum GIFFile {
  /// The file (GIF 89a); nil where a colour is half transparent.
  static func coded(_ palette: Palette, width: Int, height: Int) -> Data? {
    guard palette.colours.allSatisfy({ $0[3] == 0 || $0[3] == 255 }) else { return nil }
    // Transparent colours come first and all look the same, so that the first can stand for all.
    let clear = palette.colours.prefix { $0[3] == 0 }.count
    let spare = max(0, clear - 1)
    let colours = palette.colours.dropFirst(spare)
    let indexes =
      spare == 0 ? palette.indexes : palette.indexes.map { UInt8(max(0, Int($0) - spare)) }

    var bits = 1
    while 1 << bits < colours.count { bits += 1 }
    var file = Data("GIF89a".utf8)
    file.append(contentsOf: littleEndian(width) + littleEndian(height))
    // A table of 2 to the power of `bits` colours, 8 bits a channel; no background, square pixels.
    file.append(contentsOf: [0xF0 | UInt8(bits - 1), 0, 0])
    for index in 0..<1 << bits {
      file.append(
        contentsOf: index < colours.count
          ? colours[colours.startIndex + index].prefix(3) : [0, 0, 0])
    }
    if clear > 0 { file.append(contentsOf: [0x21, 0xF9, 4, 1, 0, 0, 0, 0]) }
    file.append(contentsOf: [0x2C, 0, 0, 0, 0] + littleEndian(width) + littleEndian(height) + [0])
    file.append(UInt8(max(2, bits)))
    var coder = Coder(bits: max(2, bits))
    file.append(contentsOf: coder.blocks(of: indexes))
    file.append(contentsOf: [0, 0x3B])
    return file
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  /// LZW with codes that grow to 12 bits (GIF 89a, appendix F).
  private struct Coder {
    private let clearCode: Int
    private let firstWidth: Int
    private var width: Int
    private var pending: UInt32 = 0
    private var pendingBits = 0
    private var block: [UInt8] = []
    private var output: [UInt8] = []
    /// Known strings as a tree: the first longer string of each code, its neighbour, its last byte.
    private var child = [Int16](repeating: -1, count: 4096)
    private var sibling = [Int16](repeating: -1, count: 4096)
    private var last = [UInt8](repeating: 0, count: 4096)
    private var next: Int

    init(bits: Int) {
      clearCode = 1 << bits
      firstWidth = bits + 1
      width = firstWidth
      next = clearCode + 2
    }

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
      // The reader's table grows by one more code before it sees the end.
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
}
