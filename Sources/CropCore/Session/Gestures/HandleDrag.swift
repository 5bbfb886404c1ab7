extension CropHandle {
  /// The handle of a drawn rectangle that is nearest to the pointer: this one, or the opposite one
  /// if sides have crossed.
  func crossed(on drawn: FrameRect, towards target: FramePoint) -> CropHandle {
    CropHandle(
      x: x == 0.5 ? 0.5 : target.x == drawn.midX ? x : target.x > drawn.midX ? 1 : 0,
      y: y == 0.5 ? 0.5 : target.y == drawn.midY ? y : target.y > drawn.midY ? 1 : 0)
  }
}

/// The rectangle that a drag of a handle draws, before it is quantized.
///
///     anchor ●──────────┐
///            │          │    The anchor stays; the handle follows the pointer. Past the anchor
///            └──────────● handle   the rectangle turns over, where that is allowed.
struct HandleDrag {
  /// The handle that follows the pointer.
  var handle: CropHandle
  /// The selection when the drag started.
  var start: FrameRect
  /// The ratio to keep, if any.
  var ratio: AspectRatio?
  /// Whether the center stays fixed instead of the opposite edge.
  var isCentered: Bool
  /// Whether the handle may pass the anchor.
  var mayCross: Bool
  /// The image, which must contain the rectangle.
  var picture: TiltedPicture

  /// The rectangle for a handle at `target`, and the anchor that stayed fixed.
  func rect(at target: FramePoint) -> (FrameRect, CropAnchor) {
    var across = side(
      handle.x, from: start.minX, length: start.width, to: target.x, side: picture.frame.width)
    var down = side(
      handle.y, from: start.minY, length: start.height, to: target.y, side: picture.frame.height)
    if let ratio { keep(ratio, &across, &down) }
    if picture.tilt.degrees != 0 { pullBack(&across, &down) }
    let rect = FrameRect(
      x: across.lower, y: down.lower, width: across.length, height: down.length)
    return (rect, CropAnchor(x: across.anchor, y: down.anchor))
  }

  /// One side of the rectangle during the computation.
  private struct Side {
    /// The fixed coordinate.
    var fixed: Double
    /// The position of the fixed coordinate as a fraction of the side: 0, 0.5 or 1.
    var anchor: Double
    var length: Double
    /// The longest length inside the untilted image, with `fixed` in place.
    var longest: Double

    var lower: Double { fixed - anchor * length }
  }

  private func side(
    _ handle: Double, from lower: Double, length: Double, to target: Double, side: Int
  ) -> Side {
    let side = Double(side)
    let isUntilted = picture.tilt.degrees == 0
    if handle == 0.5 {
      // The handle does not move this side: its middle stays, and it may slide when a ratio widens
      // it.
      return Side(fixed: lower + length / 2, anchor: 0.5, length: length, longest: side)
    }
    if isCentered {
      let middle = lower + length / 2
      var reach = handle == 1 ? target - middle : middle - target
      reach = mayCross ? abs(reach) : max(reach, 0)
      let longest = isUntilted ? max(0, 2 * min(middle, side - middle)) : .infinity
      return Side(fixed: middle, anchor: 0.5, length: min(2 * reach, longest), longest: longest)
    }
    let fixed = handle == 1 ? lower : lower + length
    let isBeyond = handle == 1 ? target < fixed : target > fixed
    let crosses = isBeyond && mayCross
    let anchor = (handle == 1) != crosses ? 0.0 : 1.0
    let reach = isBeyond && !mayCross ? 0 : abs(target - fixed)
    // The fixed side may be outside the image by a rounding error.
    let longest = isUntilted ? max(0, anchor == 0 ? side - fixed : fixed) : .infinity
    return Side(fixed: fixed, anchor: anchor, length: min(reach, longest), longest: longest)
  }

  /// Makes the sides keep a ratio: the side that is pulled further determines the size, as far as
  /// the image allows.
  private func keep(_ ratio: AspectRatio, _ across: inout Side, _ down: inout Side) {
    let value = ratio.value
    var width =
      switch (handle.x, handle.y) {
      case (0.5, _): down.length * value
      case (_, 0.5): across.length
      default: max(across.length, down.length * value)
      }
    width = min(width, across.longest, down.longest * value)
    across.length = width
    down.length = width / value
    guard picture.tilt.degrees == 0 else { return }
    // The side across an edge handle slides to stay inside; with its middle fixed, it can't get too
    // long.
    if handle.x == 0.5 { slide(&across, within: Double(picture.frame.width)) }
    if handle.y == 0.5 { slide(&down, within: Double(picture.frame.height)) }
  }

  /// Under a tilt, shortens the sides that follow the pointer until no corner is blank: first both
  /// together, then each separately. Other sides do not change.
  private func pullBack(_ across: inout Side, _ down: inout Side) {
    let (fixedX, fixedY) = (across.fixed, down.fixed)
    let (anchorX, anchorY) = (across.anchor, down.anchor)
    func rect(_ width: Double, _ height: Double) -> FrameRect {
      FrameRect(
        x: fixedX - anchorX * width, y: fixedY - anchorY * height, width: width, height: height)
    }
    let wanted = rect(across.length, down.length)
    guard !picture.contains(wanted) else { return }
    // Rounds to whole pixels inwards, since there is no space outwards.
    if let ratio {
      let step = ratio.isExact ? Double(ratio.width) : 1
      let most = picture.last(from: rect(0, 0), to: wanted).width
      across.length = max(1, (most / step).rounded(.down)) * step
      down.length = across.length / ratio.value
      return
    }
    var most = rect(min(start.width, wanted.width), min(start.height, wanted.height))
    if !picture.contains(most) {
      // The pointer crossed the opposite edge: start from an empty rectangle there.
      most = rect(handle.x == 0.5 ? wanted.width : 0, handle.y == 0.5 ? wanted.height : 0)
    }
    func reach(_ width: Double, _ height: Double) {
      let last = picture.last(from: most, to: rect(width, height))
      most = rect(last.width.rounded(.down), last.height.rounded(.down))
    }
    reach(wanted.width, wanted.height)
    reach(wanted.width, most.height)
    reach(most.width, wanted.height)
    (across.length, down.length) = (most.width, most.height)
  }

  private func slide(_ side: inout Side, within length: Double) {
    side.fixed = min(max(side.fixed, side.length / 2), length - side.length / 2)
  }
}
