extension ResolvedCrop {
  /// The part of the frame that the result is made of: the rectangle itself, under a tilt what it
  /// covers when turned back, of four corners what lies between them, and a margin for the kernel.
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

  /// The same on the upright picture, before mirror and turns.
  public var neededImagePart: ImageRect {
    OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(neededPart)
  }

  /// How far the bicubic kernel reaches, in samples, and some room.
  private static var kernelMargin: Int { 4 }

  /// How many pixels of the frame each way are averaged to one sample before four corners are straightened:
  /// 1 unless the result is smaller than half of what lies between them, in both directions.
  ///
  /// The squares that are averaged lie side by side in ``sampledArea``.
  public var shrink: Int {
    guard quad != nil else { return 1 }
    let part = rectSize
    return max(1, min(part.width / output.width, part.height / output.height))
  }

  /// The pixels from which four corners are straightened: those around them with a margin for the kernel,
  /// whole squares of ``shrink``; nil where `rect` is cut. Beyond the picture its edge pixels go on.
  public var sampledArea: PixelRect<FrameSpace>? {
    guard let box = quad?.bounds else { return nil }
    let grain = shrink
    let margin = Self.kernelMargin * grain
    let (x, y) = (Int(box.minX.rounded(.down)) - margin, Int(box.minY.rounded(.down)) - margin)
    func whole(_ length: Double) -> Int {
      (Int(length.rounded(.up)) + margin + grain - 1) / grain * grain
    }
    return PixelRect(
      x: x, y: y, width: whole(box.maxX - Double(x)), height: whole(box.maxY - Double(y)))
  }

  /// Where each point of the result lies on the frame; nil where `rect` is cut.
  ///
  /// A pixel of the result is the picture's sample under its centre.
  public var homography: Homography<ResultSpace, FrameSpace>? {
    quad.map {
      Homography(from: PixelSize(width: output.width, height: output.height), to: $0)
    }
  }
}

extension PixelRect where Space == FrameSpace {
  /// The pixels between two columns and two rows, as far as the frame goes; at least one.
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
