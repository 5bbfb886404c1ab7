extension CropArea {
  /// The rectangle on an upright image under `transform`, in frame pixels.
  ///
  /// If there is a `focus`, a ratio or size is positioned by it and not by its gravity: as near to
  /// the center of the focus as possible, a ratio as described at ``DerivedCrop``. If the image is
  /// stored in a `jpeg` and has no tilt, the rectangle is aligned to the block grid, as
  /// ``rect(in:on:)`` describes. The result is not checked: ``CropRecipe/resolved(for:)`` does
  /// that.
  ///
  /// A `part`, in whole frame pixels of an image without a tilt, replaces the image: the rectangle
  /// lies in it, and only the part of the focus nearest to it counts.
  public func rect(
    of image: ImageSize, _ transform: PictureTransform, focus: FocusBox? = nil,
    jpeg: StoredJPEG? = nil, inside part: FrameRect? = nil
  ) -> FrameRect {
    let frame = OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image).target
    let picture = TiltedPicture(frame: frame, tilt: transform.tilt)
    let grid = jpeg.map { FrameGrid($0, orientation: transform.orientation) }
    let kept = focus?.bounds(in: picture, of: image, transform.orientation)
    guard let part else { return rect(in: picture, around: kept, on: grid) }
    let left = TiltedPicture(
      frame: FrameSize(width: Int(part.width), height: Int(part.height)), tilt: .zero)
    let near = kept?.cut(to: part).offset(by: FrameVector(dx: -part.x, dy: -part.y))
    return rect(in: left, around: near, on: grid?.inside(part))
      .offset(by: FrameVector(dx: part.x, dy: part.y))
  }

  private func rect(
    in picture: TiltedPicture, around focus: FrameRect?, on grid: FrameGrid?
  ) -> FrameRect {
    guard let focus else { return rect(in: picture, on: grid) }
    switch self {
    case .ratio(let ratio, _):
      return DerivedCrop(ratio, of: picture, focus: focus, on: grid).rect
    case .sized(let width, let height, _):
      return Self.placed(
        Self.size(width, height, in: picture), in: picture, around: focus, on: grid)
    case .rectangle, .inset:
      return rect(in: picture)
    }
  }

  /// The rectangle of the given size whose center is nearest to that of `focus`. If any rectangle
  /// of this size contains the focus, this one does.
  private static func placed(
    _ size: (width: Double, height: Double), in picture: TiltedPicture, around focus: FrameRect,
    on grid: FrameGrid?
  ) -> FrameRect {
    let frame = picture.frame
    func start(_ middle: Double, _ length: Double, _ side: Int) -> Double {
      min(max((middle - length / 2).rounded(.down), 0), max(0, Double(side) - length))
    }
    let rect = FrameRect(
      x: start(focus.center.x, size.width, frame.width),
      y: start(focus.center.y, size.height, frame.height), width: size.width, height: size.height)
    // A size that does not fit is rejected with the recipe.
    guard picture.largestScale(width: size.width, height: size.height) >= 1 else { return rect }
    if picture.tilt.degrees != 0 {
      guard !picture.contains(rect) else { return rect }
      return SelectionRules(bounds: picture, ratio: nil).moved(rect, to: rect.origin)
    }
    guard let moved = grid?.nearest(to: rect) else { return rect }
    return DerivedCrop.cuts(focus, moved) && !DerivedCrop.cuts(focus, rect) ? rect : moved
  }
}
