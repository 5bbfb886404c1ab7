/// What an input changed, so that the user interface updates only that.
public struct Changes: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Changes with the given bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The scene changed.
  public static var scene: Self { Self(rawValue: 1) }
  /// The recipe changed, or whether there is one.
  public static var recipe: Self { Self(rawValue: 2) }
  /// The availability of undo, redo or reset changed.
  public static var history: Self { Self(rawValue: 4) }
  /// The cursor changed.
  public static var cursor: Self { Self(rawValue: 8) }
  /// The accessible elements changed.
  public static var elements: Self { Self(rawValue: 16) }
  /// A screen reader should announce ``CropSession/announcement``.
  public static var announcement: Self { Self(rawValue: 32) }
  /// The session used the input; the surrounding page must not use it too.
  public static var handled: Self { Self(rawValue: 64) }
  /// The scene depends on time: send a ``Input/tick(_:)`` with the next display frame.
  public static var wantsTicks: Self { Self(rawValue: 128) }
  /// The input was rejected: a number is not finite, or a recipe does not fit.
  public static var refused: Self { Self(rawValue: 256) }
  /// A gesture started, also a drag of a ruler.
  public static var gestureStarted: Self { Self(rawValue: 512) }
  /// A gesture ended.
  public static var gestureEnded: Self { Self(rawValue: 1024) }
  /// The user requested the crop.
  public static var cropWanted: Self { Self(rawValue: 2048) }
  /// The selection or the tilt snapped to a line or to zero. A user interface may give haptic
  /// feedback.
  public static var caught: Self { Self(rawValue: 4096) }
  /// A limit was reached: a rule is violated, or nothing moved. A user interface may give haptic
  /// feedback.
  public static var limit: Self { Self(rawValue: 8192) }
}
