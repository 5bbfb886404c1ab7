/// A size in view points.
public struct ViewSize: Hashable, Sendable {
  /// The width, zero or more.
  public var width: Double
  /// The height, zero or more.
  public var height: Double

  /// A size in view points.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The whole view.
  public var bounds: ViewRect { ViewRect(x: 0, y: 0, width: width, height: height) }
}
