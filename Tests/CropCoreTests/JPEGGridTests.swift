import CropCore
import TestMaterial
import Testing

struct JPEGGridTests {
  let grid = JPEGGrid(size: BitmapSize(width: 100, height: 50), cellWidth: 16, cellHeight: 8)

  @Test func `edges on the grid or the border are exact`() {
    #expect(grid.isExact(BitmapRect(x: 16, y: 8, width: 32, height: 16)))
    #expect(grid.isExact(BitmapRect(x: 16, y: 8, width: 84, height: 42)))
    #expect(grid.isExact(BitmapRect(x: 0, y: 0, width: 100, height: 50)))
  }

  @Test func `one edge off the grid is not exact`() {
    #expect(!grid.isExact(BitmapRect(x: 17, y: 8, width: 31, height: 16)))
    #expect(!grid.isExact(BitmapRect(x: 16, y: 9, width: 32, height: 15)))
    #expect(!grid.isExact(BitmapRect(x: 16, y: 8, width: 33, height: 16)))
    #expect(!grid.isExact(BitmapRect(x: 16, y: 8, width: 32, height: 41)))
  }

  @Test func `snapping moves each edge outward and stops at the border`() {
    #expect(
      grid.snapped(BitmapRect(x: 17, y: 15, width: 16, height: 2))
        == BitmapRect(x: 16, y: 8, width: 32, height: 16))
    #expect(
      grid.snapped(BitmapRect(x: 97, y: 49, width: 1, height: 1))
        == BitmapRect(x: 96, y: 48, width: 4, height: 2))
  }

  @Test func `moving keeps the size and goes to the nearest place on the grid`() {
    #expect(
      grid.moved(BitmapRect(x: 24, y: 13, width: 30, height: 5))
        == BitmapRect(x: 16, y: 16, width: 30, height: 5))
    // The next position to the right would be outside.
    #expect(
      grid.moved(BitmapRect(x: 31, y: 15, width: 69, height: 35))
        == BitmapRect(x: 16, y: 8, width: 69, height: 35))
    #expect(grid.moved(BitmapRect(x: 90, y: 0, width: 11, height: 5)) == nil)
  }

  @Test func `what is moved is the nearest of all rectangles that can be cut`() {
    var random = Seeded(seed: 28)
    for _ in 0..<500 {
      let x = random.int(0...99)
      let y = random.int(0...49)
      let rect = BitmapRect(
        x: x, y: y, width: random.int(1...(100 - x)), height: random.int(1...(50 - y)))
      var best: (rect: BitmapRect, distance: Int)?
      for left in 0...(100 - rect.width) {
        for top in 0...(50 - rect.height) {
          let other = BitmapRect(x: left, y: top, width: rect.width, height: rect.height)
          let distance = abs(left - x) + abs(top - y)
          guard grid.canCut(other), distance < best?.distance ?? .max else { continue }
          best = (other, distance)
        }
      }
      #expect(grid.moved(rect) == best?.rect, "\(rect)")
    }
  }

  @Test(arguments: Orientation.allCases)
  func `the edges that are quantized again are those of the stored right and bottom`(
    orientation: Orientation
  ) {
    let rect = BitmapRect(x: 16, y: 8, width: 37, height: 13)
    let edges = RequantizedEdges(rect, grid, orientation)
    let sides = [edges.left, edges.top, edges.right, edges.bottom]
    let expected: [Orientation: [Int]] = [
      .up: [0, 0, 5, 5], .upMirrored: [5, 0, 0, 5], .down: [5, 5, 0, 0],
      .downMirrored: [0, 5, 5, 0], .leftMirrored: [0, 0, 5, 5], .right: [5, 0, 0, 5],
      .rightMirrored: [5, 5, 0, 0], .left: [0, 5, 5, 0],
    ]
    #expect(sides == expected[orientation])
    #expect(RequantizedEdges(rect.withoutRest, grid, orientation).isEmpty)
  }

  @Test func `surroundings are one cell wider and stop at the border`() {
    #expect(
      grid.surroundings(of: BitmapRect(x: 40, y: 20, width: 2, height: 2))
        == BitmapRect(x: 16, y: 8, width: 48, height: 24))
    #expect(
      grid.surroundings(of: BitmapRect(x: 0, y: 0, width: 99, height: 10), cells: .max)
        == BitmapRect(x: 0, y: 0, width: 100, height: 50))
  }

  @Test(arguments: [
    BitmapRect(x: 0, y: 0, width: 0, height: 8), BitmapRect(x: -16, y: 0, width: 32, height: 8),
    BitmapRect(x: 0, y: 0, width: 101, height: 8), BitmapRect(x: 96, y: 0, width: .max, height: 8),
    BitmapRect(x: .max, y: .max, width: .max, height: .max),
    BitmapRect(x: .min, y: .min, width: .min, height: .min),
  ])
  func `a rectangle that is not inside is neither exact nor snapped`(rect: BitmapRect) {
    #expect(!grid.isExact(rect))
    #expect(grid.snapped(rect) == nil)
    #expect(grid.surroundings(of: rect) == nil)
  }

  @Test func `what is snapped is exact, holds the rectangle and is the smallest`() {
    var random = Seeded(seed: 4)
    for _ in 0..<2000 {
      let grid = JPEGGrid(
        size: BitmapSize(width: random.int(1...200), height: random.int(1...200)),
        cellWidth: random.element([8, 16, 24, 32]), cellHeight: random.element([8, 16, 24, 32]))
      let x = random.int(0...(grid.size.width - 1))
      let y = random.int(0...(grid.size.height - 1))
      let rect = BitmapRect(
        x: x, y: y, width: random.int(1...(grid.size.width - x)),
        height: random.int(1...(grid.size.height - y)))
      guard let snapped = grid.snapped(rect) else {
        Issue.record("\(rect) on \(grid)")
        continue
      }
      #expect(grid.isExact(snapped))
      #expect(snapped.rect.contains(rect.rect))
      #expect(rect.x - snapped.x < grid.cellWidth && rect.y - snapped.y < grid.cellHeight)
      #expect(snapped.rect.maxX - rect.rect.maxX < Double(grid.cellWidth))
      #expect(grid.isExact(rect) == (snapped == rect))
    }
  }
}

extension BitmapRect {
  /// Reduced to complete cells of 16 × 8.
  fileprivate var withoutRest: Self {
    Self(x: x, y: y, width: width / 16 * 16, height: height / 8 * 8)
  }
}

@Suite struct `Pixels that can be rotated without loss` {
  private let grid = JPEGGrid(
    size: BitmapSize(width: 100, height: 56), cellWidth: 16, cellHeight: 8)

  @Test func `are those of every lossless plan that stays so when baked, unless nothing turns`()
    throws
  {
    var random = Seeded(seed: 12)
    var counts: [Bool: Int] = [:]
    for _ in 0..<2000 {
      let stored = try #require(Orientation(rawValue: Int.random(in: 1...8, using: &random)))
      let turn = try #require(Orientation(rawValue: Int.random(in: 1...8, using: &random)))
      let image = OrientationMap<BitmapSpace, ImageSpace>(stored, of: grid.size).target
      let frame = OrientationMap<ImageSpace, FrameSpace>(turn, of: image).target
      func part(_ length: Int) -> (Int, Int) {
        let start = 8 * Int.random(in: 0..<length / 8, using: &random)
        return (start, min(length - start, 8 * Int.random(in: 1...7, using: &random)))
      }
      let ((x, width), (y, height)) = (part(frame.width), part(frame.height))
      let recipe = CropRecipe(
        rect: FrameRect(
          x: Double(x), y: Double(y), width: Double(width), height: Double(height)),
        quarterTurns: turn.quarterTurns, isMirrored: turn.isMirrored)
      let crop = try recipe.resolved(for: image)
      func plan(isBaked: Bool) -> JPEGPlan? {
        JPEGPlan(crop, grid: grid, orientation: stored, mode: .exact, isBaked: isBaked)
      }
      let (plain, baked) = try (#require(plan(isBaked: false)), #require(plan(isBaked: true)))
      #expect(plain.canRotate == (baked.way == .lossless && plain.flag != .up))
      counts[plain.canRotate, default: 0] += 1
    }
    #expect(counts.count == 2 && counts.values.allSatisfy { $0 > 200 }, "\(counts)")
  }
}
