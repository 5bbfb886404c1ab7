/// Turns, mirrors, ratio and tilt. The displayed image changes and the same part stays selected.
extension CropSession {
  // MARK: Turns and mirrors

  mutating func turn(clockwise: Bool) {
    let next: Orientation = clockwise ? .right : .left
    step(moving: false) { $0.orient(by: next) }
    announce(.turned(quarterTurns: document.edit.orientation.quarterTurns))
  }

  mutating func mirror(vertically: Bool) {
    step(moving: false) { $0.orient(by: vertically ? .downMirrored : .upMirrored) }
    announce(.mirrored)
  }

  /// Turns or mirrors the displayed image; the same part stays selected.
  private mutating func orient(by next: Orientation) {
    let map = OrientationMap<FrameSpace, FrameSpace>(next, of: frame)
    let shown = shownViewport
    document.intent =
      document.intent?.result == document.edit.selection ? document.intent?.oriented(by: map) : nil
    document.edit.quad = document.edit.quad?.oriented(next, of: frame)
    document.edit.selection = document.edit.selection.map { map($0) }
    document.edit.orientation = document.edit.orientation.followed(by: next)
    if next.isMirrored { document.edit.tilt = Angle(degrees: -document.edit.tilt.degrees + 0) }
    if next.isTransposing { turnRatio() }
    if document.edit.quad == nil, let selection = document.edit.selection {
      // The same area stays selected, as far as a ratio or limit that did not turn allows.
      if let ratio = ratioToKeep, !ratio.matches(PixelLengths(selection)) {
        reselect()
      } else if !rules.allowsSize(of: selection) {
        select(selection)
      }
    }
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    guard !next.isMirrored, isShown, !settings.reducesMotion else { return placement.motion = nil }
    let center = document.edit.selection.map { placement.viewport($0).center } ?? layout.middle
    placement.motion = Motion(
      from: placement.viewport, start: interaction.now, duration: Interaction.turnDuration,
      easing: .inOut,
      turn: next == .right ? -90 : 90,
      pivot: settings.style.restsPicture ? layout.area.center : center,
      pivotScale: shown.scale / placement.viewport.scale)
  }

  /// Sets mirror, turns and tilt as a user would, but exactly and without adding a history step.
  /// The same part stays selected.
  ///
  /// - Returns: what changed; only `refused` for a tilt that is out of range or leaves no space for
  ///   a pixel, and for any tilt in the style ``CropStyle/quad``.
  public mutating func setTransform(_ transform: PictureTransform) -> Changes {
    guard let image, abs(transform.tilt.degrees) <= CropRecipe.largestTilt.degrees,
      settings.style != .quad || transform.tilt.degrees == 0
    else { return .refused }
    let wanted = OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image).target
    guard TiltedPicture(frame: wanted, tilt: transform.tilt).hasRoom else { return .refused }
    orient(by: document.edit.orientation.inverse.followed(by: transform.orientation))
    if document.edit.tilt != transform.tilt {
      rememberIntent()
      document.edit.tilt = transform.tilt
      reselect()
    }
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    placement.motion = nil
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return [.scene, .recipe, .elements]
  }

  // MARK: Ratio and tilt

  mutating func setRatio(_ ratio: RatioChoice, output: OutputSize? = nil) {
    step { session in
      session.document.edit.ratio = ratio
      if output != nil || session.document.edit.output?.isExact ?? false {
        session.document.edit.output = output
      }
      // A free ratio leaves the selection unchanged.
      if session.ratioToKeep == nil {
        session.document.intent = nil
      } else {
        session.reselect(isChosen: true)
      }
    }
    announce(.ratio(ratio.ratio(on: frame)))
    if let violatedRule { announce(.violatedRule(violatedRule)) }
  }

  mutating func setOutputSize(_ size: FrameSize?) {
    guard let size else { return step(moving: false) { $0.document.edit.output = nil } }
    let sides = 1...RecipeError.largestOutputSide
    guard sides.contains(size.width), sides.contains(size.height),
      let ratio = AspectRatio(size.width, size.height)
    else {
      feedback.changes.insert(.refused)
      return
    }
    setRatio(.fixed(ratio), output: .exact(width: size.width, height: size.height))
  }

  mutating func setLongestSide(_ side: Int?) {
    guard (1...RecipeError.largestOutputSide).contains(side ?? 1) else {
      feedback.changes.insert(.refused)
      return
    }
    step(moving: false) { $0.document.edit.output = side.map { .maxSide($0) } }
  }

  mutating func swapRatio() {
    guard case .free = document.edit.ratio else {
      let output = document.edit.output?.isExact ?? false ? document.edit.output?.swapped : nil
      return setRatio(document.edit.ratio.swapped, output: output)
    }
    guard let selection = document.edit.selection, document.edit.quad == nil else { return }
    let (width, height) = (selection.height, selection.width)
    // As large as fits into the image.
    let scale = min(1, picture.largestScale(width: width, height: height))
    place { session in
      session.select(
        FrameRect(
          center: selection.center, width: max(1, (width * scale).rounded(.down)),
          height: max(1, (height * scale).rounded(.down))))
      session.document.edit.selection = session.document.edit.selection.map {
        session.onGrid($0, of: session.document.edit)
      }
    }
  }

  /// Turns the ratio and the size of the result with the image, unless the user has chosen that
  /// they stay.
  private mutating func turnRatio() {
    switch document.edit.ratio {
    case .free: break
    // The ratio of the original turns with it.
    case .original: if settings.keepsRatio { document.edit.ratio = document.edit.ratio.swapped }
    case .fixed: if !settings.keepsRatio { document.edit.ratio = document.edit.ratio.swapped }
    }
    if !settings.keepsRatio { document.edit.output = document.edit.output?.swapped }
  }

  mutating func tilt(to angle: Angle, _ phase: TiltPhase) {
    let start = phase == .once ? angle : interaction.rulerStart ?? document.edit.tilt
    interaction.rulerStart = phase == .dragging ? start : nil
    let wanted = Self.heldAtZero(angle, from: start)
    if phase != .ended || wanted != document.edit.tilt {
      // The last change of a drag belongs to the drag.
      setTilt(wanted, kind: .tilt(phase == .once ? .once : .dragging))
    }
    hold(phase == .dragging)
    if phase == .ended { document.history.separate() }
  }

  /// Applies the magnet at zero to a drag from one tilt to another: a drag that crosses zero stays
  /// there for ``Interaction/tiltMagnet`` and then continues, so that every step near zero can be
  /// reached.
  static func heldAtZero(_ angle: Angle, from start: Angle) -> Angle {
    guard start.degrees * angle.degrees < 0 else { return angle }
    let magnet = Interaction.tiltMagnet
    return Angle(degrees: angle.degrees - min(max(angle.degrees, -magnet), magnet))
  }

  /// The tilt clamped to ±45° and rounded to the step.
  static func steppedTilt(_ angle: Angle) -> Angle {
    let largest = CropRecipe.largestTilt.degrees
    let degrees = min(max(angle.degrees, -largest), largest)
    // Divided by ten, not multiplied by 0.1, to get the number nearest to the displayed one.
    let steps = (degrees / Interaction.tiltStep).rounded(.toNearestOrAwayFromZero)
    return Angle(degrees: steps / 10 + 0)
  }

  /// Tilts the image. The selection keeps its centre on the image and shrinks only as much as
  /// necessary.
  mutating func setTilt(_ angle: Angle, kind: History.Kind) {
    let angle = Self.steppedTilt(angle)
    guard angle != document.edit.tilt else { return }
    // In quad style, the corners straighten the image.
    guard settings.style != .quad, TiltedPicture(frame: frame, tilt: angle).hasRoom else {
      feedback.changes.insert(.refused)
      return announce(.limit)
    }
    let before = document.edit
    let cropFrame = restingCropFrame
    let shown = ShownMiddle(self)
    rememberIntent()
    document.edit.tilt = angle
    reselect()
    if settings.style == .marquee {
      relayout(from: shown)
    } else if let cropFrame, let selection = document.edit.selection {
      placement.viewport = layout.viewport(filling: cropFrame, with: selection)
      keepUnrounded(cropFrame, raw: placement.viewport)
    }
    placement.motion = nil
    document.history.record(before, kind: kind, at: interaction.now)
    announce(.tilt(angle))
  }

  /// Stores the user's intent, unless the selection is already derived from it.
  private mutating func rememberIntent() {
    guard let selection = document.edit.selection else { return document.intent = nil }
    if let intent = document.intent, intent.result == selection { return }
    document.intent = Intent(
      center: picture.turnedBack(selection.center), width: selection.width,
      height: selection.height, result: selection)
  }

  /// Derives the selection from the intent with the current ratio and tilt. If a new ratio
  /// `isChosen`, the selection is aligned to the JPEG's grid.
  mutating func reselect(isChosen: Bool = false) {
    guard document.edit.selection != nil else { return }
    if document.intent == nil || document.intent?.result != document.edit.selection {
      rememberIntent()
    }
    guard var intent = document.intent else { return }
    let center = picture.turned(intent.center)
    var rect = FrameRect(center: center, width: intent.width, height: intent.height)
    var isOnGrid = false
    if let wanted = ratioToKeep, !wanted.matches(PixelLengths(rect)) {
      rect = wanted.fitted(in: rect)
      isOnGrid = isChosen
    }
    let scale = min(
      1, picture.largestScale(width: rect.width, height: rect.height, about: center))
    if scale < 1 {
      // Rounds to whole pixels inwards, since there is no space outwards.
      rect = FrameRect(
        center: center, width: max(1, (rect.width * scale).rounded(.down)),
        height: max(1, (rect.height * scale).rounded(.down)))
    }
    select(rules.onGrain(rect))
    if isOnGrid {
      document.edit.selection = document.edit.selection.map { onGrid($0, of: document.edit) }
    }
    intent.result = document.edit.selection ?? rect
    self.document.intent = intent
  }
}

extension OutputSize {
  /// Whether the size has both sides.
  var isExact: Bool {
    if case .exact = self { return true }
    return false
  }

  /// The size with width and height exchanged.
  fileprivate var swapped: Self {
    if case .exact(let width, let height) = self { return .exact(width: height, height: width) }
    return self
  }
}

extension Intent {
  /// The same size on an image that was turned or mirrored.
  fileprivate func oriented(by map: OrientationMap<FrameSpace, FrameSpace>) -> Self {
    let turns = map.orientation.isTransposing
    return Intent(
      center: map(center), width: turns ? height : width, height: turns ? width : height,
      result: map(result))
  }
}
