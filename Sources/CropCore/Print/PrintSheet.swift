/// One print, as often as it fits on a sheet of paper, with marks that show where to cut.
///
///        │    │    │         The prints touch each other. The sheet is turned if more of them
///      ─ ┌────┬────┐ ─       fit on it then. Marks are in the margin, at every line to cut; a
///        │    │    │         line between prints that has no margin at either end is drawn
///      ─ ├────┼────┤ ─       from one end to the other.
///        │    │    │
///      ─ └────┴────┘ ─
///        │    │    │
public struct PrintSheet: Hashable, Sendable {
  /// The size of the sheet, in pixels.
  public let size: FrameSize
  /// How many prints are next to each other, and below each other; at least 1.
  public let columns: Int, rows: Int
  /// The part of the sheet that the prints cover. The last print of a row or column may be cut by
  /// the rounding to pixels.
  public let block: PixelRect<FrameSpace>
  /// The lines to cut along, in pixels of the sheet.
  public let marks: [PixelRect<FrameSpace>]

  /// The most prints on a sheet.
  public static var most: Int { 1000 }

  /// Why there is no sheet.
  public enum Fault: Error, Hashable, Sendable {
    /// The sheet is smaller than the print.
    case tooSmall
    /// More than ``PrintSheet/most`` prints fit on it.
    case tooMany
  }

  /// The sheet of `paper` for a crop of `tile` pixels, which is `print` at `density`.
  ///
  /// - Throws: why there is none.
  public init(
    _ paper: PrintSize, of print: CropPrint, _ tile: FrameSize, _ density: PixelDensity
  ) throws(Fault) {
    let one = print.whole
    func count(_ paper: PrintSize) -> (columns: Int, rows: Int) {
      // One more than allowed is enough to know; `Int` has 32 bits in WebAssembly.
      (
        min(Self.most + 1, paper.width.tenThousandths / one.width.tenThousandths),
        min(Self.most + 1, paper.height.tenThousandths / one.height.tenThousandths)
      )
    }
    let (upright, turned) = (count(paper), count(paper.swapped))
    let isTurned = turned.columns * turned.rows > upright.columns * upright.rows
    let (columns, rows) = isTurned ? turned : upright
    guard columns > 0, rows > 0 else { throw .tooSmall }
    guard columns * rows <= Self.most else { throw .tooMany }
    let paper = isTurned ? paper.swapped : paper
    (self.columns, self.rows) = (columns, rows)
    size = FrameSize(
      width: max(tile.width, paper.width.pixels(density.across)),
      height: max(tile.height, paper.height.pixels(density.down)))
    let width = min(size.width, columns * tile.width)
    let height = min(size.height, rows * tile.height)
    block = PixelRect(
      x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
    let bleed = print.bleed
    let across = CutLines(
      count: columns, step: tile.width, bleed: bleed?.pixels(density.across) ?? 0,
      density: density.across, start: block.x, length: block.width, side: size.width)
    let down = CutLines(
      count: rows, step: tile.height, bleed: bleed?.pixels(density.down) ?? 0,
      density: density.down, start: block.y, length: block.height, side: size.height)
    marks =
      across.marks(beside: down).map {
        PixelRect(x: $0.at, y: $0.from, width: $0.thickness, height: $0.length)
      }
      + down.marks(beside: across).map {
        PixelRect(x: $0.from, y: $0.at, width: $0.length, height: $0.thickness)
      }
  }
}

/// The lines to cut along in one direction.
private struct CutLines {
  /// The number of prints, and the pixels of each with its bleed.
  let count: Int, step: Int, bleed: Int
  /// The pixels per inch.
  let density: Double
  /// Where the prints start, how many pixels they cover, and the side of the sheet.
  let start: Int, length: Int, side: Int

  /// One mark: its position across the lines, and its range along them.
  struct Mark {
    let at: Int, thickness: Int, from: Int, length: Int
  }

  /// The pixels of a number of millimeters, at least 1.
  private func pixels(_ millimeters: Double) -> Int {
    max(1, Int((millimeters * density / 25.4).rounded()))
  }

  /// The space at both ends of the block.
  private var margins: (before: Int, after: Int) { (start, side - start - length) }

  /// The positions of the lines: the edges of each print without its bleed.
  private var lines: [Int] {
    var lines: [Int] = []
    for index in 0...count {
      let edge = start + min(length, index * step)
      if bleed == 0 {
        lines.append(edge)
      } else {
        if index > 0 { lines.append(edge - bleed) }
        if index < count { lines.append(edge + bleed) }
      }
    }
    return lines
  }

  /// The marks of these lines, in the margins of the lines across them.
  func marks(beside other: Self) -> [Mark] {
    let (gap, most, thickness) = (other.pixels(1), other.pixels(5), min(side, pixels(0.1)))
    let (before, after) = other.margins
    var marks: [Mark] = []
    for line in lines {
      let at = min(max(0, line - thickness / 2), side - thickness)
      func add(from: Int, length: Int) {
        marks.append(Mark(at: at, thickness: thickness, from: from, length: length))
      }
      if before > gap { add(from: max(0, before - gap - most), length: min(most, before - gap)) }
      if after > gap {
        add(from: other.side - after + gap, length: min(most, after - gap))
      }
      // An edge of the sheet needs no line.
      if before <= gap, after <= gap, line > 0, line < side {
        add(from: 0, length: other.side)
      }
    }
    return marks
  }
}
