/// The properties of the JPEG file of an image that determine whether a crop can be lossless.
public struct StoredJPEG: Hashable, Sendable {
  /// The block grid, in stored pixels.
  public var grid: JPEGGrid
  /// The EXIF orientation of the stored pixels.
  public var orientation: Orientation

  /// A JPEG with the given grid and orientation.
  public init(grid: JPEGGrid, orientation: Orientation) {
    self.grid = grid
    self.orientation = orientation
  }

  /// The size of the upright image, in pixels.
  public var imageSize: ImageSize {
    OrientationMap<BitmapSpace, ImageSpace>(orientation, of: grid.size).target
  }
}
