/// Changes of the selection.
extension Document {
  /// Selects a drawn rectangle, quantized.
  mutating func select(_ rect: FrameRect, anchor: CropAnchor = .center) {
    edit.selection = rules.quantized(rect, anchor: anchor).rect
    if settings.style == .quad { edit.setQuad(edit.selection.map { Quad($0) }) }
  }

  /// Selects a drawn rectangle with another ratio to keep, or none.
  mutating func select(_ rect: FrameRect, anchor: CropAnchor, ratio: AspectRatio?) {
    var rules = rules
    rules.ratio = ratio
    edit.selection = rules.quantized(rect, anchor: anchor).rect
  }

  /// Selects the largest rectangle of the ratio.
  mutating func selectLargest() {
    let whole = picture.largestCentered
    select(rules.ratio?.fitted(in: whole) ?? whole)
  }

  /// Selects the complete image, as far as the rules allow.
  mutating func selectAll() {
    selectLargest()
    alignToGrid()
  }

  /// Moves the selection by less than a block to a position where its crop of a JPEG is lossless.
  mutating func alignToGrid() {
    edit.selection = edit.selection.map { onGrid($0, of: edit) }
  }

  /// Selects what is visible inside a crop frame.
  ///
  /// - Parameter start: the selection before, whose size is kept to the pixel while only panning.
  mutating func select(visible: FrameRect, keeping start: FrameRect?) {
    if let start {
      let corner = FramePoint(
        x: visible.midX - start.width / 2, y: visible.midY - start.height / 2)
      edit.selection = rules.moved(start, to: corner)
      return
    }
    var drawn = visible
    if fitsWidth, visible.height > Double(frame.height) {
      // The image doesn't fill the viewfinder's height: select the largest rectangle of the ratio
      // that it covers.
      let scale = Double(frame.height) / visible.height
      drawn = FrameRect(
        center: FramePoint(x: visible.midX, y: Double(frame.height) / 2),
        width: visible.width * scale, height: Double(frame.height))
    }
    edit.selection = rules.quantized(drawn).rect
  }

  /// Whether the image only has to be as wide as the viewfinder's frame.
  var fitsWidth: Bool {
    settings.style == .viewfinder && settings.cover == .fit && edit.tilt.degrees == 0
  }

  /// Moves the four corners to those of a sheet on the upright image. A ratio or size that the user
  /// has chosen stays; otherwise the result gets the sheet's ratio.
  mutating func setSheet(_ sheet: Quad, on image: ImageSize) {
    let upright = FrameSize(width: image.width, height: image.height)
    let quad = sheet.oriented(edit.orientation, of: upright).onGrid
    edit.setQuad(quad)
    intent = nil
    if edit.ratio != .free || edit.output?.isExact ?? false { return }
    guard quad.sheetRatio(in: frame) != nil else { return }
    edit.ratio = quad.paperRatio(in: frame).map { .fixed($0) } ?? .original(isSwapped: false)
  }

  /// Moves the selection to the center of the image.
  mutating func center() {
    guard let selection = edit.selection else { return }
    let corner = FramePoint(
      x: picture.center.x - selection.width / 2, y: picture.center.y - selection.height / 2)
    if let quad = edit.quad {
      edit.setQuad(quad.moved(by: corner - selection.origin, in: frame))
    } else {
      edit.selection = rules.moved(selection, to: corner)
    }
  }

  /// Moves the selection in a straight line towards a position, as far as the image allows.
  mutating func slide(to origin: FramePoint) {
    guard var selection = edit.selection else { return }
    if let quad = edit.quad {
      return edit.setQuad(quad.moved(by: origin - selection.origin, in: frame))
    }
    let rules = rules
    var target = selection
    (target.x, target.y) = (origin.x, origin.y)
    let last = rules.bounds.last(from: selection, to: rules.onGrain(target))
    selection.x += rules.onGrain(last.x - selection.x, .towardZero)
    selection.y += rules.onGrain(last.y - selection.y, .towardZero)
    edit.selection = selection
  }

  /// Sets one number of the selection; four corners have no width and height to set.
  mutating func set(_ field: SelectionField, to value: Double) {
    guard let selection = edit.selection else { return }
    let ratio = rules.ratio?.value
    var rect = selection
    switch field {
    case .x: return slide(to: FramePoint(x: value, y: selection.y))
    case .y: return slide(to: FramePoint(x: selection.x, y: value))
    case .width:
      rect.width = max(1, value)
      if let ratio { rect.height = rect.width / ratio }
    case .height:
      rect.height = max(1, value)
      if let ratio { rect.width = rect.height * ratio }
    }
    let handle: CropHandle = ratio != nil ? .bottomRight : field == .width ? .right : .bottom
    let (drawn, anchor) = pulled(handle, of: selection, to: rect.point(handle))
    select(drawn, anchor: anchor)
  }

  /// Moves a handle by whole pixels.
  mutating func resize(_ handle: CropHandle, by vector: FrameVector) {
    guard let selection = edit.selection else { return }
    if let quad = edit.quad { return edit.setQuad(quad.dragged(handle, by: vector, in: frame)) }
    let vector = rules.ratio?.step(vector, of: handle, on: PixelLengths(selection)) ?? vector
    var (rect, anchor) = pulled(handle, of: selection, to: selection.point(handle) + vector)
    if rules.ratio?.isExact ?? false {
      // An odd change about the center is rounded outward when growing and inward when shrinking,
      // so that undoing it restores the position.
      let rounding: FloatingPointRoundingRule = rect.width > selection.width ? .down : .up
      if anchor.x == 0.5 { rect.x = rules.onGrain(rect.x, rounding) }
      if anchor.y == 0.5 { rect.y = rules.onGrain(rect.y, rounding) }
    }
    select(rect, anchor: anchor)
  }

  /// The rectangle drawn when a handle of the selection is moved to a point.
  private func pulled(_ handle: CropHandle, of selection: FrameRect, to point: FramePoint)
    -> (FrameRect, CropAnchor)
  {
    HandleDrag(
      handle: handle, start: selection, ratio: rules.ratio, isCentered: false, mayCross: false,
      picture: picture
    ).rect(at: point)
  }
}

extension AspectRatio {
  /// The largest rectangle of this ratio that is centered inside `rect`.
  func fitted(in rect: FrameRect) -> FrameRect {
    let width = min(rect.width, rect.height * value)
    return FrameRect(center: rect.center, width: width, height: width / value)
  }

  /// A handle move by whole pixels, adjusted so that both sides keep the ratio: by at least the
  /// ratio's terms if it is exact, outward or inward as requested.
  fileprivate func step(_ vector: FrameVector, of handle: CropHandle, on size: PixelLengths)
    -> FrameVector
  {
    let (signX, signY) = (2 * handle.x - 1, 2 * handle.y - 1)
    let (across, down) = (vector.dx * signX, vector.dy * signY)
    let isAcross = abs(across) >= abs(down)
    let wanted = isAcross ? across : down
    guard wanted != 0 else { return .zero }
    var width = wanted * (isAcross ? 1 : value)
    var height = width / value
    if isExact {
      let term = Double(isAcross ? self.width : self.height)
      let count = max(1, (abs(wanted) / term).rounded(.toNearestOrAwayFromZero))
      let least = 1 - size.width / Double(self.width)
      width = Double(self.width) * max(wanted < 0 ? -count : count, least)
      height = Double(self.height) * max(wanted < 0 ? -count : count, least)
    }
    return FrameVector(dx: width * signX, dy: height * signY)
  }
}
