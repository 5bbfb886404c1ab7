/// The resolution of an image for printing.
public struct PixelDensity: Sendable, Hashable {
  /// Horizontal pixels per inch, greater than 0.
  public var across: Double
  /// Vertical pixels per inch, greater than 0.
  public var down: Double

  /// A resolution with the given numbers, which are not checked.
  public init(across: Double, down: Double) {
    self.across = across
    self.down = down
  }

  /// The same number in both directions.
  public init(dpi: Int) { self.init(across: Double(dpi), down: Double(dpi)) }

  /// The density of the image with rows and columns exchanged.
  public var transposed: Self { Self(across: down, down: across) }

  /// Whether it only stands for an unknown one: EXIF 2.3 requires 72 pixels per inch then.
  public var isPlaceholder: Bool { across == 72 && down == 72 }
}

#if !hasFeature(Embedded)
  extension PixelDensity: Codable {
    /// The density of a number of pixels per unit of `inches` inches; nil for invalid numbers.
    package init?(_ across: Double?, _ down: Double?, inches: Double) {
      guard let across, let down else { return nil }
      let sensible = 0.01...1_000_000.0
      self.init(across: across / inches, down: down / inches)
      guard sensible.contains(self.across), sensible.contains(self.down) else { return nil }
    }

    /// Centimeters and meters in inches.
    package static let (centimeter, meter) = (1 / 2.54, 1 / 0.0254)
  }
#endif
