/// How far from each edge of a cut JPEG the pixels may differ from the source's, because their blocks were
/// quantised again: all others are the same.
///
/// Lengths are pixels of the turned picture, each less than a cell of the grid. At most two are not 0: those
/// where the right and bottom edges of the stored pixels are.
public struct RequantizedEdges: Hashable, Sendable {
  /// Columns at the left edge.
  public var left = 0
  /// Rows at the top edge.
  public var top = 0
  /// Columns at the right edge.
  public var right = 0
  /// Rows at the bottom edge.
  public var bottom = 0

  /// No block is quantised again.
  public init() {}

  /// Those of `rect`, which can be cut, if the result is then seen as `orientation` lays it down.
  public init(_ rect: BitmapRect, _ grid: JPEGGrid, _ orientation: Orientation) {
    let columns = grid.hidesColumns(rect) ? rect.width % grid.cellWidth : 0
    let rows = grid.hidesRows(rect) ? rect.height % grid.cellHeight : 0
    let map = OrientationMap<BitmapSpace, FrameSpace>(orientation, of: rect.size)
    let copied = map(
      BitmapRect(x: 0, y: 0, width: rect.width - columns, height: rect.height - rows))
    left = copied.x
    top = copied.y
    right = map.target.width - copied.x - copied.width
    bottom = map.target.height - copied.y - copied.height
  }

  /// Whether every block is copied.
  public var isEmpty: Bool { self == Self() }
}
