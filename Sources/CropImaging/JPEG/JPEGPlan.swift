import CropCore
import CropJPEG

/// What is to be done with the blocks and pixels of one JPEG.
struct JPEGPlan {
  /// How the result comes about.
  enum Way {
    /// Bits or coefficients are copied.
    case lossless
    /// Pixels are decoded and coded again.
    case reencoded
  }

  let way: Way
  /// What is cut, in stored pixels.
  let rect: BitmapRect
  /// What is done to the pixels.
  let turn: Orientation
  /// What the result's flag says.
  let flag: Orientation
  /// What is cut, in pixels of the turned picture.
  let frameRect: PixelRect<FrameSpace>
  /// Why it is not lossless, where it could have been.
  let obstacle: LosslessObstacle?

  /// The plan for a crop of a JPEG into a JPEG; nil if pixels must be resampled or recoloured.
  init?(_ info: ImageInfo, _ crop: ResolvedCrop, _ options: ResultOptions, grid: JPEGGrid) {
    guard info.format == .jpeg, options.format ?? .jpeg == .jpeg, crop.keepsPixels,
      !options.convertsToSRGB, grid.size == info.stored, let image = crop.imageRect,
      let frame = PixelRect(exactly: crop.rect)
    else { return nil }
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(info.orientation, of: info.stored)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(crop.orientation, of: crop.image)
    let exact = toImage.inverse(image)
    let whole = info.orientation.followed(by: crop.orientation)
    let isSnapped = options.lossless == .snap
    let cut = isSnapped ? grid.snapped(exact) ?? exact : exact
    let found: LosslessObstacle? =
      if !options.keepsSubsampling(of: info) {
        .subsampling
      } else if !grid.isExact(cut) {
        .offGrid
      } else if options.isBaked, !grid.canLayDown(cut, whole) {
        .partialBlocks
      } else {
        nil
      }
    if options.lossless != .never, found == nil {
      way = .lossless
      rect = cut
      turn = options.isBaked ? whole : .up
      flag = options.isBaked ? .up : whole
      frameRect = toFrame(toImage(cut))
      obstacle = nil
    } else {
      way = .reencoded
      rect = exact
      turn = whole
      flag = .up
      frameRect = frame
      obstacle = options.lossless == .never ? nil : found
    }
  }
}

extension ResolvedCrop {
  /// Whether every pixel of the result is one of the picture's.
  var keepsPixels: Bool { tilt.degrees == 0 && shape == .rectangle && output == rectSize }
}

extension ResultOptions {
  fileprivate func keepsSubsampling(of info: ImageInfo) -> Bool {
    subsampling == nil || info.subsampling == nil || subsampling == info.subsampling
  }
}

extension JPEGGrid {
  /// Whether blocks of `rect` can be laid down by `turn`: a partial one can't leave the right or
  /// bottom border.
  fileprivate func canLayDown(_ rect: BitmapRect, _ turn: Orientation) -> Bool {
    let moves = turn.blockMoves
    let movesColumns = moves.isTransposed ? moves.isFlipped : moves.isMirrored
    let movesRows = moves.isTransposed ? moves.isMirrored : moves.isFlipped
    return (!movesColumns || rect.width % cellWidth == 0)
      && (!movesRows || rect.height % cellHeight == 0)
  }
}
