import CropCore
import CropImaging

/// What was done, in one line.
///
///     lossless, 800 × 600
///     lossless but for the last 8 columns and rows, 800 × 600
///     lossless, 816 × 608 from 96,48
///     lossless, 800 × 600, gain map cut
///     lossless, 40 × 30, 8 frames
///     re-encoded, 800 × 600, quality 90; the left and top edges are off the 16 × 8 block grid
struct CropSummary {
  let text: String

  init(
    _ result: CropResult, of info: ImageInfo, _ recipe: CropRecipe, _ options: ResultOptions
  ) {
    var size = "\(result.size.width) × \(result.size.height)"
    if [.snap, .outward].contains(options.lossless), result.isLossless, let cut = result.rect {
      size += " from \(cut.x),\(cut.y)"
    }
    let edges = result.requantized.map { " but for \(Self.words(for: $0.edges))" } ?? ""
    var words = [result.isLossless ? "lossless" + edges : "re-encoded", size]
    if result.pictureCount > 1 {
      words.append("\(result.pictureCount) \(result.format == .tiff ? "pages" : "frames")")
    }
    if !result.isLossless, result.format.hasQuality {
      words.append("quality \(result.quality ?? options.quality ?? ResultOptions.usualQuality)")
    }
    if let map = result.gainMap { words.append("gain map \(map.rawValue)") }
    let reason = result.obstacle.flatMap { Self.words(for: $0, info, recipe, options) }
    text = words.joined(separator: ", ") + (reason.map { "; \($0)" } ?? "")
  }

  private static func words(
    for obstacle: LosslessObstacle, _ info: ImageInfo, _ recipe: CropRecipe,
    _ options: ResultOptions
  ) -> String? {
    switch obstacle {
    case .offGrid:
      guard let cell = info.shownGridCell else { return nil }
      let turned = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: cell).target
      let edges = options.lossless == .strict ? "" : Self.gridEdges(info, recipe)
      return "the \(edges)edges are off the \(turned.width) × \(turned.height) block grid"
    case .partialBlocks: return "partial blocks at the picture's border can't be turned"
    case .missingScans: return "the scans with its detail are missing"
    case .subsampling: return "the subsampling is another"
    case .newPixels: return nil
    }
  }

  /// The edges, as they are seen, that must be on the grid: where the stored pixels begin.
  private static func gridEdges(_ info: ImageInfo, _ recipe: CropRecipe) -> String {
    let whole = info.orientation.followed(by: recipe.orientation)
    let map = OrientationMap<BitmapSpace, FrameSpace>(whole, of: BitmapSize(width: 2, height: 2))
    let corner = map(BitmapRect(x: 0, y: 0, width: 1, height: 1))
    return "\(corner.x == 0 ? "left" : "right") and \(corner.y == 0 ? "top" : "bottom") "
  }

  /// "the last 8 columns and rows", "the first column and the last 3 rows".
  private static func words(for edges: RequantizedEdges) -> String {
    let (columns, rows) = (max(edges.left, edges.right), max(edges.top, edges.bottom))
    let across = (edges.left > 0 ? "first" : "last", columns, "column")
    let down = (edges.top > 0 ? "first" : "last", rows, "row")
    func part(_ side: (place: String, count: Int, unit: String)) -> String {
      side.count == 1
        ? "the \(side.place) \(side.unit)" : "the \(side.place) \(side.count) \(side.unit)s"
    }
    if rows == 0 { return part(across) }
    if columns == 0 { return part(down) }
    if columns == rows, columns > 1, across.0 == down.0 { return part(across) + " and rows" }
    return part(across) + " and " + part(down)
  }
}
