/// The crop of a given ratio that is computed from the focus if the user did not make one.
///
/// It is the largest rectangle of the ratio that is inside the image and contains the focus. Among
/// equally large ones, it is the one whose center is nearest to that of the focus; ties go to the
/// smaller `y`, then the smaller `x`. If none contains the focus, it is the largest one whose
/// center is nearest. Without a focus it is centered.
///
/// In a JPEG without a tilt, it is the nearest of those rectangles whose left and top edges are on
/// the block grid, if any. The crop is then lossless and no smaller.
public struct DerivedCrop: Hashable, Sendable {
  /// The rectangle, in frame pixels.
  public let rect: FrameRect
  /// Whether part of the focus is cut off.
  public let cutsFocus: Bool

  /// The crop of an image of the given upright size under `transform`.
  ///
  /// `jpeg` is the JPEG in which the image is stored. A crop that the user `made` is used
  /// unchanged. Nil for an image without pixels, and for a tilt that is out of range or leaves no
  /// space for a pixel.
  public init?(
    _ ratio: AspectRatio, of image: ImageSize, _ transform: PictureTransform, focus: FocusBox?,
    jpeg: StoredJPEG? = nil, made: FrameRect? = nil
  ) {
    guard !image.isEmpty, abs(transform.tilt.degrees) <= CropRecipe.largestTilt.degrees else {
      return nil
    }
    let map = OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image)
    let picture = TiltedPicture(frame: map.target, tilt: transform.tilt)
    guard picture.hasRoom else { return nil }
    let kept = focus?.bounds(in: picture, of: image, transform.orientation)
    if let made {
      self.init(rect: made, cutsFocus: Self.cuts(kept, made))
    } else {
      self.init(
        ratio, of: picture, focus: kept,
        on: jpeg.map { FrameGrid($0, orientation: transform.orientation) })
    }
  }

  private init(rect: FrameRect, cutsFocus: Bool) {
    self.rect = rect
    self.cutsFocus = cutsFocus
  }

  /// Whether part of `focus` is outside `rect`; both are in frame pixels.
  static func cuts(_ focus: FrameRect?, _ rect: FrameRect) -> Bool {
    guard let focus else { return false }
    return !rect.contains(focus, tolerance: CropRecipe.cornerTolerance)
  }

  /// The crop of `picture`; `focus` is in frame pixels.
  init(
    _ ratio: AspectRatio, of picture: TiltedPicture, focus: FrameRect?, on grid: FrameGrid? = nil
  ) {
    let sizes = RatioSizes(ratio, in: picture, grid)
    let middle = focus?.center ?? picture.center
    var kept = focus
    var rect: FrameRect?
    // With the focus if it fits, otherwise without.
    repeat {
      rect = sizes.largest(containing: kept, near: middle)
      if rect != nil || kept == nil { break }
      kept = nil
    } while true
    self.rect = rect ?? CropArea.ratio(ratio, .center).rect(in: picture, on: grid)
    cutsFocus = focus != nil && kept == nil
  }
}

/// The rectangles of one ratio inside an image.
private struct RatioSizes {
  private let picture: TiltedPicture
  /// The size of one step, and the largest number of steps.
  private let step: (width: Double, height: Double)
  private let most: Double
  /// The grid on which rectangles lie if possible; nil under a tilt.
  private let grid: FrameGrid?

  init(_ ratio: AspectRatio, in picture: TiltedPicture, _ grid: FrameGrid?) {
    self.picture = picture
    self.grid = picture.tilt.degrees == 0 ? grid : nil
    let largest = CropArea.largestSize(ratio, in: picture)
    if ratio.isExact, largest.width >= Double(ratio.width), largest.height >= Double(ratio.height) {
      step = (Double(ratio.width), Double(ratio.height))
    } else {
      // Rounded to a pixel: steps of one pixel on the longer side.
      let longer = max(largest.width, largest.height)
      step = (largest.width / longer, largest.height / longer)
    }
    most = (largest.width / step.width).rounded()
  }

  private func size(_ steps: Double) -> (width: Double, height: Double) {
    (max(1, (step.width * steps).rounded()), max(1, (step.height * steps).rounded()))
  }

  /// The largest rectangle that contains `focus` and whose center is nearest to `middle`; nil if there
  /// is none.
  func largest(containing focus: FrameRect?, near middle: FramePoint) -> FrameRect? {
    // Without a tilt, the largest rectangle contains everything that a smaller one can.
    let isTilted = picture.tilt.degrees != 0
    var steps = most
    if isTilted, let focus {
      guard let scale = largestScale(containing: focus) else { return nil }
      steps = min(most, (scale + 1e-9).rounded(.down))
    }
    while steps >= 1 {
      let size = size(steps)
      if let focus, size.width < focus.width - 1e-6 || size.height < focus.height - 1e-6 {
        return nil
      }
      if let rect = place(size, containing: focus, near: middle) { return rect }
      guard isTilted else { return nil }
      steps -= 1
    }
    return nil
  }

  /// The position of a rectangle of this size; nil if there is none.
  private func place(
    _ size: (width: Double, height: Double), containing focus: FrameRect?, near middle: FramePoint
  ) -> FrameRect? {
    let room = CenterRoom(size, in: picture, containing: focus)
    guard let center = room.nearest(to: middle) else { return nil }
    if let rect = onGrid(size, focus, middle) { return rect }
    // In a narrow corner of the allowed area, the nearest positions on the grain may all be
    // outside.
    var reach = 1
    while reach <= 6 {
      if let rect = onGrain(size, at: center, reach: reach, focus, middle) { return rect }
      reach += 5
    }
    return nil
  }

  /// The rectangle on the JPEG's grid that is nearest to `middle`, among those that contain
  /// `focus`.
  private func onGrid(
    _ size: (width: Double, height: Double), _ focus: FrameRect?, _ middle: FramePoint
  ) -> FrameRect? {
    guard let grid else { return nil }
    let near = CropRecipe.cornerTolerance
    func range(
      _ length: Double, of side: Int, _ kept: (start: Double, end: Double)?
    ) -> ClosedRange<Int>? {
      var (lower, upper) = (0, side - Int(length))
      if let kept {
        lower = max(lower, Int((kept.end - length - near).rounded(.up)))
        upper = min(upper, Int((kept.start + near).rounded(.down)))
      }
      return lower <= upper ? lower...upper : nil
    }
    let frame = picture.frame
    guard let xs = range(size.width, of: frame.width, focus.map { ($0.minX, $0.maxX) }),
      let ys = range(size.height, of: frame.height, focus.map { ($0.minY, $0.maxY) })
    else { return nil }
    return grid.rect(
      width: Int(size.width), height: Int(size.height),
      near: FramePoint(x: middle.x - size.width / 2, y: middle.y - size.height / 2),
      across: xs, down: ys)
  }

  /// The rectangle of whole grains that is nearest to `middle`, among those at most `reach` grains
  /// from the position `center`.
  private func onGrain(
    _ size: (width: Double, height: Double), at center: FramePoint, reach: Int, _ focus: FrameRect?,
    _ middle: FramePoint
  ) -> FrameRect? {
    let grain = picture.tilt.degrees == 0 ? 1 : CropRecipe.tiltedGrain
    let (x, y) = ((center.x - size.width / 2) / grain, (center.y - size.height / 2) / grain)
    var best: (rect: FrameRect, distance: Double)?
    // In the order that decides ties.
    for row in (1 - reach)...reach {
      for column in (1 - reach)...reach {
        let rect = FrameRect(
          x: ((x - 1e-9).rounded(.down) + Double(column)) * grain,
          y: ((y - 1e-9).rounded(.down) + Double(row)) * grain,
          width: size.width, height: size.height)
        guard picture.contains(rect), !DerivedCrop.cuts(focus, rect) else { continue }
        let (dx, dy) = (rect.center.x - middle.x, rect.center.y - middle.y)
        let distance = dx * dx + dy * dy
        if best.map({ distance < $0.distance }) ?? true { best = (rect, distance) }
      }
    }
    return best?.rect
  }

  /// The largest number of steps for which a rectangle has no blank corner and contains `focus`;
  /// nil if none contains it.
  ///
  /// This is a linear program in the center and the number of steps: the maximum is where three of
  /// the eight conditions are met exactly.
  private func largestScale(containing focus: FrameRect) -> Double? {
    let conditions = conditions(containing: focus)
    var best: Double?
    for first in conditions.indices {
      for second in 0..<first {
        for third in 0..<second {
          let (a, b, c) = (conditions[first], conditions[second], conditions[third])
          guard let meeting = Condition.meeting(a, b, c), meeting.steps > best ?? 0,
            conditions.allSatisfy({ $0.excess(meeting) <= 1e-7 })
          else { continue }
          best = meeting.steps
        }
      }
    }
    return best
  }

  private func conditions(containing focus: FrameRect) -> [Condition] {
    let half = picture.halfExtent(width: step.width, height: step.height)
    let (center, middle) = (picture.center, focus.center)
    let across = picture.turned(FramePoint(x: center.x + 1, y: center.y))
    let (dx, dy) = (center.x - middle.x, center.y - middle.y)
    let (width, height) = (Double(picture.frame.width), Double(picture.frame.height))
    let (cosine, sine) = (across.x - center.x, across.y - center.y)
    // No blank corner: the center is at least this far from the image's edges.
    func edge(_ x: Double, _ y: Double, _ half: Double, _ side: Double) -> Condition {
      Condition(x: x, y: y, steps: half, limit: side / 2 + x * dx + y * dy)
    }
    // The focus is kept: the center is at most this far from the focus' center.
    func near(_ x: Double, _ y: Double, _ step: Double, _ side: Double) -> Condition {
      Condition(x: x, y: y, steps: -step / 2, limit: -side / 2)
    }
    return [
      edge(cosine, sine, half.dx, width), edge(-sine, cosine, half.dy, height),
      near(1, 0, step.width, focus.width), near(0, 1, step.height, focus.height),
      edge(-cosine, -sine, half.dx, width), edge(sine, -cosine, half.dy, height),
      near(-1, 0, step.width, focus.width), near(0, -1, step.height, focus.height),
    ]
  }
}

/// `x` · center.x + `y` · center.y + `steps` · count ≤ `limit`, the center from the focus' center.
private struct Condition {
  var x: Double
  var y: Double
  var steps: Double
  var limit = 0.0

  /// How far a center and a number of steps violate the condition.
  func excess(_ place: Self) -> Double { dot(place) - limit }

  private func dot(_ other: Self) -> Double {
    x * other.x + y * other.y + steps * other.steps
  }

  /// The vector that is perpendicular to those of two conditions.
  @inline(never) private func cross(_ other: Self) -> Self {
    Self(
      x: y * other.steps - steps * other.y, y: steps * other.x - x * other.steps,
      steps: x * other.y - y * other.x)
  }

  /// The point at which three conditions are met exactly, by Cramer's rule; nil if there is none,
  /// or more than one.
  static func meeting(_ a: Self, _ b: Self, _ c: Self) -> Self? {
    let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b))
    let whole = a.dot(bc)
    guard abs(whole) > 1e-12 else { return nil }
    func met(_ first: Double, _ second: Double, _ third: Double) -> Double {
      (a.limit * first + b.limit * second + c.limit * third) / whole
    }
    return Self(
      x: met(bc.x, ca.x, ab.x), y: met(bc.y, ca.y, ab.y), steps: met(bc.steps, ca.steps, ab.steps))
  }
}

/// The valid positions of the center of a rectangle of one size: inside a box that is tilted with
/// the image, and near enough to the focus.
private struct CenterRoom {
  /// The corners, in order; empty if nothing fits.
  private var corners: [FramePoint]

  init(
    _ size: (width: Double, height: Double), in picture: TiltedPicture, containing focus: FrameRect?
  ) {
    let half = picture.halfExtent(width: size.width, height: size.height)
    let (width, height) = (Double(picture.frame.width), Double(picture.frame.height))
    // A rectangle as large as the image has exactly one valid center.
    let most = CropRecipe.cornerTolerance
    let (x, y) = (min(half.dx, width / 2 + most), min(half.dy, height / 2 + most))
    guard x >= half.dx, y >= half.dy else {
      corners = []
      return
    }
    corners = []
    for index in 0..<4 {
      corners.append(
        picture.turned(
          FramePoint(
            x: index == 0 || index == 3 ? x : width - x, y: index < 2 ? y : height - y)))
    }
    guard let focus else { return }
    let (dx, dy) = ((size.width - focus.width) / 2 + most, (size.height - focus.height) / 2 + most)
    let middle = focus.center
    var sign = 1.0
    for _ in 0..<2 {
      clip(x: sign, y: 0, limit: sign * middle.x + dx)
      clip(x: 0, y: sign, limit: sign * middle.y + dy)
      sign = -1
    }
  }

  /// Keeps the part where `x` · x + `y` · y is at most `limit`.
  @inline(never) private mutating func clip(x: Double, y: Double, limit: Double) {
    var kept: [FramePoint] = []
    for index in corners.indices {
      let end = corners[index]
      let start = corners[index == 0 ? corners.count - 1 : index - 1]
      let a = limit - x * start.x - y * start.y
      let b = limit - x * end.x - y * end.y
      if (a < 0) != (b < 0) {
        let share = a / (a - b)
        kept.append(
          FramePoint(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
        )
      }
      if b >= 0 { kept.append(end) }
    }
    corners = kept
  }

  /// The position nearest to `point`.
  func nearest(to point: FramePoint) -> FramePoint? {
    var best: (place: FramePoint, distance: Double)?
    var (hasLeft, hasRight) = (false, false)
    for index in corners.indices {
      let end = corners[index]
      let start = corners[index == 0 ? corners.count - 1 : index - 1]
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let (px, py) = (point.x - start.x, point.y - start.y)
      let side = dx * py - dy * px
      if side < 0 { hasLeft = true }
      if side > 0 { hasRight = true }
      let length = dx * dx + dy * dy
      let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
      let place = FramePoint(x: start.x + dx * share, y: start.y + dy * share)
      let (rx, ry) = (place.x - point.x, place.y - point.y)
      let distance = rx * rx + ry * ry
      if best.map({ distance < $0.distance }) ?? true { best = (place, distance) }
    }
    guard let best else { return nil }
    // A point on the same side of every edge is inside, unless the area is a line without width.
    return hasLeft != hasRight && best.distance > 0 ? point : best.place
  }
}
