/// All coefficients of a sequential JPEG, decoded in the simplest way: one bit at a time,
/// everything in memory, by the flow charts of ITU-T T.81. It shares no code with the tested
/// module.
struct Coefficients: Equatable {
  struct Component: Equatable {
    var id: UInt8
    var horizontal: Int
    var vertical: Int
    var quantization: [Int]
    /// Blocks with image data, across and down.
    var columns: Int
    var rows: Int
    /// By row, then column: 64 values in zigzag order.
    var blocks: [[Int16]]
  }

  struct Failure: Error { var reason: String }

  var width: Int
  var height: Int
  var components: [Component]
  /// Whether each scan's data end with the padding bits of the last byte only.
  var endsTightly = true

  init(_ bytes: [UInt8]) throws {
    var parser = PlainParser(bytes: bytes)
    try parser.run()
    width = parser.width
    height = parser.height
    components = parser.components
    endsTightly = parser.endsTightly
  }

  /// The part that starts `cellX`, `cellY` cells from the top left, with a size in pixels.
  func part(cellX: Int, cellY: Int, width: Int, height: Int) -> Self {
    var part = self
    part.width = width
    part.height = height
    let maxH = components.map(\.horizontal).max() ?? 1
    let maxV = components.map(\.vertical).max() ?? 1
    for (index, component) in components.enumerated() {
      func up(_ a: Int, _ b: Int) -> Int { (a + b - 1) / b }
      let columns = up(up(width * component.horizontal, maxH), 8)
      let rows = up(up(height * component.vertical, maxV), 8)
      var blocks: [[Int16]] = []
      for row in 0..<rows {
        for column in 0..<columns {
          let x = cellX * component.horizontal + column
          let y = cellY * component.vertical + row
          blocks.append(component.blocks[y * component.columns + x])
        }
      }
      part.components[index].columns = columns
      part.components[index].rows = rows
      part.components[index].blocks = blocks
    }
    return part
  }
}

private struct PlainParser {
  var bytes: [UInt8]
  var at = 0
  var width = 0
  var height = 0
  var components: [Coefficients.Component] = []
  var tables: [Int: [Int: UInt8]] = [:]
  var steps: [Int: [Int]] = [:]
  var slots: [Int] = []
  var interval = 0
  var endsTightly = true

  init(bytes: [UInt8]) { self.bytes = bytes }

  func failed(_ reason: String) -> Coefficients.Failure {
    Coefficients.Failure(reason: "\(reason) at byte \(at)")
  }

  mutating func byte() throws -> Int {
    guard at < bytes.count else { throw failed("end of file") }
    at += 1
    return Int(bytes[at - 1])
  }

  mutating func pair() throws -> Int { try byte() << 8 | byte() }

  mutating func run() throws {
    guard try pair() == 0xFFD8 else { throw failed("no JPEG") }
    while true {
      while try byte() != 0xFF {}
      var marker = try byte()
      while marker == 0xFF { marker = try byte() }
      switch marker {
      case 0, 0x01, 0xD0...0xD7: continue
      case 0xD9: return
      default: break
      }
      let end = at + (try pair())
      switch marker {
      case 0xC0, 0xC1: try frame()
      case 0xC4: while at < end { try huffman() }
      case 0xDB: while at < end { try quantization() }
      case 0xDD: interval = try pair()
      case 0xDA:
        try scan()
        continue
      case 0xC2...0xCF: throw failed("not sequential")
      default: break
      }
      at = end
    }
  }

  mutating func frame() throws {
    _ = try byte()
    height = try pair()
    width = try pair()
    let count = try byte()
    for _ in 0..<count {
      let id = UInt8(try byte())
      let factors = try byte()
      slots.append(try byte())
      components.append(
        Coefficients.Component(
          id: id, horizontal: count == 1 ? 1 : factors >> 4,
          vertical: count == 1 ? 1 : factors & 15,
          quantization: [], columns: 0, rows: 0, blocks: []))
    }
    let maxH = components.map(\.horizontal).max() ?? 1
    let maxV = components.map(\.vertical).max() ?? 1
    for index in components.indices {
      let across = (width * components[index].horizontal + maxH - 1) / maxH
      let down = (height * components[index].vertical + maxV - 1) / maxV
      components[index].columns = (across + 7) / 8
      components[index].rows = (down + 7) / 8
      components[index].blocks = Array(
        repeating: [], count: components[index].columns * components[index].rows)
    }
  }

  mutating func quantization() throws {
    let kind = try byte()
    var table: [Int] = []
    for _ in 0..<64 { table.append(kind >> 4 == 0 ? try byte() : try pair()) }
    steps[kind & 15] = table
  }

  mutating func huffman() throws {
    let kind = try byte()
    var counts: [Int] = []
    for _ in 0..<16 { counts.append(try byte()) }
    var table: [Int: UInt8] = [:]
    var code = 0
    for (index, count) in counts.enumerated() {
      for _ in 0..<count {
        // The leading one distinguishes codes of different lengths.
        table[1 << (index + 1) | code] = UInt8(try byte())
        code += 1
      }
      code <<= 1
    }
    tables[kind] = table
  }

  var bitBuffer = 0
  var bitCount = 0

  mutating func bit() throws -> Int {
    if bitCount == 0 {
      let value = try byte()
      if value == 0xFF, try byte() != 0 {
        at -= 2
        throw failed("marker inside the data")
      }
      bitBuffer = value
      bitCount = 8
    }
    bitCount -= 1
    return bitBuffer >> bitCount & 1
  }

  mutating func symbol(_ table: [Int: UInt8]) throws -> Int {
    var code = 1
    for _ in 0..<16 {
      code = code << 1 | (try bit())
      if let symbol = table[code] { return Int(symbol) }
    }
    throw failed("no code")
  }

  mutating func value(_ size: Int) throws -> Int {
    var value = 0
    for _ in 0..<size { value = value << 1 | (try bit()) }
    return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  }

  mutating func block(_ dc: [Int: UInt8], _ ac: [Int: UInt8], _ before: inout Int) throws -> [Int16]
  {
    var block = [Int16](repeating: 0, count: 64)
    before += try value(symbol(dc))
    block[0] = Int16(truncatingIfNeeded: before)
    var k = 1
    while k < 64 {
      let symbol = try symbol(ac)
      if symbol & 15 == 0 {
        if symbol >> 4 != 15 { break }
        k += 16
        continue
      }
      k += symbol >> 4
      guard k < 64 else { throw failed("run past the block") }
      block[k] = Int16(truncatingIfNeeded: try value(symbol & 15))
      k += 1
    }
    return block
  }

  mutating func scan() throws {
    let count = try byte()
    var parts: [(component: Int, dc: [Int: UInt8], ac: [Int: UInt8])] = []
    for _ in 0..<count {
      let id = try byte()
      let kinds = try byte()
      guard let component = components.firstIndex(where: { $0.id == UInt8(id) }) else {
        throw failed("unknown component")
      }
      parts.append((component, tables[kinds >> 4] ?? [:], tables[0x10 | kinds & 15] ?? [:]))
      components[component].quantization = steps[slots[component]] ?? []
    }
    at += 3
    let maxH = components.map(\.horizontal).max() ?? 1
    let maxV = components.map(\.vertical).max() ?? 1
    let alone = parts.count == 1
    let across =
      alone ? components[parts[0].component].columns : (width + 8 * maxH - 1) / (8 * maxH)
    let down = alone ? components[parts[0].component].rows : (height + 8 * maxV - 1) / (8 * maxV)
    var before = [0, 0, 0, 0]
    bitCount = 0
    for mcu in 0..<across * down {
      if interval > 0, mcu > 0, mcu % interval == 0 {
        bitCount = 0
        while try byte() != 0xFF {}
        guard try byte() == 0xD0 + (mcu / interval - 1) % 8 else { throw failed("restart marker") }
        before = [0, 0, 0, 0]
      }
      for (index, part) in parts.enumerated() {
        let c = part.component
        let h = alone ? 1 : components[c].horizontal
        let v = alone ? 1 : components[c].vertical
        for y in 0..<v {
          for x in 0..<h {
            let block = try block(part.dc, part.ac, &before[index])
            let column = mcu % across * h + x
            let row = mcu / across * v + y
            if column < components[c].columns, row < components[c].rows {
              components[c].blocks[row * components[c].columns + column] = block
            }
          }
        }
      }
    }
    let padding = bitBuffer & (1 << bitCount - 1)
    if padding != 1 << bitCount - 1 || at + 1 >= bytes.count || bytes[at] != 0xFF
      || bytes[at + 1] == 0
    {
      endsTightly = false
    }
  }
}
