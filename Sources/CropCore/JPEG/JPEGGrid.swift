/// The grid of blocks a JPEG can be cut on without loss.
///
/// In bitmap space, the space of the stored pixels. A cell is one MCU: the smallest rectangle that
/// holds whole blocks of every component, 8 to 32 pixels a side. The last column and row of cells may reach
/// over the picture's border.
///
///     ┌────┬────┬──┐
///     │    │    │  ┊
///     ├────┼────┼──┤
///     └┄┄┄┄┴┄┄┄┄┴┄┄┘ border
public struct JPEGGrid: Hashable, Sendable {
  /// The stored picture's size, 1 to 65,535 pixels a side.
  public let size: BitmapSize
  /// The width of a cell in pixels, 8, 16, 24 or 32.
  public let cellWidth: Int
  /// The height of a cell in pixels, 8, 16, 24 or 32.
  public let cellHeight: Int

  /// A grid of cells over a picture; lengths that no JPEG has count as the nearest that one can have:
  /// 1 to 65,535 for the picture, 1 to 32 for a cell.
  public init(size: BitmapSize, cellWidth: Int, cellHeight: Int) {
    // So all sums below fit, whatever a caller says.
    self.size = BitmapSize(
      width: min(max(1, size.width), 65_535), height: min(max(1, size.height), 65_535))
    self.cellWidth = min(max(1, cellWidth), 32)
    self.cellHeight = min(max(1, cellHeight), 32)
  }
}

extension JPEGGrid {
  /// Whether `rect` can be cut with all blocks copied: it has an area, lies inside, and each of its edges is on
  /// the grid or on the picture's border.
  public func isExact(_ rect: BitmapRect) -> Bool {
    canCut(rect) && !hidesColumns(rect) && !hidesRows(rect)
  }

  /// Whether `rect` can be cut by copying blocks: it has an area, lies inside, and its left and top edges are
  /// on the grid. Blocks that its right or bottom edge divides are quantised again.
  public func canCut(_ rect: BitmapRect) -> Bool {
    guard let rect = inside(rect) else { return false }
    return rect.x % cellWidth == 0 && rect.y % cellHeight == 0
  }

  /// Whether the cells at the right edge of `rect`, which lies inside, hold pixels beyond it that are part of
  /// the picture.
  public func hidesColumns(_ rect: BitmapRect) -> Bool {
    let right = rect.x + rect.width
    return right % cellWidth != 0 && right < size.width
  }

  /// Whether the cells at the bottom edge of `rect`, which lies inside, hold pixels beyond it that are part
  /// of the picture.
  public func hidesRows(_ rect: BitmapRect) -> Bool {
    let bottom = rect.y + rect.height
    return bottom % cellHeight != 0 && bottom < size.height
  }

  /// `rect`, moved by less than a cell to the nearest place where its left and top edges are on the grid; nil if
  /// it has no area or lies partly outside.
  public func moved(_ rect: BitmapRect) -> BitmapRect? {
    guard let rect = inside(rect) else { return nil }
    return BitmapRect(
      x: Self.nearest(rect.x, cellWidth, most: size.width - rect.width),
      y: Self.nearest(rect.y, cellHeight, most: size.height - rect.height),
      width: rect.width, height: rect.height)
  }

  /// The multiple of `cell` nearest to `start` that is at most `most`; of two the smaller.
  private static func nearest(_ start: Int, _ cell: Int, most: Int) -> Int {
    let rest = start % cell
    let before = start - rest
    return rest * 2 > cell && before + cell <= most ? before + cell : before
  }

  /// The smallest rectangle that holds `rect` and can be cut with all blocks copied; nil if `rect` has no area or lies
  /// partly outside.
  public func snapped(_ rect: BitmapRect) -> BitmapRect? { surroundings(of: rect, cells: 0) }

  /// The smallest rectangle that can be cut and holds `rect` with `cells` more cells on each side,
  /// as far as there are any; nil if `rect` has no area or lies partly outside.
  ///
  /// A decoder needs one cell around a part to show it as in the whole picture, since it smooths
  /// the colours of neighbouring blocks.
  public func surroundings(of rect: BitmapRect, cells: Int = 1) -> BitmapRect? {
    guard let rect = inside(rect), cells >= 0 else { return nil }
    // 65,535 pixels hold no more than 8192 cells; a larger margin means the same.
    let across = min(cells, 8192) * cellWidth
    let down = min(cells, 8192) * cellHeight
    let left = max(0, rect.x - rect.x % cellWidth - across)
    let top = max(0, rect.y - rect.y % cellHeight - down)
    let right = min(size.width, Self.up(rect.x + rect.width, to: cellWidth) + across)
    let bottom = min(size.height, Self.up(rect.y + rect.height, to: cellHeight) + down)
    return BitmapRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// `rect` if it has an area and lies inside the picture; its far edges then are sums that fit.
  private func inside(_ rect: BitmapRect) -> BitmapRect? {
    guard rect.x >= 0, rect.y >= 0, rect.width > 0, rect.height > 0,
      rect.x < size.width, rect.y < size.height,
      rect.width <= size.width - rect.x, rect.height <= size.height - rect.y
    else { return nil }
    return rect
  }

  private static func up(_ length: Int, to cell: Int) -> Int {
    let rest = length % cell
    return rest == 0 ? length : length + (cell - rest)
  }
}
