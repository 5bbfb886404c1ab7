import CropCore
import CropImaging

/// The result as one line.
///
///     lossless, 800 × 600
///     lossless except for the last 8 columns and rows, 800 × 600
///     lossless, 816 × 608 from 96,48
///     lossless, 800 × 600, gain map cut
///     lossless, 40 × 30, 8 frames
///     re-encoded, 800 × 600, quality 90; the left and top edges are off the 16 × 8 block grid
struct CropSummary {
  let text: String

  init(_ result: CropResult, of planned: PlannedCrop) {
    let options = planned.options
    var size = "\(result.size.width) × \(result.size.height)"
    if [.snap, .outward].contains(options.lossless), result.isLossless, let cut = result.rect {
      size += " from \(cut.x),\(cut.y)"
    }
    let edges = result.requantized.map { " except for \(Self.words(for: $0.edges))" } ?? ""
    var words = [result.isLossless ? "lossless" + edges : "re-encoded", size]
    if result.pictureCount > 1 {
      words.append("\(result.pictureCount) \(result.format == .tiff ? "pages" : "frames")")
    }
    if !result.isLossless, result.format.hasQuality {
      let level = result.quality ?? options.quality?.level ?? ResultOptions.defaultQuality
      words.append("quality \(options.quality == .lossless ? "lossless" : String(level))")
    }
    if let map = result.gainMap { words.append("gain map \(map.rawValue)") }
    let reason = result.obstacle.flatMap { Self.words(for: $0, planned) }
    text = words.joined(separator: ", ") + (reason.map { "; \($0)" } ?? "")
  }

  /// Why a crop is not lossless; nil if that is obvious.
  static func words(for obstacle: LosslessObstacle, _ planned: PlannedCrop) -> String? {
    let (info, recipe, options) = (planned.picture.info, planned.recipe, planned.options)
    switch obstacle {
    case .offGrid:
      guard let cell = info.shownGridCell else { return nil }
      let turned = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: cell).target
      let edges = options.lossless == .strict ? "" : Self.gridEdges(info, recipe)
      return "the \(edges)edges are off the \(turned.width) × \(turned.height) block grid"
    case .partialBlocks: return "partial blocks at the image's edge can't be rotated"
    case .missingScans: return "the scans with fine detail are missing"
    case .subsampling: return "the chroma subsampling differs"
    case .newPixels:
      return options.surroundings == nil ? nil : "a result on a canvas is never lossless"
    }
  }

  /// The displayed edges that must be on the grid: those at the start of the stored pixels.
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
