/// How large pixels are on paper.
public struct PixelDensity: Sendable, Hashable, Codable {
  /// Pixels an inch along a row, greater than 0.
  public var across: Double
  /// Pixels an inch down a column, greater than 0.
  public var down: Double

  /// The numbers, unchecked.
  public init(across: Double, down: Double) {
    self.across = across
    self.down = down
  }

  /// So many pixels in `units`, each of so many inches; nil for numbers that can't be.
  init?(_ across: Double?, _ down: Double?, inches: Double) {
    guard let across, let down else { return nil }
    let sensible = 0.01...1_000_000.0
    self.init(across: across / inches, down: down / inches)
    guard sensible.contains(self.across), sensible.contains(self.down) else { return nil }
  }

  /// Centimetres and metres in inches.
  static let (centimetre, metre) = (1 / 2.54, 1 / 0.0254)

  /// The same for pixels whose rows have become columns.
  package var transposed: Self { Self(across: down, down: across) }
}
