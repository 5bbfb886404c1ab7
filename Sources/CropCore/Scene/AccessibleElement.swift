/// Identifies an element that assistive technology can find, name and change.
public enum ElementKey: Int, Hashable, Sendable {
  /// The image.
  case picture = 0
  /// The selection.
  case selection = 1
  /// The handles, clockwise from the top left.
  case topLeft = 2, top, topRight, right, bottomRight, bottom, bottomLeft, left

  /// The handle that this element is; nil for the image and the selection.
  public var handle: CropHandle? { CropHandle(rawValue: rawValue - 2) }
}

/// The role of an accessible element.
public enum ElementRole: Int, Hashable, Sendable {
  /// The image, the selection, or one of its handles.
  case picture = 0, selection, handle
}

/// An accessible element as numbers and keys; the user interface makes the words.
public struct AccessibleElement: Hashable, Sendable {
  /// Which element it is.
  public var key: ElementKey
  /// The element's role.
  public var role: ElementRole {
    switch key {
    case .picture: .picture
    case .selection: .selection
    default: .handle
    }
  }
  /// The position and size in the view, in view points.
  public var frame: ViewRect
  /// Whether it has the keyboard focus.
  public var isFocused: Bool
  /// The actions that it supports.
  public var actions: ElementActions
  /// The selection in frame pixels, or the complete frame for the image.
  public var value: FrameRect
}

/// What assistive technology can do with an element.
public struct ElementActions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Actions with the given bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Increase its value.
  public static var increment: Self { Self(rawValue: 1) }
  /// Decrease its value.
  public static var decrement: Self { Self(rawValue: 2) }
  /// Move it with the arrow keys.
  public static var move: Self { Self(rawValue: 4) }
  /// Activate it.
  public static var activate: Self { Self(rawValue: 8) }
}

/// What a screen reader should announce after a change.
public enum Announcement: Hashable, Sendable {
  /// The selection changed to this rectangle, in frame pixels.
  case selection(FrameRect)
  /// The selection was cleared; a step was undone; redone; everything was reset.
  case cleared, undone, redone, reset
  /// The image is turned clockwise by this many quarter turns, 0 to 3.
  case turned(quarterTurns: Int)
  /// The image was mirrored.
  case mirrored
  /// The image has this tilt.
  case tilt(CropAngle)
  /// The ratio to keep changed; nil for any ratio.
  case ratio(AspectRatio?)
  /// The outline changed.
  case shape(CropShape)
  /// Nothing moved because a limit is reached.
  case limit
  /// A rule of the selection is violated because a higher one has precedence.
  case violatedRule(SelectionRule)
}

/// The shape of the mouse pointer.
public enum CropCursor: Int, Hashable, Sendable {
  /// The default arrow; drawing; moving.
  case standard = 0, crosshair, move
  /// The open hand before panning; the closed hand during it.
  case grab, grabbing
  /// Resizing vertically, horizontally, along the diagonal from the top left, and along the one
  /// from the bottom left.
  case resizeVertical, resizeHorizontal, resizeFalling, resizeRising
}
