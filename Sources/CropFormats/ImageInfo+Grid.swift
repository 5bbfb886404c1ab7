import CropCore

extension ImageInfo {
  /// The size of a cell of the grid on which a JPEG can be cut without loss, in pixels of the upright
  /// picture; nil for other formats.
  ///
  /// The grid begins at the corner where the stored pixels begin, which need not be the top left.
  public var shownGridCell: ImageSize? {
    gridCell.map { OrientationMap<BitmapSpace, ImageSpace>(orientation, of: $0).target }
  }
}
