/// An animation of the displayed state; the stored state is already at its end.
struct Motion: Hashable, Sendable {
  /// How the progress depends on time.
  enum Easing: Hashable, Sendable {
    /// Fast, then slower: (1 − (1 − t)³).
    case out
    /// Slow, fast, slow.
    case inOut
    /// A critically damped spring: no overshoot.
    case spring
    /// A glide that loses 0.2 % of its speed per millisecond.
    case glide
    /// Fast, then slower, from beyond a limit back to it.
    case bounce
  }

  /// The viewport at the start; at the end, it is that of the state.
  var from: Viewport
  var start: Seconds
  var duration: Seconds
  var easing: Easing
  /// The angle by which the displayed image is turned at the start, in degrees; it ends at zero.
  var turn: Double = 0
  /// The center of the turn.
  var pivot: ViewPoint = .zero
  /// The scale about the pivot at the start of a turn; it ends at one.
  var pivotScale: Double = 1

  /// The progress at `time`, 0 to 1.
  func progress(at time: Seconds) -> Double {
    guard duration > 0 else { return 1 }
    let t = min(max((time - start) / duration, 0), 1)
    if t >= 1 { return 1 }
    switch easing {
    case .out, .bounce:
      let rest = 1 - t
      return 1 - rest * rest * rest
    case .inOut:
      return t < 0.5 ? 4 * t * t * t : 1 - 4 * (1 - t) * (1 - t) * (1 - t)
    case .spring:
      // 1 − (1 + ωt)e^(−ωt) with ω = 9: 0.999 of the way at the end, scaled to end at 1.
      let omega = 9.0
      func way(_ t: Double) -> Double { 1 - (1 + omega * t) * LibM.exponential(-omega * t) }
      return way(t) / way(1)
    case .glide:
      func way(_ t: Double) -> Double {
        1 - LibM.power(Interaction.glideDecay, t * duration * 1000)
      }
      return way(t) / way(1)
    }
  }

  /// Whether the animation has finished at `time`.
  func isOver(at time: Seconds) -> Bool { time >= start + duration }
}

extension Interaction {
  /// The distance of a glide from `speed`, in points per second, down to half a point per display
  /// frame: the integral of speed · 0.998^(1000 t), which is the loss of speed divided by −1000 ·
  /// ln 0.998.
  static func glideReach(speed: Double) -> Double {
    max(0, speed - leastGlide) / (-1000 * LibM.logarithm(glideDecay))
  }

  /// The duration of a glide from `speed`, in points per second, down to half a point per display
  /// frame.
  static func glideDuration(speed: Double) -> Seconds {
    guard speed > leastGlide else { return 0 }
    // speed · 0.998^(1000 t) = 30; ln 0.998 = −0.002002…
    return LibM.logarithm(speed / leastGlide) / (-1000 * LibM.logarithm(glideDecay))
  }

  /// The displayed distance for a drag of `distance` beyond an edge, in a view of `length`.
  ///
  /// (1 − 1 / (x·0.55 / d + 1)) · d: the formula of iOS scroll views.
  static func banded(_ distance: Double, length: Double) -> Double {
    guard length > 0 else { return 0 }
    let way = (1 - 1 / (abs(distance) * rubberBand / length + 1)) * length
    return distance < 0 ? -way : way
  }

  /// The inverse of ``banded(_:length:)``: how far a finger has moved if the displayed distance is
  /// `distance`.
  static func unbanded(_ distance: Double, length: Double) -> Double {
    guard length > 0 else { return 0 }
    let share = min(abs(distance) / length, 0.99)
    let way = (1 / (1 - share) - 1) * length / rubberBand
    return distance < 0 ? -way : way
  }

  /// The displayed zoom beyond the limits: limit · (zoom / limit)^0.3, at most twice the limit.
  static func resistedZoom(_ zoom: Double, least: Double, most: Double) -> Double {
    let limit = min(max(zoom, least), most)
    if limit == zoom { return zoom }
    let factor = LibM.power(zoom / limit, overZoomExponent)
    return limit * min(max(factor, 1 / overZoomLimit), overZoomLimit)
  }
}
