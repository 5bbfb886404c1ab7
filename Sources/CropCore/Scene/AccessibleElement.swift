/// Something in the view that assistive technology can find, name and change.
public enum ElementKey: Int, Hashable, Sendable {
  /// The picture.
  case picture = 0
  /// The selection.
  case selection = 1
  /// The handles, clockwise from the top left.
  case topLeft = 2, top, topRight, right, bottomRight, bottom, bottomLeft, left

  /// The handle this element stands for, if it is one.
  public var handle: Handle? { Handle(rawValue: rawValue - 2) }
}

/// What an accessible element is.
public enum ElementRole: Int, Hashable, Sendable {
  /// The picture; the selection; one of its handles.
  case picture = 0, selection, handle
}

/// An accessible element: numbers and keys, from which a face makes words.
public struct AccessibleElement: Hashable, Sendable {
  /// Which element.
  public var key: ElementKey
  /// What it is.
  public var role: ElementRole {
    switch key {
    case .picture: .picture
    case .selection: .selection
    default: .handle
    }
  }
  /// Where it is, in view points.
  public var frame: ViewRect
  /// Whether it has the keyboard.
  public var isFocused: Bool
  /// What can be done with it.
  public var actions: ElementActions
  /// The selection in frame pixels, or the whole frame for the picture.
  public var value: FrameRect
}

/// What assistive technology can do with an element.
public struct ElementActions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Actions from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Make its value larger.
  public static var increment: Self { Self(rawValue: 1) }
  /// Make its value smaller.
  public static var decrement: Self { Self(rawValue: 2) }
  /// Move it with the arrow keys.
  public static var move: Self { Self(rawValue: 4) }
  /// Use it.
  public static var activate: Self { Self(rawValue: 8) }
}

/// Something to say aloud after a change.
public enum Announcement: Hashable, Sendable {
  /// The selection is another.
  case selection(FrameRect)
  /// Nothing is selected; a step was taken back; done again; all as opened.
  case cleared, undone, redone, reset
  /// The picture is turned by so many quarters clockwise, 0 to 3.
  case turned(quarterTurns: Int)
  /// The picture was mirrored.
  case mirrored
  /// The picture is tilted.
  case tilt(Angle)
  /// The ratio to keep is another; nil when any will do.
  case ratio(AspectRatio?)
  /// The outline is another.
  case shape(CropShape)
  /// Nothing moved: a limit is reached.
  case limit
  /// A rule gave way to a higher one.
  case violatedRule(SelectionRule)
}

/// The pointer's look.
public enum CropCursor: Int, Hashable, Sendable {
  /// The usual arrow; drawing; moving.
  case standard = 0, crosshair, move
  /// Panning, at rest and under way.
  case grab, grabbing
  /// Resizing: up and down, left and right, along the falling and the rising diagonal.
  case resizeVertical, resizeHorizontal, resizeFalling, resizeRising
}
