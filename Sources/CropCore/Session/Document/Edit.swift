/// The edits of an image, which the history stores.
struct Edit: Hashable, Sendable {
  /// The mirror and quarter turns.
  var orientation: Orientation = .up
  var tilt: CropAngle = .zero
  /// The selected part of the frame, quantized; nil without a selection.
  var selection: FrameRect?
  /// The four corners to straighten, in the style that has them; `selection` is then the smallest
  /// rectangle of whole pixels around them.
  var quad: Quad?
  var ratio: RatioChoice = .free
  /// Whether the result of four corners has a fixed ratio in the other format than the sheet.
  var opposesSheet = false
  var shape: CropShape = .rectangle
  /// The requested size of the result; nil for the selection's.
  var output: OutputSize?
  /// The canvas around the result.
  var canvas: FilledCanvas?

  /// The values that a style or a limit may display differently.
  struct Made: Hashable, Sendable {
    var selection: FrameRect?
    var quad: Quad?
    var tilt: CropAngle
  }

  var made: Made {
    get { Made(selection: selection, quad: quad, tilt: tilt) }
    set { (selection, quad, tilt) = (newValue.selection, newValue.quad, newValue.tilt) }
  }
}

extension Edit {
  /// Selects the area between four corners.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func setQuad(_ quad: Quad?) {
    self.quad = quad
    selection = quad?.pixelBounds
  }

  /// The position of a handle of the selection on the frame.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func point(of handle: CropHandle, on selection: FrameRect) -> FramePoint {
    quad?.point(handle) ?? selection.point(handle)
  }

  /// The edit with four corners: its own, otherwise those of its selection and tilt, otherwise
  /// those of the image.
  func withQuad(on picture: TiltedPicture) -> Self {
    guard !picture.frame.isEmpty else { return self }
    var edit = self
    let frame = picture.frame
    if edit.quad?.fault(in: frame) != nil || edit.quad == nil {
      let rect = selection ?? frame.bounds
      var corners = Quad(rect)
      if selection != nil, tilt.degrees != 0 {
        corners = corners.map(picture.turnedBack).kept(in: frame).onGrid
        // A quad as small as a pixel may have edges shorter than one after a turn.
        if corners.fault(in: frame) != nil {
          corners = Quad(corners.pixelBounds.moved(inside: frame.bounds).cut(to: frame.bounds))
        }
      }
      edit.quad = corners.fault(in: frame) == nil ? corners : Quad(frame.bounds)
    }
    edit.tilt = .zero
    edit.selection = edit.quad?.pixelBounds
    return edit
  }
}

/// The user's last choice. Changes of ratio and tilt start from it and not from each other's
/// results, so that changing back restores the original selection.
struct Intent: Hashable, Sendable {
  /// The center, on the image before its tilt.
  var center: FramePoint
  /// The width, in frame pixels.
  var width: Double
  /// The height, in frame pixels.
  var height: Double
  /// The selection that was last derived from it; any other selection invalidates the intent.
  var result: FrameRect
}

extension Intent {
  /// The same size on an image that was turned or mirrored.
  func oriented(by map: OrientationMap<FrameSpace, FrameSpace>) -> Self {
    let turns = map.orientation.isTransposing
    return Intent(
      center: map(center), width: turns ? height : width, height: turns ? width : height,
      result: map(result))
  }
}
