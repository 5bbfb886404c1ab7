import CropCore

// The crops of targets, for previews that follow a focus. They are no part of the session.

/// The crop of a target on a picture of so many upright pixels that is laid down in this way: its rectangle,
/// whether it cuts the focus, and the map from upright pixels to its own; nothing for what can't be. The focus
/// is in fractions of the upright picture; a negative width stands for none. The last four are the crop that was
/// made by hand; without a width it follows from the focus.
@_expose(wasm, "ck_target") @_cdecl("ck_target")
public func target(
  width: Double, height: Double, turns: Int32, mirrored: Int32, tilt: Double, x: Double, y: Double,
  focusWidth: Double, focusHeight: Double, across: Double, down: Double, left: Double, top: Double,
  cropWidth: Double, cropHeight: Double
) -> UnsafePointer<Double> {
  output.start()
  let focus = FocusBox(x: x, y: y, width: focusWidth, height: focusHeight)
  if let width = Int(exactly: width), let height = Int(exactly: height),
    let ratio = AspectRatio(rounding: across, down), focus != nil || focusWidth < 0
  {
    let laying = TargetDocument.Laying(
      orientation: Orientation(isMirrored: mirrored != 0, quarterTurns: Int(turns)),
      tilt: Angle(degrees: tilt))
    let made = FrameRect(x: left, y: top, width: cropWidth, height: cropHeight)
    let image = ImageSize(width: width, height: height)
    if let crop = DerivedCrop(
      ratio, of: image, laying, focus: focus, made: cropWidth > 0 ? made : nil),
      let resolved = try? CropRecipe(
        rect: crop.rect, quarterTurns: Int(turns), isMirrored: mirrored != 0, tilt: laying.tilt
      ).resolved(for: image)
    {
      output.append(crop.rect)
      output.append(crop.cutsFocus)
      output.append(resolved.drawing.map)
    }
  }
  return output.finish()
}
