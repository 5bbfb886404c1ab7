extension ResolvedCrop {
  /// The part of the frame that the result is computed from: the rectangle; under a tilt, the area
  /// that it covers when turned back; for four corners, the area between them. The last two include
  /// a margin for the resampling kernel.
  public var neededPart: PixelRect<FrameSpace> {
    if let area = sampledArea {
      let box = area.rect.cut(to: frame.bounds)
      return PixelRect(columns: (box.minX, box.maxX), rows: (box.minY, box.maxY), of: frame)
    }
    if let rect = PixelRect(exactly: rect), tilt.degrees == 0 { return rect }
    let picture = TiltedPicture(frame: frame, tilt: tilt)
    let corners = [
      FramePoint(x: rect.minX, y: rect.minY), FramePoint(x: rect.maxX, y: rect.minY),
      FramePoint(x: rect.minX, y: rect.maxY), FramePoint(x: rect.maxX, y: rect.maxY),
    ].map(picture.turnedBack)
    let (xs, ys) = (corners.map { $0.x }, corners.map { $0.y })
    let margin = Double(Self.kernelMargin)
    return PixelRect(
      columns: ((xs.min() ?? 0) - margin, (xs.max() ?? 0) + margin),
      rows: ((ys.min() ?? 0) - margin, (ys.max() ?? 0) + margin), of: frame)
  }

  /// The part of the upright image, before mirror and turns, that the result is computed from.
  public var neededImagePart: ImageRect {
    OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(neededPart)
  }

  /// The reach of the bicubic kernel, in samples, plus an allowance.
  fileprivate static var kernelMargin: Int { 4 }

  /// The side of the square of frame pixels that is averaged to one sample before four corners are
  /// straightened: 1 unless the result is less than half the size in both directions.
  ///
  /// The squares are adjacent, in ``sampledArea``.
  public var shrink: Int { quad?.shrink(to: output) ?? 1 }

  /// The pixels that four corners are straightened from: those around them with a margin for the
  /// kernel, in whole squares of ``shrink``; nil if `rect` is cut. Beyond the image, its edge
  /// pixels are repeated.
  public var sampledArea: PixelRect<FrameSpace>? { quad?.sampledArea(shrink: shrink) }

  /// Maps points of the result to the frame; nil if `rect` is cut.
  ///
  /// A pixel of the result is the image's sample at the position that its center is mapped to.
  public var homography: Homography<ResultSpace, FrameSpace>? {
    quad.map {
      Homography(from: PixelSize(width: output.width, height: output.height), to: $0)
    }
  }
}

extension Quad {
  /// The value of ``ResolvedCrop/shrink`` for a result of this size.
  package func shrink(to output: FrameSize) -> Int {
    let part = size
    return max(1, min(part.width / output.width, part.height / output.height))
  }

  /// The value of ``ResolvedCrop/sampledArea``.
  package func sampledArea(shrink grain: Int) -> PixelRect<FrameSpace> {
    let box = bounds
    let margin = ResolvedCrop.kernelMargin * grain
    let (x, y) = (Int(box.minX.rounded(.down)) - margin, Int(box.minY.rounded(.down)) - margin)
    func whole(_ length: Double) -> Int {
      (Int(length.rounded(.up)) + margin + grain - 1) / grain * grain
    }
    return PixelRect(
      x: x, y: y, width: whole(box.maxX - Double(x)), height: whole(box.maxY - Double(y)))
  }
}

extension PixelRect where Space == FrameSpace {
  /// The pixels between two columns and two rows, clipped to the frame; at least one.
  fileprivate init(columns: (Double, Double), rows: (Double, Double), of frame: FrameSize) {
    func range(_ ends: (Double, Double), upTo limit: Int) -> (start: Int, count: Int) {
      let lowest = Int(ends.0.rounded(.down))
      let highest = Int(ends.1.rounded(.up))
      let start = min(max(lowest, 0), limit - 1)
      return (start, max(min(highest, limit), start + 1) - start)
    }
    let (across, down) = (range(columns, upTo: frame.width), range(rows, upTo: frame.height))
    self.init(x: across.start, y: down.start, width: across.count, height: down.count)
  }
}
