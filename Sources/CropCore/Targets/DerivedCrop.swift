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

  /// The crop of a picture of the given upright size, which is laid down as `laying` says.
  ///
  /// Nil for a picture without pixels, and a tilt that can't be or leaves no room for a pixel.
  /// One that was `made` by hand stays as it is.
  public init?(
    _ ratio: AspectRatio, of image: ImageSize, _ laying: TargetDocument.Laying, focus: FocusBox?,
    made: FrameRect? = nil
  ) {
    guard !image.isEmpty, abs(laying.tilt.degrees) <= CropRecipe.largestTilt.degrees else {
      return nil
    }
    let map = OrientationMap<ImageSpace, FrameSpace>(laying.orientation, of: image)
    let picture = TiltedPicture(frame: map.target, tilt: laying.tilt)
    guard picture.hasRoom else { return nil }
    let kept = focus?.bounds(in: picture, of: image, laying.orientation)
    if let made {
      self.init(rect: made, cutsFocus: Self.cuts(kept, made))
    } else {
      self.init(ratio, of: picture, focus: kept)
    }
  }

  private init(rect: FrameRect, cutsFocus: Bool) {
    self.rect = rect
    self.cutsFocus = cutsFocus
  }

  /// Whether a part of `focus` lies outside of `rect`; both are in frame pixels.
  static func cuts(_ focus: FrameRect?, _ rect: FrameRect) -> Bool {
    guard let focus else { return false }
    return !rect.contains(focus, tolerance: CropRecipe.cornerTolerance)
  }

  /// The crop of `picture`; `focus` is in frame pixels.
  init(_ ratio: AspectRatio, of picture: TiltedPicture, focus: FrameRect?) {
    let sizes = RatioSizes(ratio, in: picture)
    let middle = focus?.center ?? picture.center
    var kept = focus
    var rect: FrameRect?
    // With the focus if it can be held, then without.
    repeat {
      rect = sizes.largest(containing: kept, near: middle)
      if rect != nil || kept == nil { break }
      kept = nil
    } while true
    self.rect = rect ?? CropArea.ratio(ratio, .center).rect(in: picture)
    cutsFocus = focus != nil && kept == nil
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
    var reach = 1
    while reach <= 6 {
      if let rect = onGrain(size, at: center, reach: reach, focus, middle) { return rect }
      reach += 5
    }
    return nil
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
        guard picture.contains(rect), !DerivedCrop.cuts(focus, rect) else { continue }
        let (dx, dy) = (rect.center.x - middle.x, rect.center.y - middle.y)
        let distance = dx * dx + dy * dy
        if best.map({ distance < $0.distance }) ?? true { best = (rect, distance) }
      }
    }
    return best?.rect
  }

  /// By how many steps a rectangle can grow at most that has no blank corner and contains `focus`; nil
  /// if none contains it.
  ///
  /// A linear program in the centre and the number of steps: the greatest number lies where three of
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
    var all: [Condition] = []
    var (cosine, sine, sign) = (across.x - center.x, across.y - center.y, 1.0)
    for _ in 0..<2 {
      // No blank corner: the centre is this far from the picture's edges.
      all.append(
        Condition(x: cosine, y: sine, steps: half.dx, limit: width / 2 + cosine * dx + sine * dy))
      all.append(
        Condition(x: -sine, y: cosine, steps: half.dy, limit: height / 2 + cosine * dy - sine * dx))
      // The focus is kept: the centre is this near to the focus' centre.
      all.append(Condition(x: sign, y: 0, steps: -step.width / 2, limit: -focus.width / 2))
      all.append(Condition(x: 0, y: sign, steps: -step.height / 2, limit: -focus.height / 2))
      (cosine, sine, sign) = (-cosine, -sine, -sign)
    }
    return all
  }
}

/// `x` · centre.x + `y` · centre.y + `steps` · count ≤ `limit`, the centre from the focus' centre.
private struct Condition {
  var x: Double
  var y: Double
  var steps: Double
  var limit = 0.0

  /// By how much a centre and a number of steps break it.
  func excess(_ place: Self) -> Double { dot(place) - limit }

  private func dot(_ other: Self) -> Double {
    x * other.x + y * other.y + steps * other.steps
  }

  /// The vector that is upright on those of two conditions.
  @inline(never) private func cross(_ other: Self) -> Self {
    Self(
      x: y * other.steps - steps * other.y, y: steps * other.x - x * other.steps,
      steps: x * other.y - y * other.x)
  }

  /// Where three conditions are met exactly, by Cramer's rule; nil if that is nowhere or everywhere.
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

  /// Keeps what lies where `x` · x + `y` · y is at most `limit`.
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

  /// The place nearest to `point`.
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
    // On one side of every edge: inside. On a line that is a room without width, too.
    return hasLeft != hasRight && best.distance > 0 ? point : best.place
  }
}
