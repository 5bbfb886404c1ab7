/// Whether, and under what conditions, a JPEG is cut without decoding it.
public enum LosslessMode: String, Hashable, Sendable, CaseIterable {
  /// Pixels are always decoded and encoded again.
  case never
  /// Lossless if the left and top edges of the stored crop are on the block grid. Blocks that the
  /// right or bottom edge divides are requantized from their visible pixels.
  case exact
  /// Like ``exact``, but the crop moves by less than a block to put its left and top edges on the
  /// block grid. Its size does not change.
  case snap
  /// Lossless only if each edge is on the block grid or on the image's border. No block is
  /// requantized.
  case strict
  /// Lossless if possible, without requantizing a block: the edges move outward to the block grid.
  case outward
}

/// Why a JPEG was not cut losslessly although that was allowed.
public enum LosslessObstacle: String, Hashable, Sendable, CaseIterable {
  /// The left or top edge of the stored crop is off the block grid; under ``LosslessMode/strict``,
  /// any edge that is neither on the grid nor on the image's border.
  case offGrid = "off-grid"
  /// Upright pixels were requested, and the partial blocks at the image's border can't be turned.
  case partialBlocks = "partial-blocks"
  /// The crop changes pixels: by tilt, size, outline or color conversion.
  case newPixels = "new-pixels"
  /// A progressive file lacks the scans that contain its detail. Decoders smooth the complete image
  /// but would not smooth the copied blocks, so these would become visible.
  case missingScans = "missing-scans"
  /// The requested subsampling differs from the image's.
  case subsampling
}
