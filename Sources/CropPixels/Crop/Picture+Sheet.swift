import CVips
import CropCore
import CropImaging

extension Picture {
  /// The image, which is one print, as often as it fits on a sheet of the given color, with black
  /// cut marks.
  func repeated(on sheet: PrintSheet, color: Background) throws(VipsFailure) -> Picture {
    let covered = PixelRect<FrameSpace>(
      x: 0, y: 0, width: sheet.block.width, height: sheet.block.height)
    // Each row is read once for every row of prints.
    let prints = try inMemory()
      .applying("replicate", ("across", .int(sheet.columns)), ("down", .int(sheet.rows)))
      .cut(to: covered)
    let layout = CanvasLayout(size: sheet.size, crop: sheet.block)
    let paper = try CanvasDrawing(layout: layout, fill: .color(color)).drawn(prints)
    let space = paper.interpretation
    let black = Background.black.samples(in: paper)
    let zeros = [Double](repeating: 0, count: paper.bands)
    var result = paper
    for mark in sheet.marks {
      let line = try paper.cut(to: mark)
        .applying("linear", ("a", .doubles(zeros)), ("b", .doubles(black)))
        .cast(to: paper.format)
      result = try Operation.picture(
        "insert",
        [
          ("main", .picture(result)), ("sub", .picture(line)), ("x", .int(mark.x)),
          ("y", .int(mark.y)),
        ]
      ).relabeled(as: space)
    }
    return result
  }
}
