/// The width of the strip at each edge of a cut JPEG in which pixels may differ from the source,
/// because their blocks were requantized. All other pixels are identical.
///
/// Lengths are pixels of the turned image, less than one grid cell. At most two are not 0: those at
/// the right and bottom edges of the stored crop.
public struct RequantizedEdges: Hashable, Sendable {
  /// The number of columns at the left edge.
  public var left = 0
  /// The number of rows at the top edge.
  public var top = 0
  /// The number of columns at the right edge.
  public var right = 0
  /// The number of rows at the bottom edge.
  public var bottom = 0

  /// No edges: every block is copied.
  public init() {}

  /// The edges at which cutting `rect` requantizes blocks, as they appear after `orientation` is
  /// applied. `rect` must satisfy ``JPEGGrid/canCut(_:)``.
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

  /// The largest number of columns or rows at any edge, 0 to 31.
  public var most: Int { max(max(left, top), max(right, bottom)) }

  /// Whether every block is copied.
  public var isEmpty: Bool { self == Self() }
}
