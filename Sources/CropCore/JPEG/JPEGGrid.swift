/// The grid of blocks on which a JPEG can be cut losslessly.
///
/// The grid is in bitmap space. A cell is one MCU: the smallest rectangle that contains whole
/// blocks of every component, 8 to 32 pixels per side. The last column and row of cells may extend
/// beyond the image.
///
///     ┌────┬────┬──┐
///     │    │    │  ┊
///     ├────┼────┼──┤
///     └┄┄┄┄┴┄┄┄┄┴┄┄┘ border
public struct JPEGGrid: Hashable, Sendable {
  /// The size of the stored image, 1 to 65,535 pixels per side.
  public let size: BitmapSize
  /// The width of a cell in pixels, 8, 16, 24 or 32.
  public let cellWidth: Int
  /// The height of a cell in pixels, 8, 16, 24 or 32.
  public let cellHeight: Int

  /// A grid of cells over an image. Lengths outside the allowed range are replaced with the nearest
  /// allowed one: 1 to 65,535 for the image, 1 to 32 for a cell.
  public init(size: BitmapSize, cellWidth: Int, cellHeight: Int) {
    // Clamped, so that no sum below overflows.
    self.size = BitmapSize(
      width: min(max(1, size.width), 65_535), height: min(max(1, size.height), 65_535))
    self.cellWidth = min(max(1, cellWidth), 32)
    self.cellHeight = min(max(1, cellHeight), 32)
  }
}

extension JPEGGrid {
  /// Whether `rect` can be cropped by copying all blocks: it is not empty, lies inside the image,
  /// and each of its edges is on the grid or on the image's border.
  public func isExact(_ rect: BitmapRect) -> Bool {
    canCut(rect) && !hidesColumns(rect) && !hidesRows(rect)
  }

  /// Whether `rect` can be cropped by copying blocks: it is not empty, lies inside the image, and
  /// its left and top edges are on the grid. Blocks that its right or bottom edge divides are
  /// requantized.
  public func canCut(_ rect: BitmapRect) -> Bool {
    guard let rect = inside(rect) else { return false }
    return rect.x % cellWidth == 0 && rect.y % cellHeight == 0
  }

  /// Whether the cells at the right edge of `rect` contain image pixels to the right of it. `rect`
  /// must be inside the image.
  public func hidesColumns(_ rect: BitmapRect) -> Bool {
    let right = rect.x + rect.width
    return right % cellWidth != 0 && right < size.width
  }

  /// Whether the cells at the bottom edge of `rect` contain image pixels below it. `rect` must be
  /// inside the image.
  public func hidesRows(_ rect: BitmapRect) -> Bool {
    let bottom = rect.y + rect.height
    return bottom % cellHeight != 0 && bottom < size.height
  }

  /// Moves `rect` by less than a cell to the nearest position with its left and top edges on the
  /// grid; nil if it is empty or partly outside the image.
  public func moved(_ rect: BitmapRect) -> BitmapRect? {
    guard let rect = inside(rect) else { return nil }
    return BitmapRect(
      x: Self.nearest(rect.x, cellWidth, most: size.width - rect.width),
      y: Self.nearest(rect.y, cellHeight, most: size.height - rect.height),
      width: rect.width, height: rect.height)
  }

  /// The multiple of `cell` that is nearest to `start` and at most `most`; of two, the smaller.
  private static func nearest(_ start: Int, _ cell: Int, most: Int) -> Int {
    let rest = start % cell
    let before = start - rest
    return rest * 2 > cell && before + cell <= most ? before + cell : before
  }

  /// The smallest rectangle that contains `rect` and can be cut with all blocks copied; nil if
  /// `rect` is empty or partly outside the image.
  public func snapped(_ rect: BitmapRect) -> BitmapRect? { surroundings(of: rect, cells: 0) }

  /// The smallest rectangle around `rect` that can be cut with all blocks copied, extended by
  /// `cells` cells on each side and clipped to the image; nil if `rect` is empty or partly outside
  /// the image.
  ///
  /// A decoder smooths the colors of adjacent blocks, so it needs one more cell on each side to
  /// show a part exactly as in the complete image.
  public func surroundings(of rect: BitmapRect, cells: Int = 1) -> BitmapRect? {
    guard let rect = inside(rect), cells >= 0 else { return nil }
    // 65,535 pixels are at most 8192 cells; a larger margin has the same effect.
    let across = min(cells, 8192) * cellWidth
    let down = min(cells, 8192) * cellHeight
    let left = max(0, rect.x - rect.x % cellWidth - across)
    let top = max(0, rect.y - rect.y % cellHeight - down)
    let right = min(size.width, Self.up(rect.x + rect.width, to: cellWidth) + across)
    let bottom = min(size.height, Self.up(rect.y + rect.height, to: cellHeight) + down)
    return BitmapRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// `rect` if it has an area and is inside the image, so that the positions of its far edges can't
  /// overflow; otherwise nil.
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
