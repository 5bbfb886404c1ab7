/// The crop of a ratio that follows from the focus, where nobody made one by hand.
///
/// Of the rectangles of the ratio inside the picture that contain the focus it is the largest whose
/// centre is nearest to the focus' centre; of several the one with the smaller `y`, then the smaller
/// `x`. If none contains the focus it is the largest of all. Without a focus it lies in the middle.
public struct DerivedCrop: Hashable, Sendable {
  /// The rectangle, in frame pixels.
  public let rect: FrameRect
  /// Whether a part of the focus is cut off.
  public let cutsFocus: Bool

  /// The crop of `picture`; `focus` is in frame pixels.
  init(_ ratio: AspectRatio, of picture: TiltedPicture, focus: FrameRect?) {
    let sizes = RatioSizes(ratio, in: picture)
    let middle = focus?.center ?? picture.center
    if let focus, let rect = sizes.largest(containing: focus, near: middle) {
      self.init(rect: rect, cutsFocus: false)
    } else {
      let rect = sizes.largest(containing: nil, near: middle)
      self.init(
        rect: rect ?? CropArea.ratio(ratio, .center).rect(in: picture), cutsFocus: focus != nil)
    }
  }

  private init(rect: FrameRect, cutsFocus: Bool) {
    self.rect = rect
    self.cutsFocus = cutsFocus
  }
}

/// The rectangles of one ratio inside a picture.
private struct RatioSizes {
  private let picture: TiltedPicture
  /// The size of one step, and how many of them are tried at most.
  private let step: (width: Double, height: Double)
  private let most: Double

  init(_ ratio: AspectRatio, in picture: TiltedPicture) {
    self.picture = picture
    let largest = CropArea.largestSize(ratio, in: picture)
    if ratio.isExact, largest.width >= Double(ratio.width), largest.height >= Double(ratio.height) {
      step = (Double(ratio.width), Double(ratio.height))
    } else {
      // To the nearest pixel: steps of one pixel on the longer side.
      let longer = max(largest.width, largest.height)
      step = (largest.width / longer, largest.height / longer)
    }
    most = (largest.width / step.width).rounded()
  }

  private func size(_ steps: Double) -> (width: Double, height: Double) {
    (max(1, (step.width * steps).rounded()), max(1, (step.height * steps).rounded()))
  }

  /// The largest rectangle that contains `focus` and whose centre is nearest to `middle`; nil if there
  /// is none.
  func largest(containing focus: FrameRect?, near middle: FramePoint) -> FrameRect? {
    // Without a tilt a smaller rectangle contains nothing that the largest can't.
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

  /// The place of a rectangle of this size; nil if there is none.
  private func place(
    _ size: (width: Double, height: Double), containing focus: FrameRect?, near middle: FramePoint
  ) -> FrameRect? {
    let room = CenterRoom(size, in: picture, containing: focus)
    guard let center = room.nearest(to: middle) else { return nil }
    // In a narrow corner of the room the next places on the grain may all lie outside.
    return onGrain(size, at: center, reach: 1, focus, middle)
      ?? onGrain(size, at: center, reach: 6, focus, middle)
  }

  /// The rectangle of whole grains that is nearest to `middle`, among those at most `reach` grains from
  /// where `center` has it.
  private func onGrain(
    _ size: (width: Double, height: Double), at center: FramePoint, reach: Int, _ focus: FrameRect?,
    _ middle: FramePoint
  ) -> FrameRect? {
    let grain = picture.tilt.degrees == 0 ? 1 : CropRecipe.tiltedGrain
    let (x, y) = ((center.x - size.width / 2) / grain, (center.y - size.height / 2) / grain)
    var best: (rect: FrameRect, distance: Double)?
    // In the order in which ties are decided.
    for row in (1 - reach)...reach {
      for column in (1 - reach)...reach {
        let rect = FrameRect(
          x: ((x - 1e-9).rounded(.down) + Double(column)) * grain,
          y: ((y - 1e-9).rounded(.down) + Double(row)) * grain,
          width: size.width, height: size.height)
        guard picture.contains(rect), keeps(focus, rect) else { continue }
        let (dx, dy) = (rect.center.x - middle.x, rect.center.y - middle.y)
        let distance = dx * dx + dy * dy
        if best.map({ distance < $0.distance }) ?? true { best = (rect, distance) }
      }
    }
    return best?.rect
  }

  private func keeps(_ focus: FrameRect?, _ rect: FrameRect) -> Bool {
    guard let focus else { return true }
    return rect.contains(focus, tolerance: CropRecipe.cornerTolerance)
  }

  /// By how many steps a rectangle can grow at most that has no blank corner and contains `focus`; nil
  /// if none contains it.
  ///
  /// A linear program in the centre and the number of steps: the greatest number lies where three of
  /// the eight conditions are met exactly.
  private func largestScale(containing focus: FrameRect) -> Double? {
    let conditions = conditions(containing: focus)
    var best: Double?
    for (index, a) in conditions.enumerated() {
      for (next, b) in conditions[..<index].enumerated() {
        for c in conditions[..<next] {
          guard let (x, y, steps) = Condition.meeting(a, b, c), steps > best ?? 0,
            conditions.allSatisfy({ $0.excess(x, y, steps) <= 1e-7 })
          else { continue }
          best = steps
        }
      }
    }
    return best
  }

  private func conditions(containing focus: FrameRect) -> [Condition] {
    let half = picture.halfExtent(width: step.width, height: step.height)
    let (center, middle) = (picture.center, focus.center)
    let across = picture.turned(FramePoint(x: center.x + 1, y: center.y))
    let (cosine, sine) = (across.x - center.x, across.y - center.y)
    return [1.0, -1.0].flatMap { sign in
      let (dx, dy) = (center.x - middle.x, center.y - middle.y)
      return [
        // No blank corner: the centre is this far from the picture's edges.
        Condition(
          x: sign * cosine, y: sign * sine, steps: half.dx,
          limit: Double(picture.frame.width) / 2 + sign * (cosine * dx + sine * dy)),
        Condition(
          x: -sign * sine, y: sign * cosine, steps: half.dy,
          limit: Double(picture.frame.height) / 2 + sign * (cosine * dy - sine * dx)),
        // The focus is kept: the centre is this near to the focus' centre.
        Condition(x: sign, y: 0, steps: -step.width / 2, limit: -focus.width / 2),
        Condition(x: 0, y: sign, steps: -step.height / 2, limit: -focus.height / 2),
      ]
    }
  }
}

/// `x` · centre.x + `y` · centre.y + `steps` · count ≤ `limit`, the centre from the focus' centre.
private struct Condition {
  let x: Double
  let y: Double
  let steps: Double
  let limit: Double

  func excess(_ x: Double, _ y: Double, _ count: Double) -> Double {
    self.x * x + self.y * y + steps * count - limit
  }

  /// Where three conditions are met exactly, by Cramer's rule; nil if that is nowhere or everywhere.
  static func meeting(_ a: Self, _ b: Self, _ c: Self) -> (x: Double, y: Double, count: Double)? {
    func determinant(
      _ first: (Self) -> Double, _ second: (Self) -> Double, _ third: (Self) -> Double
    ) -> Double {
      first(a) * (second(b) * third(c) - third(b) * second(c))
        - second(a) * (first(b) * third(c) - third(b) * first(c))
        + third(a) * (first(b) * second(c) - second(b) * first(c))
    }
    let whole = determinant({ $0.x }, { $0.y }, { $0.steps })
    guard abs(whole) > 1e-12 else { return nil }
    return (
      determinant({ $0.limit }, { $0.y }, { $0.steps }) / whole,
      determinant({ $0.x }, { $0.limit }, { $0.steps }) / whole,
      determinant({ $0.x }, { $0.y }, { $0.limit }) / whole
    )
  }
}

/// Where the centre of a rectangle of one size may lie: inside a box that is tilted with the picture,
/// and near enough to the focus.
private struct CenterRoom {
  /// The corners, in turn; empty where there is no room.
  private var corners: [FramePoint]

  init(
    _ size: (width: Double, height: Double), in picture: TiltedPicture, containing focus: FrameRect?
  ) {
    let half = picture.halfExtent(width: size.width, height: size.height)
    let (width, height) = (Double(picture.frame.width), Double(picture.frame.height))
    // A rectangle as large as the picture leaves its centre one place.
    let most = CropRecipe.cornerTolerance
    let (x, y) = (min(half.dx, width / 2 + most), min(half.dy, height / 2 + most))
    guard x >= half.dx, y >= half.dy else {
      corners = []
      return
    }
    corners = [(x, y), (width - x, y), (width - x, height - y), (x, height - y)].map {
      picture.turned(FramePoint(x: $0.0, y: $0.1))
    }
    guard let focus else { return }
    let (dx, dy) = ((size.width - focus.width) / 2 + most, (size.height - focus.height) / 2 + most)
    let middle = focus.center
    clip { $0.x - (middle.x - dx) }
    clip { middle.x + dx - $0.x }
    clip { $0.y - (middle.y - dy) }
    clip { middle.y + dy - $0.y }
  }

  /// Keeps what lies where `inside`, which is linear, is zero or more.
  private mutating func clip(_ inside: (FramePoint) -> Double) {
    var kept: [FramePoint] = []
    for (index, end) in corners.enumerated() {
      let start = corners[index == 0 ? corners.count - 1 : index - 1]
      let (a, b) = (inside(start), inside(end))
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

  /// The place nearest to `point`.
  func nearest(to point: FramePoint) -> FramePoint? {
    var best: (place: FramePoint, distance: Double)?
    var (hasLeft, hasRight) = (false, false)
    for (index, end) in corners.enumerated() {
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
    // On one side of every edge: inside. On a line that is a room without width, too.
    return hasLeft != hasRight && best.distance > 0 ? point : best.place
  }
}
