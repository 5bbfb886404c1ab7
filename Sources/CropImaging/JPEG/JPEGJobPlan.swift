import CropCore
import CropJPEG

/// What is to be made of one JPEG: a plan for its blocks and pixels, and the size that these are then
/// scaled down to.
struct JPEGJobPlan {
  let plan: JPEGPlan
  /// The size of the result as it is seen.
  let size: FrameSize
  /// Whether pixels are scaled down.
  let isScaled: Bool
  /// Why it is not lossless, where it could have been.
  let obstacle: LosslessObstacle?

  /// The order for a crop of a JPEG into a JPEG; nil if pixels must be recoloured, or resampled in
  /// another way than by scaling them down.
  init?(_ info: ImageInfo, _ crop: ResolvedCrop, _ options: ResultOptions, grid: JPEGGrid) {
    guard info.format == .jpeg, options.format ?? .jpeg == .jpeg, !options.convertsToSRGB,
      grid.size == info.stored
    else { return nil }
    isScaled = !crop.keepsPixels
    if isScaled {
      guard crop.scalesDown, !options.isLinear, info.color != .cmyk else { return nil }
    }
    let showsBlocks = info.lacksScans && [.exact, .strict].contains(options.lossless)
    guard
      let plan = JPEGPlan(
        crop.unscaled, grid: grid, orientation: info.orientation,
        mode: isScaled || showsBlocks ? .never : options.lossless, isBaked: options.isBaked,
        keepsSubsampling: options.keepsSubsampling(of: info))
    else { return nil }
    self.plan = plan
    let cut = FrameSize(width: plan.frameRect.width, height: plan.frameRect.height)
    size = isScaled ? crop.output : cut
    obstacle =
      if isScaled, options.lossless != .never {
        .newPixels
      } else if showsBlocks {
        .missingScans
      } else {
        plan.obstacle
      }
  }

  /// The size that is scaled to, before it is turned; nil if nothing is scaled.
  var target: BitmapSize? { isScaled ? Self.stored(size, plan.turn) : nil }

  /// The size of the result as it is stored.
  var storedSize: BitmapSize { Self.stored(size, plan.flag) }

  /// The stored size of a picture that is shown in `size` by `orientation`.
  private static func stored(_ size: FrameSize, _ orientation: Orientation) -> BitmapSize {
    OrientationMap<FrameSpace, BitmapSpace>(orientation.inverse, of: size).target
  }
}

extension ImageInfo {
  /// Whether it is a progressive JPEG without the scans that hold its detail. A decoder smooths between its
  /// blocks, as long as it sees the file as it is.
  var lacksScans: Bool { warnings.contains(.scansMissing) }
}

extension ResolvedCrop {
  /// Whether the result is the rectangle, smaller.
  fileprivate var scalesDown: Bool {
    tilt.degrees == 0 && quad == nil && shape == .rectangle && output.width <= rectSize.width
      && output.height <= rectSize.height
  }
}

extension ResultOptions {
  fileprivate func keepsSubsampling(of info: ImageInfo) -> Bool {
    subsampling == nil || info.subsampling == nil || subsampling == info.subsampling
  }
}
