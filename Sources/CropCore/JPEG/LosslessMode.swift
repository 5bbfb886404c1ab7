/// Whether a JPEG is cut without decoding it.
public enum LosslessMode: String, Hashable, Sendable, CaseIterable {
  /// Pixels are always decoded and coded again.
  case never
  /// Without loss where all four edges lie on the grid of blocks or on the picture's border.
  case exact
  /// Without loss wherever possible: the four edges move outward to the grid.
  case snap
}

/// Why the crop of a JPEG was not cut without loss though that was allowed.
public enum LosslessObstacle: String, Hashable, Sendable, CaseIterable {
  /// An edge of the crop is neither on the grid of blocks nor on the picture's border.
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
