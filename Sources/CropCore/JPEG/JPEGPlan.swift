/// How to make the cropped JPEG from the blocks or pixels of the source.
///
/// All code that crops JPEGs, or predicts whether a crop is lossless, uses this plan.
public struct JPEGPlan: Hashable, Sendable {
  /// Whether blocks are copied or pixels are re-encoded.
  public enum Way: Hashable, Sendable {
    /// Bits or coefficients are copied.
    case lossless
    /// Pixels are decoded and encoded again.
    case reencoded
  }

  /// Whether blocks are copied or pixels are re-encoded.
  public let way: Way
  /// The rectangle to cut, in stored pixels.
  public let rect: BitmapRect
  /// The orientation that is applied to the pixels.
  public let turn: Orientation
  /// The EXIF orientation that is stored in the result.
  public let flag: Orientation
  /// The rectangle to cut, in pixels of the turned image. Under ``LosslessMode/snap`` it may be
  /// moved from the recipe's rectangle, under ``LosslessMode/outward`` it may be larger.
  public let frameRect: PixelRect<FrameSpace>
  /// The edges of the turned result at which blocks are requantized.
  public let requantized: RequantizedEdges
  /// Whether the pixels of a lossless result could be rotated upright without loss instead of setting its
  /// orientation flag.
  public let canRotate: Bool
  /// Why the result is not lossless although that was requested; nil if it is lossless or need not
  /// be.
  public let obstacle: LosslessObstacle?

  /// The plan for a crop; nil if pixels must be resampled or masked, or if the grid belongs to an
  /// image of another size.
  ///
  /// - Parameters:
  ///   - crop: the crop of the upright image.
  ///   - grid: the JPEG's grid.
  ///   - orientation: the EXIF orientation of its stored pixels.
  ///   - mode: whether the result may be lossless.
  ///   - isBaked: whether the result's pixels are rotated upright.
  ///   - keepsSubsampling: whether the result has the source's subsampling.
  public init?(
    _ crop: ResolvedCrop, grid: JPEGGrid, orientation: Orientation, mode: LosslessMode,
    isBaked: Bool = false, keepsSubsampling: Bool = true
  ) {
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: grid.size)
    guard crop.keepsPixels, toImage.target == crop.image, let image = crop.imageRect,
      let frame = PixelRect(exactly: crop.rect)
    else { return nil }
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(crop.orientation, of: crop.image)
    let exact = toImage.inverse(image)
    let whole = orientation.followed(by: crop.orientation)
    let cut: BitmapRect =
      switch mode {
      case .snap: grid.moved(exact) ?? exact
      case .outward: grid.snapped(exact) ?? exact
      case .never, .exact, .strict: exact
      }
    let found: LosslessObstacle? =
      if !keepsSubsampling {
        .subsampling
      } else if mode == .strict ? !grid.isExact(cut) : !grid.canCut(cut) {
        .offGrid
      } else if isBaked, !grid.canLayDown(cut, whole) {
        .partialBlocks
      } else {
        nil
      }
    if mode != .never, found == nil {
      way = .lossless
      rect = cut
      turn = isBaked ? whole : .up
      flag = isBaked ? .up : whole
      frameRect = toFrame(toImage(cut))
      requantized = RequantizedEdges(cut, grid, whole)
      canRotate = flag != .up && grid.canLayDown(cut, whole)
      obstacle = nil
    } else {
      way = .reencoded
      rect = exact
      turn = whole
      flag = .up
      frameRect = frame
      requantized = RequantizedEdges()
      canRotate = false
      obstacle = mode == .never ? nil : found
    }
  }
}

extension JPEGGrid {
  /// Whether blocks of `rect` can be turned by `turn`: a partial one can't leave the right or
  /// bottom border.
  fileprivate func canLayDown(_ rect: BitmapRect, _ turn: Orientation) -> Bool {
    let turns = turn.quarterTurns
    let movesColumns = turn.isMirrored != (turns >= 2)
    let movesRows = turns == 1 || turns == 2
    return (!movesColumns || rect.width % cellWidth == 0)
      && (!movesRows || rect.height % cellHeight == 0)
  }
}
