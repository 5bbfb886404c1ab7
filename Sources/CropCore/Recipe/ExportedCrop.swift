/// A crop as conditions and numbers, from which the text for other programs is made.
/// `Web/exporters.json` defines both.
public struct ExportedCrop {
  private let crop: ResolvedCrop
  private let stored: Orientation
  /// The part of the upright image, in pixels; NaN under a tilt and for four corners.
  private let part: CropRect<ImageSpace>
  /// The focus, in pixels; the part if there is no focus.
  private let focus: CropRect<ImageSpace>
  /// The part of the focus that is inside the crop, as shares of the crop; nil for none.
  private let kept: CropRect<ImageSpace>?
  /// The part's ratio; nil if it has large terms.
  private let ratio: AspectRatio?

  /// A crop of an image whose file has the EXIF orientation `stored`.
  ///
  /// - Parameters:
  ///   - crop: the crop.
  ///   - stored: the EXIF orientation.
  ///   - box: the part that should stay visible, for systems that crop further.
  public init(_ crop: ResolvedCrop, stored: Orientation, focus box: FocusBox? = nil) {
    (self.crop, self.stored) = (crop, stored)
    let pixels = crop.imageRect
    let part = pixels?.rect ?? CropRect(x: .nan, y: .nan, width: .nan, height: .nan)
    let (across, down) = (Double(crop.image.width), Double(crop.image.height))
    let focus = box.map {
      CropRect<ImageSpace>(
        x: $0.x * across, y: $0.y * down, width: $0.width * across, height: $0.height * down)
    }
    self.part = part
    self.focus = focus ?? part
    kept = focus.flatMap { Self.share(of: part, in: $0) }
    let ratio = pixels.flatMap { AspectRatio($0.width, $0.height) }
    self.ratio = ratio?.isExact == true ? ratio : nil
  }

  /// The part of `focus` that is inside `part`, as shares of `part`.
  private static func share(
    of part: CropRect<ImageSpace>, in focus: CropRect<ImageSpace>
  ) -> CropRect<ImageSpace>? {
    let (left, top) = (max(focus.minX, part.minX), max(focus.minY, part.minY))
    let (right, bottom) = (min(focus.maxX, part.maxX), min(focus.maxY, part.maxY))
    guard left <= right, top <= bottom else { return nil }
    return CropRect(
      x: (left - part.minX) / part.width, y: (top - part.minY) / part.height,
      width: (right - left) / part.width, height: (bottom - top) / part.height)
  }

  /// The conditions that are true, as a bit mask of ``ExportCondition`` values.
  public var conditions: Int {
    var bits = 0
    func note(_ condition: ExportCondition, if holds: Bool) {
      if holds { bits |= 1 << condition.rawValue }
    }
    // Negated, so that a size that is not a number (in a tilted image) counts as a cut too.
    let (across, down) = (Double(crop.image.width), Double(crop.image.height))
    note(.cut, if: !(part.width >= across && part.height >= down))
    note(.mirror, if: crop.orientation.isMirrored)
    note(.turn, if: crop.orientation.quarterTurns != 0)
    note(.transpose, if: crop.orientation.isTransposing)
    note(.resize, if: crop.output != crop.rectSize)
    note(.tilt, if: crop.tilt.degrees != 0)
    note(.quad, if: crop.quad != nil)
    switch crop.shape {
    case .rectangle: break
    case .ellipse: note(.ellipse, if: true)
    case .roundedRectangle: note(.rounded, if: true)
    }
    note(.focus, if: kept != nil)
    note(.ratio, if: ratio != nil)
    note(.storedMirrored, if: stored.isMirrored)
    return bits
  }

  /// Passes the numbers to `number` in the order of ``ExportNumber``; NaN stands for one that the
  /// crop does not have.
  public func tell(_ number: (Double) -> Void) {
    func tell(_ rect: CropRect<some Any>) {
      number(rect.x)
      number(rect.y)
      number(rect.width)
      number(rect.height)
    }
    func side(_ length: Int) { number(Double(length)) }
    let (across, down) = (Double(crop.image.width), Double(crop.image.height))
    tell(part)
    number(part.maxX)
    number(part.maxY)
    tell(crop.rect)
    number(across)
    number(down)
    let (output, isTransposing) = (crop.output, crop.orientation.isTransposing)
    side(output.width)
    side(output.height)
    side(isTransposing ? output.height : output.width)
    side(isTransposing ? output.width : output.height)
    side(crop.orientation.quarterTurns * 90)
    side(360 - crop.orientation.quarterTurns * 90)
    func shares(_ rect: CropRect<ImageSpace>) {
      number(rect.x / across)
      number(rect.y / down)
      number(rect.width / across)
      number(rect.height / down)
    }
    shares(part)
    number((across - part.maxX) / across)
    number((down - part.maxY) / down)
    let center = focus.center
    shares(CropRect(x: center.x, y: center.y, width: focus.width, height: focus.height))
    tell(kept ?? CropRect<ImageSpace>(x: .nan, y: .nan, width: .nan, height: .nan))
    number(ratio.map { Double($0.width) } ?? .nan)
    number(ratio.map { Double($0.height) } ?? .nan)
    let drawing = crop.drawing
    number(drawing.map.a)
    number(drawing.map.b)
    number(drawing.map.c)
    number(drawing.map.d)
    number(drawing.map.tx)
    number(drawing.map.ty)
    number(drawing.cornerWidth)
    number(drawing.cornerHeight)
  }
}
