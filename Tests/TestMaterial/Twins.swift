/// Two images that are equal in a rectangle and differ everywhere else.
public enum Twins {
  /// Two images with the given sampling, and a rectangle from their top left corner.
  public static func make(
    _ sampling: [(Int, Int)], _ random: inout Seeded
  ) -> (BlockPicture, BlockPicture, (width: Int, height: Int)) {
    let across = sampling.map(\.0).max() ?? 1
    let down = sampling.map(\.1).max() ?? 1
    let rect = (
      width: random.int(1...(16 * across)), height: random.int(1...(16 * down))
    )
    var first = BlockPicture(width: 24 * across, height: 24 * down, sampling: sampling)
    var second = first
    for index in sampling.indices {
      let component = first.components[index]
      let shown = (
        across: (rect.width * component.horizontal + across - 1) / across,
        down: (rect.height * component.vertical + down - 1) / down
      )
      for number in component.blocks.indices {
        let columns = min(8, max(0, shown.across - number % component.columns * 8))
        let rows = min(8, max(0, shown.down - number / component.columns * 8))
        let pair = blocks(columns: columns, rows: rows, &random)
        first.components[index].blocks[number] = pair.0
        second.components[index].blocks[number] = pair.1
      }
    }
    return (first, second, rect)
  }

  /// Two blocks that are equal in their first columns and rows.
  private static func blocks(
    columns: Int, rows: Int, _ random: inout Seeded
  ) -> ([Int16], [Int16]) {
    let steps = [Int](repeating: 1, count: 64)
    let middle = random.int(-90...90)
    let visible = (0..<64).map { _ in Double(middle + random.int(-20...20)) }
    func attempt(_ spread: Int) -> [Int16] {
      let samples = (0..<64).map { index in
        index % 8 < columns && index / 8 < rows
          ? visible[index] : Double(random.int(-spread...spread))
      }
      return PlainTransform.coefficients(samples, steps)
    }
    func isGood(_ block: [Int16]) -> Bool {
      let samples = PlainTransform.samples(block, steps)
      // Not close to another rounding boundary either, where two decoders may differ.
      return (0..<64).allSatisfy { index in
        index % 8 >= columns || index / 8 >= rows || abs(samples[index] - visible[index]) < 0.499
      }
    }
    if columns == 8, rows == 8 {
      let block = attempt(0)
      return (block, block)
    }
    var found: [[Int16]] = []
    while found.count < 2 {
      let block = attempt(found.isEmpty ? 20 : 120)
      if isGood(block) { found.append(block) }
    }
    return (found[0], found[1])
  }
}
