import CropCore

/// Determines which blocks of the last MCUs of a cut contain samples beyond its right and bottom
/// edge.
final class ScanBorder {
  /// How a block is written.
  enum Fate: Equatable {
    /// Its bits are copied.
    case kept
    /// It is requantized from this many visible columns and rows.
    case requantized(columns: Int, rows: Int)
    /// Nothing of it is visible: it gets the DC of another block of its part in the MCU, given by
    /// its number.
    case empty(like: Int)
  }

  private let scan: JPEGScan
  private let frame: JPEGFrame
  private let size: BitmapSize
  /// Whether the last MCUs contain hidden columns to the right of the cut, and hidden rows below
  /// it.
  let hidesColumns: Bool
  let hidesRows: Bool

  /// Nil if the cut ends on the grid or on the image's border on both sides.
  ///
  /// A sample of a component is visible if a decoder spreads it over a visible pixel: a cut of w pixels shows
  /// ⌈w × H / Hmax⌉ columns of samples (T.81, A.1.1). The last of them may also have been made from
  /// hidden pixels when the source was encoded; it is what the decoder shows on the visible one.
  init?(_ scan: JPEGScan, _ frame: JPEGFrame, _ rect: BitmapRect) {
    let grid = frame.grid
    hidesColumns = grid.hidesColumns(rect)
    hidesRows = grid.hidesRows(rect)
    self.scan = scan
    self.frame = frame
    size = rect.size
    guard hidesColumns || hidesRows else { return nil }
  }

  /// How block `number` of a part in the MCU at `column` and `row` of the cut is written.
  func fate(_ number: Int, of part: Int, column: Int, row: Int) -> Fate {
    let component = frame.components[scan.parts[part].component]
    let isAlone = scan.parts.count == 1
    let across = isAlone ? 1 : component.horizontal
    let down = isAlone ? 1 : component.vertical
    let (x, y) = (number % across, number / across)
    let shownColumns = Self.shown(size.width, component.horizontal, frame.maxHorizontal)
    let shownRows = Self.shown(size.height, component.vertical, frame.maxVertical)
    let columns = shownColumns - (column * across + x) * 8
    let rows = shownRows - (row * down + y) * 8
    if columns >= 8 || !hidesColumns, rows >= 8 || !hidesRows { return .kept }
    if columns > 0, rows > 0 { return .requantized(columns: min(columns, 8), rows: min(rows, 8)) }
    let likeX = min(x, (shownColumns - 1) / 8 - column * across)
    let likeY = min(y, (shownRows - 1) / 8 - row * down)
    return .empty(like: likeY * across + likeX)
  }

  private static func shown(_ length: Int, _ factor: Int, _ most: Int) -> Int {
    (length * factor + most - 1) / most
  }
}
