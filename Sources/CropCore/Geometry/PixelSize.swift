/// A width and a height in whole pixels, each zero or more.
public struct PixelSize<Space>: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// A size of `width` columns and `height` rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size with width and height exchanged.
  public var transposed: Self { Self(width: height, height: width) }

  /// Whether the area is zero.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The whole area as a rectangle whose top-left corner is the origin.
  public var bounds: CropRect<Space> {
    CropRect(x: 0, y: 0, width: Double(width), height: Double(height))
  }
}

/// A rectangle of whole pixels; the origin is the top-left corner.
public struct PixelRect<Space>: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns, zero or more.
  public var width: Int
  /// The number of rows, zero or more.
  public var height: Int

  /// A rectangle of `width` × `height` pixels whose first pixel is in column `x` and row `y`.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The width and height.
  public var size: PixelSize<Space> { PixelSize(width: width, height: height) }
}

extension PixelRect {
  /// The same rectangle with fractional fields.
  public var rect: CropRect<Space> {
    CropRect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  /// The same rectangle in whole pixels; nil unless every field of `rect` is an integer that fits
  /// `Int`.
  public init?(exactly rect: CropRect<Space>) {
    guard let x = Int(exactly: rect.x), let y = Int(exactly: rect.y),
      let width = Int(exactly: rect.width), let height = Int(exactly: rect.height)
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}
