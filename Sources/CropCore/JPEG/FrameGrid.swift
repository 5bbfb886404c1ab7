/// The block grid of a JPEG, on the frame: the positions where the left and top edges of the stored
/// crop may lie.
///
/// Frames that the program chooses are aligned to this grid, so that the crop is lossless. If the
/// image is turned or mirrored, the first stored pixel is in another corner of the frame, and the
/// grid starts there.
public struct FrameGrid: Hashable, Sendable {
  private let across: Axis
  private let down: Axis

  /// The grid of `jpeg` on the frame that mirroring and turning its upright image by `orientation`
  /// gives.
  public init(_ jpeg: StoredJPEG, orientation: Orientation) {
    let whole = jpeg.orientation.followed(by: orientation)
    let map = OrientationMap<BitmapSpace, FrameSpace>(whole, of: jpeg.grid.size)
    let cell = BitmapSize(width: jpeg.grid.cellWidth, height: jpeg.grid.cellHeight)
    let laid = OrientationMap<BitmapSpace, FrameSpace>(whole, of: cell).target
    let corner = map(BitmapPoint(x: 0, y: 0))
    across = Axis(cell: laid.width, length: map.target.width, isReversed: corner.x > 0)
    down = Axis(cell: laid.height, length: map.target.height, isReversed: corner.y > 0)
  }

  private init(across: Axis, down: Axis) {
    self.across = across
    self.down = down
  }

  /// The same grid on a part of the frame in whole pixels, measured from the part's corner.
  func inside(_ part: FrameRect) -> Self {
    Self(
      across: across.part(from: Int(part.x), length: Int(part.width)),
      down: down.part(from: Int(part.y), length: Int(part.height)))
  }

  /// The rectangle of the given size on the grid whose top-left corner is in both ranges and
  /// nearest to `wanted`. Ties go to the smaller `y`, then the smaller `x`. Nil if there is none.
  func rect(
    width: Int, height: Int, near wanted: FramePoint, across xs: ClosedRange<Int>,
    down ys: ClosedRange<Int>
  ) -> FrameRect? {
    guard let x = across.start(of: width, near: wanted.x, in: xs),
      let y = down.start(of: height, near: wanted.y, in: ys)
    else { return nil }
    return FrameRect(
      x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  /// The rectangle of the same size, on the grid and inside the image, that is nearest to `rect`;
  /// `rect` itself if none fits or its fields are not whole pixels.
  func nearest(to rect: FrameRect) -> FrameRect {
    guard let width = Int(exactly: rect.width), let height = Int(exactly: rect.height),
      width <= across.length, height <= down.length
    else { return rect }
    return self.rect(
      width: width, height: height, near: rect.origin, across: 0...(across.length - width),
      down: 0...(down.length - height)) ?? rect
  }

  /// One side of the frame, or of a part of it.
  private struct Axis: Hashable, Sendable {
    let cell: Int
    /// The length of the frame or part.
    let length: Int
    /// Whether the first stored pixel is at the far end.
    let isReversed: Bool
    /// The position of the first stored pixel.
    let first: Int

    init(cell: Int, length: Int, isReversed: Bool) {
      self.init(
        cell: cell, length: length, isReversed: isReversed, first: isReversed ? length : 0)
    }

    private init(cell: Int, length: Int, isReversed: Bool, first: Int) {
      self.cell = cell
      self.length = length
      self.isReversed = isReversed
      self.first = first
    }

    func part(from start: Int, length: Int) -> Self {
      Self(cell: cell, length: length, isReversed: isReversed, first: first - start)
    }

    func start(of length: Int, near wanted: Double, in range: ClosedRange<Int>) -> Int? {
      let held = min(max(wanted, Double(range.lowerBound)), Double(range.upperBound))
      let floor = Int(held.rounded(.down))
      // A start is on the grid if it has the same remainder as this one.
      let first = isReversed ? first - length : first
      let rest = (floor - first) % cell
      let before = floor - (rest < 0 ? rest + cell : rest)
      let after = before + cell
      guard range.contains(before) else { return range.contains(after) ? after : nil }
      return range.contains(after) && Double(after) - wanted < wanted - Double(before)
        ? after : before
    }
  }
}
