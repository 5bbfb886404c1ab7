import CropCore

// The crops of targets, for previews that follow a focus. They are no part of the session.

/// The crop that a target has without one made by hand, on a picture of so many upright pixels that is laid
/// down in this way: its rectangle, and whether it cuts the focus; nothing for what can't be. The focus is in
/// fractions of the upright picture; a negative width stands for none.
@_expose(wasm, "ck_target") @_cdecl("ck_target")
public func target(
  width: Double, height: Double, turns: Int32, mirrored: Int32, tilt: Double, x: Double, y: Double,
  focusWidth: Double, focusHeight: Double, across: Double, down: Double
) -> UnsafePointer<Double> {
  output.start()
  if let width = Int(exactly: width), let height = Int(exactly: height),
    let ratio = AspectRatio(rounding: across, down)
  {
    let laying = TargetDocument.Laying(
      orientation: Orientation(isMirrored: mirrored != 0, quarterTurns: Int(turns)),
      tilt: Angle(degrees: tilt))
    let focus = FocusBox(x: x, y: y, width: focusWidth, height: focusHeight)
    let image = ImageSize(width: width, height: height)
    if focus != nil || focusWidth < 0,
      let crop = DerivedCrop(ratio, of: image, laying, focus: focus)
    {
      output.append(crop.rect)
      output.append(crop.cutsFocus)
    }
  }
  return output.finish()
}
