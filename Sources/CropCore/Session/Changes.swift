/// What an input changed, so that a face does no more than it must.
public struct Changes: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Changes from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The scene is another.
  public static var scene: Self { Self(rawValue: 1) }
  /// The recipe, or whether there is one, is another.
  public static var recipe: Self { Self(rawValue: 2) }
  /// What can be undone, redone or reset is another.
  public static var history: Self { Self(rawValue: 4) }
  /// The cursor is another.
  public static var cursor: Self { Self(rawValue: 8) }
  /// The accessible elements are others.
  public static var elements: Self { Self(rawValue: 16) }
  /// There is something to say aloud.
  public static var announcement: Self { Self(rawValue: 32) }
  /// The input was used; the surroundings should not use it too.
  public static var handled: Self { Self(rawValue: 64) }
  /// Time matters: send a tick with the next frame.
  public static var wantsTicks: Self { Self(rawValue: 128) }
  /// The input is invalid: a number that is not finite, a recipe that does not fit.
  public static var refused: Self { Self(rawValue: 256) }
  /// A gesture began; a gesture ended.
  public static var gestureStarted: Self { Self(rawValue: 512) }
  /// A gesture ended.
  public static var gestureEnded: Self { Self(rawValue: 1024) }
  /// The person asks for the crop.
  public static var cropWanted: Self { Self(rawValue: 2048) }
  /// The selection or the tilt was caught by a line or by zero: a face may let it be felt.
  public static var caught: Self { Self(rawValue: 4096) }
  /// A limit was reached: a rule gave way, or a step moved nothing. A face may let it be felt.
  public static var limit: Self { Self(rawValue: 8192) }
}
