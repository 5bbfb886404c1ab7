/// A baseline JPEG made from its coefficients, with codes of equal length for all symbols.
public struct BlockPicture {
  /// A channel.
  public struct Component {
    /// How many blocks it has across an MCU.
    public var horizontal: Int
    /// How many blocks it has down an MCU.
    public var vertical: Int
    /// Blocks in a row, including those that only fill up MCUs.
    public var columns: Int
    /// By row, then column: 64 coefficients in zigzag order.
    public var blocks: [[Int16]]
  }

  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The quantization step of all coefficients.
  public var step: UInt8 = 1
  /// The channels, in the order of the file.
  public var components: [Component]

  /// An image of gray blocks; `sampling` has the factors of each component.
  public init(width: Int, height: Int, sampling: [(Int, Int)], step: UInt8 = 1) {
    self.width = width
    self.height = height
    self.step = step
    let across = sampling.map(\.0).max() ?? 1
    let down = sampling.map(\.1).max() ?? 1
    let columns = (width + 8 * across - 1) / (8 * across)
    let rows = (height + 8 * down - 1) / (8 * down)
    components = sampling.map { h, v in
      Component(
        horizontal: h, vertical: v, columns: columns * h,
        blocks: Array(
          repeating: [Int16](repeating: 0, count: 64), count: columns * h * rows * v))
    }
  }

  /// All runs with all sizes of a coefficient, in codes of 8 bits.
  private static let symbols: [UInt8] =
    [0, 0xF0] + (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }

  /// The file.
  public func file() -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: step, count: 64)
    let count = UInt8(components.count)
    bytes += [0xFF, 0xC0, 0, 8 + 3 * count, 8, UInt8(height >> 8), UInt8(height & 255)]
    bytes += [UInt8(width >> 8), UInt8(width & 255), count]
    for (index, component) in components.enumerated() {
      bytes += [UInt8(index + 1), UInt8(component.horizontal << 4 | component.vertical), 0]
    }
    bytes += [0xFF, 0xC4, 0, 31, 0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12)
    bytes += (0..<12).map { UInt8($0) }
    bytes += [0xFF, 0xC4, 0, UInt8(19 + Self.symbols.count), 0x10]
    bytes += (0..<16).map { UInt8($0 == 7 ? Self.symbols.count : 0) } + Self.symbols
    bytes += [0xFF, 0xDA, 0, 6 + 2 * count, count]
    for index in components.indices { bytes += [UInt8(index + 1), 0] }
    var bits = Bits()
    writeMCUs(&bits)
    return bytes + [0, 63, 0] + bits.finished() + [0xFF, 0xD9]
  }

  private func writeMCUs(_ bits: inout Bits) {
    let first = components[0]
    let across = first.columns / first.horizontal
    let down = first.blocks.count / first.columns / first.vertical
    var before = [Int](repeating: 0, count: components.count)
    for mcu in 0..<across * down {
      for (index, component) in components.enumerated() {
        for y in 0..<component.vertical {
          for x in 0..<component.horizontal {
            let row = mcu / across * component.vertical + y
            let column = mcu % across * component.horizontal + x
            Self.write(component.blocks[row * component.columns + column], &before[index], &bits)
          }
        }
      }
    }
  }

  private static func write(_ block: [Int16], _ before: inout Int, _ bits: inout Bits) {
    let difference = Int(block[0]) - before
    before = Int(block[0])
    bits.put(size(difference), 4)
    bits.put(value: difference)
    var run = 0
    for value in block[1...].map(Int.init) {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        bits.put(1, 8)
        run -= 16
      }
      bits.put(2 + run * 10 + size(value) - 1, 8)
      bits.put(value: value)
      run = 0
    }
    if run > 0 { bits.put(0, 8) }
  }

  fileprivate static func size(_ value: Int) -> Int {
    Int.bitWidth - value.magnitude.leadingZeroBitCount
  }

  private struct Bits {
    private var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    mutating func put(_ value: Int, _ length: Int) {
      for shift in (0..<length).reversed() {
        pending = pending << 1 | value >> shift & 1
        count += 1
        guard count == 8 else { continue }
        bytes += pending == 0xFF ? [0xFF, 0] : [UInt8(pending)]
        pending = 0
        count = 0
      }
    }

    mutating func put(value: Int) {
      let size = BlockPicture.size(value)
      put((value < 0 ? value - 1 : value) & (1 << size - 1), size)
    }

    mutating func finished() -> [UInt8] {
      while count > 0 { put(1, 1) }
      return bytes
    }
  }
}
