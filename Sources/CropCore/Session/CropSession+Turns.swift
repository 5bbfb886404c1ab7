/// Turns, mirrors, ratio and tilt: what is seen changes and the same part stays selected.
extension CropSession {
  // MARK: Turns and mirrors

  mutating func turn(clockwise: Bool) {
    let next: Orientation = clockwise ? .right : .left
    step(moving: false) { $0.lay(by: next) }
    announce(.turned(quarterTurns: edit.orientation.quarterTurns))
  }

  mutating func mirror(vertically: Bool) {
    step(moving: false) { $0.lay(by: vertically ? .downMirrored : .upMirrored) }
    announce(.mirrored)
  }

  /// Lays what is seen down in another way; the same part stays selected.
  private mutating func lay(by next: Orientation) {
    let map = OrientationMap<FrameSpace, FrameSpace>(next, of: frame)
    let shown = shownViewport
    intent = intent?.result == edit.selection ? intent?.laid(by: map) : nil
    edit.selection = edit.selection.map { map($0) }
    edit.orientation = edit.orientation.followed(by: next)
    if next.isMirrored { edit.tilt = Angle(degrees: -edit.tilt.degrees + 0) }
    if next.isTransposing { turnRatio() }
    if let selection = edit.selection {
      // The same part stays selected, as far as a ratio or a limit that did not turn allows.
      if let ratio = ratioToKeep, !ratio.matches(PixelLengths(selection)) {
        reselect()
      } else if !rules.allowsSize(of: selection) {
        select(selection)
      }
    }
    viewport = restingViewport()
    guard !next.isMirrored, isShown, !reducesMotion else { return motion = nil }
    let center = edit.selection.map { viewport($0).center } ?? middleOfView
    motion = Motion(
      from: viewport, start: now, duration: Interaction.turnDuration, easing: .inOut,
      turn: next == .right ? -90 : 90, pivot: style == .marquee ? area.center : center,
      pivotScale: shown.scale / viewport.scale)
  }

  // MARK: Ratio and tilt

  mutating func setRatio(_ ratio: RatioChoice, output: OutputSize? = nil) {
    step { session in
      session.edit.ratio = ratio
      if output != nil || session.edit.output?.isExact ?? false { session.edit.output = output }
      session.reselect()
    }
    announce(.ratio(ratio.ratio(on: frame)))
    if let gaveWay { announce(.gaveWay(gaveWay)) }
  }

  mutating func setOutputSize(_ size: FrameSize?) {
    guard let size else { return step(moving: false) { $0.edit.output = nil } }
    let sides = 1...RecipeError.largestOutputSide
    guard sides.contains(size.width), sides.contains(size.height),
      let ratio = AspectRatio(size.width, size.height)
    else {
      changes.insert(.refused)
      return
    }
    setRatio(.fixed(ratio), output: .exact(width: size.width, height: size.height))
  }

  mutating func setLongestSide(_ side: Int?) {
    guard (1...RecipeError.largestOutputSide).contains(side ?? 1) else {
      changes.insert(.refused)
      return
    }
    step(moving: false) { $0.edit.output = side.map { .maxSide($0) } }
  }

  mutating func swapRatio() {
    guard case .free = edit.ratio else {
      let output = edit.output?.isExact ?? false ? edit.output?.swapped : nil
      return setRatio(edit.ratio.swapped, output: output)
    }
    guard let selection = edit.selection else { return }
    let (width, height) = (selection.height, selection.width)
    // As large as the picture has room for.
    let scale = min(1, picture.largestScale(width: width, height: height))
    place { session in
      session.select(
        FrameRect(
          center: selection.center, width: max(1, (width * scale).rounded(.down)),
          height: max(1, (height * scale).rounded(.down))))
    }
  }

  /// Lets the ratio and the size of the result turn with the picture, or stay, as is chosen.
  private mutating func turnRatio() {
    switch edit.ratio {
    case .free: break
    // The frame's own ratio turns by itself.
    case .original: if keepsRatio { edit.ratio = edit.ratio.swapped }
    case .fixed: if !keepsRatio { edit.ratio = edit.ratio.swapped }
    }
    if !keepsRatio { edit.output = edit.output?.swapped }
  }

  mutating func tilt(to angle: Angle, _ phase: TiltPhase) {
    if phase != .ended || angle != edit.tilt {
      let hasMagnet = phase != .once
      // The last change of a drag belongs to it.
      setTilt(
        Self.steppedTilt(angle, hasMagnet: hasMagnet), kind: .tilt(hasMagnet ? .dragging : .once))
    }
    hold(phase == .dragging)
    if phase == .ended { history.separate() }
  }

  /// A tilt within ±45°, on the step, and zero where the magnet holds it.
  static func steppedTilt(_ angle: Angle, hasMagnet: Bool) -> Angle {
    let largest = CropRecipe.largestTilt.degrees
    let degrees = min(max(angle.degrees, -largest), largest)
    if hasMagnet, abs(degrees) < Interaction.tiltMagnet { return .zero }
    // Divided by ten and not multiplied by a tenth: the nearest number to what a person reads.
    let steps = (degrees / Interaction.tiltStep).rounded(.toNearestOrAwayFromZero)
    return Angle(degrees: steps / 10 + 0)
  }

  /// Tilts the picture; what the selection shows keeps its middle and shrinks as much as it must.
  mutating func setTilt(_ angle: Angle, kind: History.Kind) {
    let angle = Self.steppedTilt(angle, hasMagnet: false)
    guard angle != edit.tilt else { return }
    guard TiltedPicture(frame: self.frame, tilt: angle).hasRoom else {
      changes.insert(.refused)
      return announce(.limit)
    }
    let before = edit
    let frame = restingFrame
    let shown = ShownMiddle(self)
    rememberIntent()
    edit.tilt = angle
    reselect()
    if style == .marquee {
      relaid(from: shown)
    } else if let frame, let selection = edit.selection {
      viewport = viewport(of: selection, in: frame)
      keepRest(frame, raw: viewport)
    }
    motion = nil
    history.record(before, kind: kind, at: now)
    announce(.tilt(angle))
  }

  /// Remembers what the person chose by hand, if the selection is not already derived from it.
  private mutating func rememberIntent() {
    guard let selection = edit.selection else { return intent = nil }
    if let intent, intent.result == selection { return }
    intent = Intent(
      center: picture.turnedBack(selection.center), width: selection.width,
      height: selection.height, result: selection)
  }

  /// Derives the selection from the intent under the present ratio and tilt.
  mutating func reselect() {
    guard edit.selection != nil else { return }
    if intent == nil || intent?.result != edit.selection { rememberIntent() }
    guard var intent else { return }
    let center = picture.turned(intent.center)
    var rect = FrameRect(center: center, width: intent.width, height: intent.height)
    if let wanted = ratioToKeep, !wanted.matches(PixelLengths(rect)) {
      rect = wanted.fitted(in: rect)
    }
    let scale = min(
      1, picture.largestScale(width: rect.width, height: rect.height, about: center))
    if scale < 1 {
      // Whole pixels are counted inwards here: outwards there is no room.
      rect = FrameRect(
        center: center, width: max(1, (rect.width * scale).rounded(.down)),
        height: max(1, (rect.height * scale).rounded(.down)))
    }
    select(rules.onGrain(rect))
    intent.result = edit.selection ?? rect
    self.intent = intent
  }
}

extension OutputSize {
  /// Whether both sides are given.
  fileprivate var isExact: Bool {
    if case .exact = self { return true }
    return false
  }

  /// Width and height exchanged.
  fileprivate var swapped: Self {
    if case .exact(let width, let height) = self { return .exact(width: height, height: width) }
    return self
  }
}

extension Intent {
  /// The same wish on a picture laid down in another way.
  fileprivate func laid(by map: OrientationMap<FrameSpace, FrameSpace>) -> Self {
    let turns = map.orientation.isTransposing
    return Intent(
      center: map(center), width: turns ? height : width, height: turns ? width : height,
      result: map(result))
  }
}
