import CropCore
import CropJPEG
import TestMaterial
import Testing

/// Crops whose right and bottom edges are off the grid.
@Suite
struct BorderTests {
  @Test(arguments: PeerTests.samplings, Thorough.all(PeerTests.codings, or: 3))
  func `inner blocks equal the source's and border blocks show the same`(
    sampling: String, coding: [String]
  ) throws {
    let seed = PeerTests.seed("border" + sampling + coding.joined())
    var random = Seeded(seed: seed)
    for _ in 0..<Soak.factor {
      let isSplit = coding == ["-scans"]
      guard
        let plain = TestPicture.jpeg(
          width: random.int(17...200), height: random.int(17...200),
          arguments: ["-sample", sampling, "-quality", random.element(["15", "75", "90", "100"])]
            + (isSplit ? [] : coding),
          random: &random)
      else { throw Coefficients.Failure(reason: "cjpeg failed, seed \(seed)") }
      let source = isSplit ? try PeerTests.split(plain, random: &random) : plain
      let cutter = try JPEGCutter(input(source, piece: random.element([.max, 1, 7, 1000])))
      let whole = try Coefficients(source)
      for _ in 0..<4 {
        let rect = Self.rect(on: cutter.header.grid, &random)
        try check(cutter, whole, rect, "seed \(seed), \(rect)")
      }
    }
  }

  private func check(
    _ cutter: JPEGCutter, _ whole: Coefficients, _ rect: BitmapRect, _ comment: Comment
  ) throws {
    let grid = cutter.header.grid
    let (bytes, report) = try cut(cutter, rect)
    let ours = try Coefficients(bytes)
    #expect(ours.endsTightly, comment)
    let part = whole.part(
      cellX: rect.x / grid.cellWidth, cellY: rect.y / grid.cellHeight, width: rect.width,
      height: rect.height)
    #expect(ours.width == rect.width && ours.height == rect.height)
    var requantized: [Int] = []
    for (index, component) in ours.components.enumerated() {
      let expected = part.components[index]
      #expect(component.quantization == expected.quantization)
      let border = Border(ours, index, grid, rect)
      var count = 0
      for (number, block) in component.blocks.enumerated() {
        let seen = border.visible(number)
        if seen.isKept {
          #expect(block == expected.blocks[number], comment)
          continue
        }
        count += 1
        let shown = PlainTransform.shown(
          PlainTransform.samples(block, component.quantization))
        let wanted = PlainTransform.shown(
          PlainTransform.samples(expected.blocks[number], component.quantization))
        // Rounding to integers adds one.
        let most = Self.roundingError(component.quantization)
        for row in 0..<seen.rows {
          for column in 0..<seen.columns {
            let error = abs(shown[row * 8 + column] - wanted[row * 8 + column])
            #expect(Double(error) <= most + 1, comment)
          }
        }
      }
      requantized.append(count)
    }
    #expect(report.requantized == requantized, comment)
  }

  /// The largest quantization step.
  private static func roundingError(_ steps: [Int]) -> Double {
    Double(steps.max() ?? 1)
  }

  @Test(arguments: [[(1, 1)], [(2, 2), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)]])
  func `only visible samples affect the result`(sampling: [(Int, Int)]) throws {
    var random = Seeded(seed: 28)
    for _ in 0..<(Thorough.isOn ? 6 : 2) * Soak.factor {
      let (first, second, size) = Twins.make(sampling, &random)
      let rect = BitmapRect(x: 0, y: 0, width: size.width, height: size.height)
      let sources = (first.file(), second.file())
      #expect(sources.0 != sources.1)
      let ours = try cut(sources.0, rect).bytes
      #expect(try ours == cut(sources.1, rect).bytes, "\(rect)")
    }
  }

  @Test(arguments: ["1x1", "2x2", "4x1"])
  func `a size patched upwards shows the extension and nothing else`(sampling: String) throws {
    var random = Seeded(seed: 5)
    let source = try #require(
      TestPicture.jpeg(
        width: 150, height: 130, arguments: ["-sample", sampling], random: &random))
    let cutter = try JPEGCutter(input(source))
    let grid = cutter.header.grid
    for _ in 0..<10 {
      let rect = Self.rect(on: grid, &random)
      guard grid.hidesColumns(rect), grid.hidesRows(rect) else { continue }
      var ours = try cut(cutter, rect).bytes
      let frame = try #require(
        ours.indices.first { ours[$0] == 0xFF && ours[$0 + 1] & 0xFE == 0xC0 })
      let border = try Coefficients(ours)
      func up(_ length: Int, _ cell: Int) -> Int { (length + cell - 1) / cell * cell }
      ours[frame + 6] = UInt8(up(rect.height, grid.cellHeight))
      ours[frame + 8] = UInt8(up(rect.width, grid.cellWidth))
      let patched = try Coefficients(ours)
      for (shown, hidden) in zip(border.components, patched.components) {
        for row in 0..<hidden.rows {
          for column in 0..<hidden.columns where row >= shown.rows || column >= shown.columns {
            let like =
              min(row, shown.rows - 1) * shown.columns + min(column, shown.columns - 1)
            var expected = [Int16](repeating: 0, count: 64)
            expected[0] = shown.blocks[like][0]
            #expect(hidden.blocks[row * hidden.columns + column] == expected, "\(rect)")
          }
        }
      }
    }
  }

  @Test(arguments: 0..<3)
  func `ten cuts in a row don't drift`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let source = try #require(
      TestPicture.jpeg(
        width: 120, height: 90, arguments: ["-quality", "90", "-sample", "2x2"], random: &random))
    var bytes = source
    var size = (width: 101, height: 75)
    for _ in 0..<10 {
      bytes = try cut(bytes, BitmapRect(x: 0, y: 0, width: size.width, height: size.height)).bytes
      // Cropped again to the same size: the border is now the image's, and every block is copied.
      let again = try cut(
        bytes, BitmapRect(x: 0, y: 0, width: size.width, height: size.height)
      ).bytes
      #expect(again == bytes)
      size = (size.width - 1, size.height - 1)
    }
    let ours = try Coefficients(bytes)
    let direct = try Coefficients(
      cut(source, BitmapRect(x: 0, y: 0, width: size.width + 1, height: size.height + 1)).bytes)
    for (component, other) in zip(ours.components, direct.components) {
      let most = Self.roundingError(component.quantization)
      for (block, once) in zip(component.blocks, other.blocks) {
        let steps = component.quantization
        let (a, b) = (PlainTransform.samples(block, steps), PlainTransform.samples(once, steps))
        #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 2 * most })
      }
    }
  }

  /// A rectangle whose left and top edges are on the grid.
  static func rect(on grid: JPEGGrid, _ random: inout Seeded) -> BitmapRect {
    func side(_ length: Int, _ cell: Int) -> (Int, Int) {
      let first = random.int(0...((length - 1) / cell)) * cell
      return (first, random.int(1...(length - first)))
    }
    let (x, width) = side(grid.size.width, grid.cellWidth)
    let (y, height) = side(grid.size.height, grid.cellHeight)
    return BitmapRect(x: x, y: y, width: width, height: height)
  }
}

/// The samples of each block of a component that are in a crop, as the standard defines them.
private struct Border {
  let columns: Int
  let samples: (across: Int, down: Int)
  let isCut: (across: Bool, down: Bool)

  init(_ picture: Coefficients, _ index: Int, _ grid: JPEGGrid, _ rect: BitmapRect) {
    let component = picture.components[index]
    let across = picture.components.map(\.horizontal).max() ?? 1
    let down = picture.components.map(\.vertical).max() ?? 1
    columns = component.columns
    samples = (
      (rect.width * component.horizontal + across - 1) / across,
      (rect.height * component.vertical + down - 1) / down
    )
    let (right, bottom) = (rect.x + rect.width, rect.y + rect.height)
    isCut = (
      right != grid.size.width && right % grid.cellWidth != 0,
      bottom != grid.size.height && bottom % grid.cellHeight != 0
    )
  }

  func visible(_ number: Int) -> (columns: Int, rows: Int, isKept: Bool) {
    let seen = (
      min(8, samples.across - number % columns * 8), min(8, samples.down - number / columns * 8)
    )
    return (seen.0, seen.1, (seen.0 == 8 || !isCut.across) && (seen.1 == 8 || !isCut.down))
  }
}
