import CropCore
import CropJPEG

/// How to make a JPEG from another: a plan for its blocks and pixels, and the size to which the
/// result is scaled down.
struct JPEGJobPlan {
  let plan: JPEGPlan
  /// The block grid of the source.
  let grid: JPEGGrid
  /// The displayed size of the result.
  let size: FrameSize
  /// Whether pixels are scaled down.
  let isScaled: Bool
  /// Why the result is not lossless although that was allowed.
  let obstacle: LosslessObstacle?

  /// The plan for a crop of a JPEG into a JPEG; nil if pixels must be recolored, placed on a
  /// canvas, or resampled other than by scaling down.
  init?(_ info: ImageInfo, _ crop: ResolvedCrop, _ options: ResultOptions, grid: JPEGGrid) {
    guard info.format == .jpeg, options.format ?? .jpeg == .jpeg, !options.convertsToSRGB,
      options.surroundings == nil, options.sheet == nil, grid.size == info.stored
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
    self.grid = grid
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

  init?(_ request: PixelRequest) {
    guard request.info.bitDepth == 8, let jpeg = request.info.storedJPEG else { return nil }
    self.init(request.info, request.crop, request.options, grid: jpeg.grid)
  }

  /// The size to scale to, before turning; nil if nothing is scaled.
  var target: BitmapSize? { isScaled ? Self.stored(size, plan.turn) : nil }

  var storedSize: BitmapSize { Self.stored(size, plan.flag) }

  /// The stored size of an image that `orientation` displays in `size`.
  private static func stored(_ size: FrameSize, _ orientation: Orientation) -> BitmapSize {
    OrientationMap<FrameSpace, BitmapSpace>(orientation.inverse, of: size).target
  }
}

extension ImageInfo {
  /// Whether the image is a progressive JPEG without the scans that contain its detail. Decoders
  /// smooth between its blocks as long as they see the complete file.
  var lacksScans: Bool { warnings.contains(.scansMissing) }
}

extension ResolvedCrop {
  /// Whether the result is the rectangle, scaled down.
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
