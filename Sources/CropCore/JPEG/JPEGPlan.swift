/// What is to be done with the blocks and pixels of one JPEG to make another of it.
///
/// Everybody who cuts JPEGs, or tells beforehand what a cut will be like, asks here.
public struct JPEGPlan: Hashable, Sendable {
  /// How the result is made.
  public enum Way: Hashable, Sendable {
    /// Bits or coefficients are copied.
    case lossless
    /// Pixels are decoded and coded again.
    case reencoded
  }

  /// How the result is made.
  public let way: Way
  /// What is cut, in stored pixels.
  public let rect: BitmapRect
  /// What is done to the pixels.
  public let turn: Orientation
  /// How the pixels of the result are to be oriented, as its EXIF says.
  public let flag: Orientation
  /// What is cut, in pixels of the turned picture: under ``LosslessMode/snap`` it may lie beside the
  /// recipe's rectangle, under ``LosslessMode/outward`` be more.
  public let frameRect: PixelRect<FrameSpace>
  /// At which edges of the turned result blocks are quantised again.
  public let requantized: RequantizedEdges
  /// Why it is not lossless, where it could have been.
  public let obstacle: LosslessObstacle?

  /// The plan for a crop; nil if pixels must be resampled or masked, or if the picture is another.
  ///
  /// - Parameters:
  ///   - crop: what to cut from the upright picture.
  ///   - grid: the JPEG's grid.
  ///   - orientation: how its stored pixels are to be oriented.
  ///   - mode: whether it may be lossless.
  ///   - isBaked: whether the result's pixels are made upright.
  ///   - keepsSubsampling: whether the result's subsampling is the source's.
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
      obstacle = nil
    } else {
      way = .reencoded
      rect = exact
      turn = whole
      flag = .up
      frameRect = frame
      requantized = RequantizedEdges()
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
