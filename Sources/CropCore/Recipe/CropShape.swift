/// The outline to which a result is masked.
public enum CropShape: Hashable, Sendable {
  /// The rectangle itself: nothing is masked.
  case rectangle
  /// The ellipse that touches the four edges.
  case ellipse
  /// The rectangle with corners of this radius, in pixels of the recipe's rectangle, zero or more;
  /// more than half the shorter side is taken as half of it.
  case roundedRectangle(radius: Double)
}

/// The size of a result when it is not that of the rectangle.
public enum OutputSize: Hashable, Sendable {
  /// Exactly this many pixels; its ratio is the rectangle's to within a pixel.
  case exact(width: Int, height: Int)
  /// Scaled down until the longer side has at most this many pixels; never scaled up.
  case maxSide(Int)
}
