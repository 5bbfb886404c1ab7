/// Turns, mirrors, tilt and ratio. The displayed image changes and the same part stays selected.
extension Document {
  /// Turns or mirrors the displayed image.
  mutating func orient(by next: Orientation) {
    let map = OrientationMap<FrameSpace, FrameSpace>(next, of: frame)
    intent = intent?.result == edit.selection ? intent?.oriented(by: map) : nil
    edit.quad = edit.quad?.oriented(next, of: frame)
    edit.selection = edit.selection.map { map($0) }
    edit.orientation = edit.orientation.followed(by: next)
    if next.isMirrored { edit.tilt = CropAngle(degrees: -edit.tilt.degrees + 0) }
    if next.isTransposing { turnRatio() }
    guard edit.quad == nil, let selection = edit.selection else { return }
    // The same area stays selected, as far as a ratio or limit that did not turn allows.
    if let ratio = ratioToKeep, !ratio.matches(PixelLengths(selection)) {
      reselect()
    } else if !rules.allowsSize(of: selection) {
      select(selection)
    }
  }

  /// Turns the ratio and the size of the result with the image, unless the user has chosen that
  /// they stay.
  private mutating func turnRatio() {
    switch edit.ratio {
    case .free: break
    // The ratio of the original turns with it.
    case .original: if settings.keepsRatio { edit.ratio = edit.ratio.swapped }
    case .fixed: if !settings.keepsRatio { edit.ratio = edit.ratio.swapped }
    }
    if !settings.keepsRatio { edit.output = edit.output?.swapped }
  }

  /// Whether the image can have a tilt in an orientation. In quad style, the corners straighten
  /// the image.
  func allowsTilt(_ tilt: CropAngle, in orientation: Orientation) -> Bool {
    guard let image, abs(tilt.degrees) <= CropRecipe.largestTilt.degrees,
      settings.style != .quad || tilt.degrees == 0
    else { return false }
    let frame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).target
    return TiltedPicture(frame: frame, tilt: tilt).hasRoom
  }

  /// Tilts the image. The selection keeps its center on the image and shrinks only as much as
  /// necessary.
  mutating func tilt(to angle: CropAngle) {
    rememberIntent()
    edit.tilt = angle
    reselect()
  }

  mutating func setRatio(_ ratio: RatioChoice, output: OutputSize?) {
    edit.ratio = ratio
    edit.opposesSheet = false
    if output != nil || edit.output?.isExact ?? false { edit.output = output }
    // A free ratio leaves the selection unchanged.
    if ratioToKeep == nil {
      intent = nil
    } else {
      reselect(isChosen: true)
    }
  }

  /// Exchanges width and height of a selection with a free ratio, as large as fits into the image.
  mutating func swapSides() {
    guard let selection = edit.selection else { return }
    let (width, height) = (selection.height, selection.width)
    let scale = min(1, picture.largestScale(width: width, height: height))
    select(
      FrameRect(
        center: selection.center, width: max(1, (width * scale).rounded(.down)),
        height: max(1, (height * scale).rounded(.down))))
    alignToGrid()
  }

  /// Stores the user's intent, unless the selection is already derived from it.
  private mutating func rememberIntent() {
    guard let selection = edit.selection else { return intent = nil }
    if let intent, intent.result == selection { return }
    intent = Intent(
      center: picture.turnedBack(selection.center), width: selection.width,
      height: selection.height, result: selection)
  }

  /// Derives the selection from the intent with the current ratio and tilt. If a new ratio
  /// `isChosen`, the selection is aligned to the JPEG's grid.
  mutating func reselect(isChosen: Bool = false) {
    guard edit.selection != nil else { return }
    rememberIntent()
    guard let intent else { return }
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
    if isOnGrid { alignToGrid() }
    self.intent?.result = edit.selection ?? rect
  }
}

extension OutputSize {
  /// Whether the size has both sides.
  var isExact: Bool {
    if case .exact = self { return true }
    return false
  }

  /// The size with width and height exchanged.
  var swapped: Self {
    if case .exact(let width, let height) = self { return .exact(width: height, height: width) }
    return self
  }
}
