/// One of the eight orientations of an image: an optional left–right mirror, then clockwise quarter
/// turns.
///
/// The raw values are those of the EXIF tag 0x0112 (CIPA DC-008, 4.6.4). Each says how to transform
/// the stored pixels to show them upright:
///
///     1  as stored         5  mirror, then 270°
///     2  mirror            6  90°
///     3  180°              7  mirror, then 90°
///     4  mirror, then 180° 8  270°
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
  /// As stored.
  case up = 1
  /// Mirrored left–right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top–bottom.
  case downMirrored = 4
  /// Mirrored across the diagonal from the top left to the bottom right.
  case leftMirrored = 5
  /// Turned clockwise by 90°.
  case right = 6
  /// Mirrored across the diagonal from the bottom left to the top right.
  case rightMirrored = 7
  /// Turned clockwise by 270°.
  case left = 8

  /// A left–right mirror if `isMirrored`, then `quarterTurns` × 90° clockwise; any integer is
  /// allowed.
  public init(isMirrored: Bool, quarterTurns: Int) {
    self =
      switch (isMirrored, quarterTurns & 3) {
      case (false, 0): .up
      case (false, 1): .right
      case (false, 2): .down
      case (false, _): .left
      case (true, 0): .upMirrored
      case (true, 1): .rightMirrored
      case (true, 2): .downMirrored
      case (true, _): .leftMirrored
      }
  }

  /// Whether the image is mirrored left–right before it is turned.
  public var isMirrored: Bool {
    switch self {
    case .upMirrored, .rightMirrored, .downMirrored, .leftMirrored: true
    default: false
    }
  }

  /// The number of clockwise quarter turns after the mirror, 0 to 3.
  public var quarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 1
    case .down, .downMirrored: 2
    case .left, .leftMirrored: 3
    }
  }

  /// Whether width and height are exchanged.
  public var isTransposing: Bool { quarterTurns & 1 == 1 }

  /// The orientation that undoes this one.
  public var inverse: Self {
    // A mirror combined with any turn undoes itself.
    isMirrored ? self : Self(isMirrored: false, quarterTurns: -quarterTurns)
  }

  /// The orientation that has the effect of this one followed by `next`.
  public func followed(by next: Self) -> Self {
    // A mirror after a turn is the opposite turn after a mirror.
    let turns = next.isMirrored ? -quarterTurns : quarterTurns
    return Self(
      isMirrored: isMirrored != next.isMirrored, quarterTurns: turns + next.quarterTurns)
  }
}
