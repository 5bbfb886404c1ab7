/// Whether a JPEG is cut without decoding it.
public enum LosslessMode: String, Hashable, Sendable, CaseIterable {
  /// Pixels are always decoded and coded again.
  case never
  /// Without loss where the left and top edges of the stored pixels lie on the grid of blocks. Blocks that
  /// the right or bottom edge divides are quantised again, from what is visible of them.
  case exact
  /// The same wherever possible: the crop moves by less than a block, so that its left and top edges lie
  /// on the grid. Its size stays.
  case snap
  /// Without loss where all four edges lie on the grid of blocks or on the picture's border: nothing is
  /// quantised again.
  case strict
  /// Without loss wherever possible, and nothing is quantised again: the four edges move outward to the grid.
  case outward
}

/// Why the crop of a JPEG was not cut without loss though that was allowed.
public enum LosslessObstacle: String, Hashable, Sendable, CaseIterable {
  /// The left or top edge of the stored pixels is off the grid of blocks; under ``LosslessMode/strict``, some
  /// edge is neither on the grid nor on the picture's border.
  case offGrid = "off-grid"
  /// Upright pixels were asked for, and a partial block at the picture's border can't be turned.
  case partialBlocks = "partial-blocks"
  /// Pixels change: tilt, size, outline or colours.
  case newPixels = "new-pixels"
  /// A progressive file lacks the scans that hold its detail: copied blocks would show, as no decoder would
  /// smooth between them any more.
  case missingScans = "missing-scans"
  /// The subsampling asked for is not the picture's.
  case subsampling
}
