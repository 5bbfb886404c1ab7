import CropCore
import CropImaging

/// What was done, in one line.
///
///     lossless, 800 × 600
///     lossless, 816 × 608 from 96,48
///     lossless, 800 × 600, gain map cut
///     lossless, 40 × 30, 8 frames
///     re-encoded, 800 × 600, quality 90; the edges are off the 16 × 8 block grid
struct CropSummary {
  let text: String

  init(
    _ result: CropResult, of info: ImageInfo, _ recipe: CropRecipe, _ options: ResultOptions
  ) {
    var size = "\(result.size.width) × \(result.size.height)"
    if options.lossless == .snap, result.isLossless, let cut = result.rect {
      size += " from \(cut.x),\(cut.y)"
    }
    var words = [result.isLossless ? "lossless" : "re-encoded", size]
    if result.pictureCount > 1 {
      words.append("\(result.pictureCount) \(result.format == .tiff ? "pages" : "frames")")
    }
    if !result.isLossless, result.format.hasQuality {
      words.append("quality \(result.quality ?? options.quality ?? ResultOptions.usualQuality)")
    }
    if let map = result.gainMap { words.append("gain map \(map.rawValue)") }
    let reason = result.obstacle.flatMap { Self.words(for: $0, info, recipe) }
    text = words.joined(separator: ", ") + (reason.map { "; \($0)" } ?? "")
  }

  private static func words(
    for obstacle: LosslessObstacle, _ info: ImageInfo, _ recipe: CropRecipe
  ) -> String? {
    switch obstacle {
    case .offGrid:
      guard let cell = info.shownGridCell else { return nil }
      let turned = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: cell).target
      return "the edges are off the \(turned.width) × \(turned.height) block grid"
    case .partialBlocks: return "partial blocks at the picture's border can't be turned"
    case .missingScans: return "the scans with its detail are missing"
    case .subsampling: return "the subsampling is another"
    case .newPixels: return nil
    }
  }
}
