import CropCore

extension ResolvedCrop {
  /// The part of the frame that the result is made of: the rectangle itself, under a tilt what it
  /// covers when turned back, and a margin for the kernel.
  package var neededPart: PixelRect<FrameSpace> {
    if let rect = PixelRect(exactly: rect), tilt.degrees == 0 { return rect }
    let picture = TiltedPicture(frame: frame, tilt: tilt)
    let corners = [
      FramePoint(x: rect.minX, y: rect.minY), FramePoint(x: rect.maxX, y: rect.minY),
      FramePoint(x: rect.minX, y: rect.maxY), FramePoint(x: rect.maxX, y: rect.maxY),
    ].map(picture.turnedBack)
    let margin = 4
    func range(_ values: [Double], upTo limit: Int) -> (start: Int, count: Int) {
      let lowest = Int((values.min() ?? 0).rounded(.down)) - margin
      let highest = Int((values.max() ?? 0).rounded(.up)) + margin
      let start = min(max(lowest, 0), limit - 1)
      return (start, max(min(highest, limit), start + 1) - start)
    }
    let columns = range(corners.map(\.x), upTo: frame.width)
    let rows = range(corners.map(\.y), upTo: frame.height)
    return PixelRect(x: columns.start, y: rows.start, width: columns.count, height: rows.count)
  }
}
