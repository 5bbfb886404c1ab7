extension Gesture {
  /// Two fingers pan and zoom the image; in the style `studio`, a twist tilts it, and fingers that
  /// move together move the frame.
  struct Pinch: Hashable, Sendable {
    /// The pan by the midpoint of the fingers.
    private(set) var pan: Pan
    /// Which gesture the fingers were recognized as.
    private(set) var lock = Lock.open
    /// Whether the fingers may still turn out to move the frame; nothing moves until that is
    /// decided.
    private(set) var isUndecided: Bool
    /// The fingers' distance at the start.
    private let distance: Double
    /// The fingers' direction at the start.
    private let direction: CropAngle
    private let tilt: CropAngle

    /// Which gesture two fingers were recognized as.
    enum Lock: Hashable, Sendable { case open, zoom, twist(from: CropAngle, factor: Double) }

    init(_ pan: Pan, _ fingers: Fingers, tilt: CropAngle, mayMove: Bool) {
      self.pan = pan.rebased
      (distance, direction) = (max(1, fingers.distance), fingers.direction)
      (self.tilt, isUndecided) = (tilt, mayMove)
    }

    /// The clockwise angle by which the fingers have turned around each other, −180° to 180°.
    private func twist(_ fingers: Fingers) -> CropAngle {
      let turned = fingers.direction.degrees - direction.degrees
      return CropAngle(degrees: turned - (turned / 360).rounded(.toNearestOrAwayFromZero) * 360)
    }

    /// Determines what two fingers do in the studio style: moving apart, together or around each
    /// other they pinch the image, moving the same way they move the frame.
    ///
    /// The movement of one finger fits both. Fingers that move at the same time are reported one
    /// after the other, so it only counts as a pinch after some time without movement of the other
    /// finger, or at the end.
    ///
    /// - Parameter haveRested: whether neither finger moved in the current instant.
    /// - Returns: the pinch, decided or not; nil if the fingers move the frame.
    func decided(by fingers: Fingers, haveRested: Bool) -> Self? {
      let apart = max(
        abs(fingers.distance - distance), abs(twist(fingers).radians) * distance)
      let together = (fingers.now - fingers.start).length
      guard max(apart, together) >= Interaction.touchThreshold else { return self }
      if together > apart { return nil }
      var next = self
      next.isUndecided = !haveRested && apart <= 3 * together
      return next
    }

    /// Moves, zooms and tilts the image with the fingers.
    mutating func move(by fingers: Fingers, _ editor: inout SessionEditor) {
      if isUndecided { return }
      let factor = zoom(by: fingers, &editor.document)
      pan.place(by: fingers, zoom: factor)
      pan.turn(
        from: TiltedPicture(frame: editor.document.frame, tilt: tilt), to: editor.document.picture)
      pan.settle(&editor)
    }

    /// The zoom factor of the fingers since they came down; in the style `studio`, a twist tilts
    /// instead.
    private mutating func zoom(by fingers: Fingers, _ document: inout Document) -> Double {
      let factor = max(1, fingers.distance) / distance
      guard document.settings.style == .studio else { return factor }
      let twist = twist(fingers).degrees
      if case .open = lock {
        if max(factor, 1 / factor) >= Interaction.pinchLock {
          lock = .zoom
        } else if abs(twist) >= Interaction.twistLock {
          lock = .twist(from: CropAngle(degrees: twist), factor: factor)
        }
      }
      guard case .twist(let from, let lockedFactor) = lock else { return factor }
      // Measured from where the lock engaged, so that nothing jumps.
      let twisted = CropAngle(degrees: tilt.degrees + twist - from.degrees).heldAtZero(from: tilt)
        .asTilt
      if TiltedPicture(frame: document.frame, tilt: twisted).hasRoom {
        document.edit.tilt = twisted
      }
      return lockedFactor
    }
  }
}
