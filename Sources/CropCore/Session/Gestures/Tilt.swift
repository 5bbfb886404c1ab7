extension Gesture {
  /// A line is drawn along a horizon.
  struct Level: Hashable, Sendable {
    let from: ViewPoint
    let to: ViewPoint

    func moved(to position: ViewPoint) -> Self { Self(from: from, to: position) }

    /// The tilt under which the line becomes level or, if that is nearer, vertical; nil for a line
    /// that is too short.
    func tilt(from tilt: CropAngle) -> CropAngle? {
      guard (to - from).length >= Interaction.leastDrawn else { return nil }
      let degrees = CropAngle.direction(from: from, to: to).degrees
      let quarters = (degrees / 90).rounded(.toNearestOrAwayFromZero)
      return CropAngle(degrees: tilt.degrees - (degrees - quarters * 90))
    }
  }
}

/// A ruler under the image that is dragged to tilt it.
struct Ruler: Hashable, Sendable {
  /// The tilt at the start of the drag; nil without one.
  private var start: CropAngle?

  /// Whether it is dragged now.
  var isDragged: Bool { start != nil }

  /// The tilt that a command sets, with the magnet at zero.
  mutating func tilt(to angle: CropAngle, _ phase: TiltPhase, from tilt: CropAngle) -> CropAngle {
    let start = phase == .once ? angle : start ?? tilt
    self.start = phase == .dragging ? start : nil
    return angle.heldAtZero(from: start)
  }
}

extension CropAngle {
  /// The tilt clamped to ±45° and rounded to the step.
  var asTilt: CropAngle {
    let largest = CropRecipe.largestTilt.degrees
    let clamped = min(max(degrees, -largest), largest)
    // Divided by ten, not multiplied by 0.1, to get the number nearest to the displayed one.
    let steps = (clamped / Interaction.tiltStep).rounded(.toNearestOrAwayFromZero)
    return CropAngle(degrees: steps / 10 + 0)
  }

  /// Applies the magnet at zero to a drag from another tilt to this one: a drag that crosses zero
  /// stays there for ``Interaction/tiltMagnet`` and then continues, so that every step near zero
  /// can be reached.
  func heldAtZero(from start: CropAngle) -> CropAngle {
    guard start.degrees * degrees < 0 else { return self }
    let magnet = Interaction.tiltMagnet
    return CropAngle(degrees: degrees - min(max(degrees, -magnet), magnet))
  }
}
