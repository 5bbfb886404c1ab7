/// An angle; positive is clockwise on the screen, because `y` grows downwards.
///
/// This is the only type that converts between degrees and radians.
public struct CropAngle: Hashable, Sendable {
  /// The angle in degrees.
  public var degrees: Double

  /// An angle in degrees, clockwise.
  public init(degrees: Double) {
    self.degrees = degrees
  }

  /// An angle in radians, clockwise.
  public init(radians: Double) {
    degrees = radians * 180 / .pi
  }

  /// The angle of 0°.
  public static var zero: Self { Self(degrees: 0) }

  /// The angle in radians.
  public var radians: Double { degrees * .pi / 180 }

  /// The cosine.
  public var cosine: Double { LibM.cosine(radians) }

  /// The sine.
  public var sine: Double { LibM.sine(radians) }

  /// The direction from `a` to `b`, measured clockwise from the positive x axis, from −180° to
  /// 180°.
  public static func direction<Space>(from a: CropPoint<Space>, to b: CropPoint<Space>) -> Self {
    Self(radians: LibM.arcTangent(y: b.y - a.y, x: b.x - a.x))
  }
}

extension CropPoint {
  /// The point turned clockwise by `angle` about `center`.
  public func rotated(by angle: CropAngle, about center: Self) -> Self {
    if angle.degrees == 0 { return self }
    let (c, s) = (angle.cosine, angle.sine)
    let (dx, dy) = (x - center.x, y - center.y)
    return Self(x: center.x + dx * c - dy * s, y: center.y + dx * s + dy * c)
  }
}
