/// A time in seconds since any fixed moment; only differences count.
public typealias Seconds = Double

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

/// What touches the view.
public enum PointerKind: Int, Hashable, Sendable {
  /// A mouse or a trackpad's pointer.
  case mouse = 0
  /// A finger.
  case touch = 1
  /// A stylus.
  case pen = 2
}

/// A step in the life of a pointer.
public enum PointerPhase: Int, Hashable, Sendable {
  /// Pressed, or put down.
  case down = 0
  /// Moved; without a `down` before it, the pointer hovers.
  case move = 1
  /// Released.
  case up = 2
  /// Taken away by the system: the gesture never happened.
  case cancel = 3
  /// A hovering pointer left the view.
  case leave = 4
}

/// Which button a pointer pressed.
public enum PointerButton: Int, Hashable, Sendable {
  /// The main button, or contact.
  case primary = 0
  /// The middle button: pans.
  case middle = 1
}

/// The keys held while something else happens.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Modifiers from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Keeps the ratio; ten pixels a key press.
  public static var shift: Self { Self(rawValue: 1) }
  /// Resizes about the centre; arrows resize.
  public static var alt: Self { Self(rawValue: 2) }
  /// Control or command; a hundred pixels a key press.
  public static var command: Self { Self(rawValue: 4) }
  /// The space bar: moves instead.
  public static var space: Self { Self(rawValue: 8) }
}

/// Something a pointer did.
public struct PointerInput: Hashable, Sendable {
  /// What it did.
  public var phase: PointerPhase
  /// Which pointer; the same number from down to up.
  public var id: Int
  /// Where it is.
  public var position: ViewPoint
  /// When.
  public var time: Seconds
  /// What it is.
  public var kind: PointerKind
  /// Which button is down.
  public var button: PointerButton
  /// The keys held.
  public var modifiers: Modifiers

  /// Something a pointer did.
  public init(
    _ phase: PointerPhase, id: Int = 0, at position: ViewPoint, time: Seconds,
    kind: PointerKind = .mouse, button: PointerButton = .primary, modifiers: Modifiers = []
  ) {
    self.phase = phase
    self.id = id
    self.position = position
    self.time = time
    self.kind = kind
    self.button = button
    self.modifiers = modifiers
  }
}

/// A turn of the wheel or a two-finger scroll.
public struct WheelInput: Hashable, Sendable {
  /// Where the pointer is.
  public var position: ViewPoint
  /// How far, in view points; positive scrolls down and to the right.
  public var delta: ViewVector
  /// Whether it comes from a trackpad or a smooth wheel and not in detents.
  public var isPrecise: Bool
  /// The keys held; with `command` it is a pinch.
  public var modifiers: Modifiers
  /// When.
  public var time: Seconds

  /// A turn of the wheel.
  public init(
    at position: ViewPoint, delta: ViewVector, isPrecise: Bool, modifiers: Modifiers = [],
    time: Seconds
  ) {
    self.position = position
    self.delta = delta
    self.isPrecise = isPrecise
    self.modifiers = modifiers
    self.time = time
  }
}

/// A key the session knows.
public enum Key: Int, Hashable, Sendable {
  /// The arrow keys.
  case left = 0, right, up, down
  /// Crops.
  case enter
  /// Cancels the gesture, then clears.
  case escape
  /// Delete or Backspace: clears.
  case delete
  /// Walks the selection and its handles.
  case tab
  /// Zooms in and out; fits.
  case plus, minus, zero
  /// Letters: turn, mirror, undo, redo.
  case r, h, v, z
  /// The space bar going down and up.
  case spaceDown, spaceUp
  /// Redo, with control.
  case y
}

/// Anything that happens to a session.
public enum Input: Hashable, Sendable {
  /// A pointer did something.
  case pointer(PointerInput)
  /// The wheel turned.
  case wheel(WheelInput)
  /// A trackpad magnified by `factor` about a point.
  case magnify(at: ViewPoint, factor: Double, time: Seconds)
  /// A key was pressed.
  case key(Key, Modifiers, time: Seconds)
  /// The view has another size.
  case resize(ViewSize)
  /// Time passed; sent every frame while the session wants ticks.
  case tick(Seconds)
  /// A button or menu was used; without a time, no time has passed since the last input.
  case command(Command, time: Seconds? = nil)
}

/// What a button, a menu or a program asks for.
public enum Command: Hashable, Sendable {
  /// Takes the last step back; does it again.
  case undo, redo
  /// Back to how the picture was opened.
  case reset
  /// Selects nothing; selects the whole picture.
  case clear, selectAll
  /// Turns by 90°, clockwise if `clockwise`.
  case turn(clockwise: Bool)
  /// Mirrors what is seen: left–right, or top–bottom if `vertically`.
  case mirror(vertically: Bool)
  /// Sets the tilt; the steps of one drag of a ruler are one step of the history.
  case tilt(Angle, TiltPhase)
  /// Sets the ratio.
  case ratio(RatioChoice)
  /// Portrait for landscape.
  case swapRatio
  /// Keeps the ratio of a size in pixels, sides 1 to 65,535, and makes the result exactly that large;
  /// nil leaves the ratio and gives the result the selection's size.
  case outputSize(FrameSize?)
  /// Makes the result's longer side at most so many pixels, 1 to 65,535, whatever the ratio; nil gives
  /// the result the selection's size.
  case longestSide(Int?)
  /// Whether a quarter turn keeps the ratio as it is and does not turn it with the picture.
  case keepsRatio(Bool)
  /// Sets the outline.
  case shape(CropShape)
  /// Sets who does what.
  case style(CropStyle)
  /// Sets how the viewfinder covers.
  case cover(Cover)
  /// The smallest selection in frame pixels; nil for none.
  case minimumSize(FrameSize?)
  /// The largest selection in frame pixels; nil for none.
  case maximumSize(FrameSize?)
  /// Zooms about the middle; shows all.
  case zoom(Double), fit
  /// Moves the selection to the picture's middle.
  case center
  /// Sets one number of the selection, in frame pixels.
  case set(SelectionField, Double)
  /// Chooses the helping lines.
  case grid(Grid)
  /// The room round the frame, in view points; 14 unless set, less in a small view.
  case margin(Double)
  /// The part of the view, in view points, in which pictures and frames are fitted, as where controls
  /// lie over the view; nil for all of it but the margin.
  case room(ViewRect?)
  /// Where the viewfinder's opening has its top, as a share of the view's height from 0 to 1, as far
  /// as there is room for it; nil for the middle.
  case openingTop(Double?)
  /// Selects what lies under a rectangle of the view, in view points, as drawing it would.
  case select(ViewRect)
  /// Gives the keyboard to an element; nil takes it away.
  case focus(ElementKey?)
  /// Makes an element's value larger or smaller, as assistive technology asks.
  case increment(ElementKey), decrement(ElementKey)
  /// Whether animations land at once.
  case reduceMotion(Bool)
  /// Whether controls run from right to left; pictures never do.
  case rightToLeft(Bool)
  /// The next drag draws a new selection, whatever it starts on.
  case armDraw(Bool)
  /// The next drag draws along a horizon, which becomes level.
  case armLevel(Bool)
  /// Cancels what the fingers are doing.
  case cancelGesture
  /// Sets whether a JPEG is to be cut without decoding it.
  case lossless(LosslessMode)
  /// Asks for the crop, as Enter does.
  case crop
}

/// Who does what with drags and pinches.
public enum CropStyle: Int, Hashable, Sendable, CaseIterable {
  /// The picture rests; a rectangle is drawn, moved and resized on it.
  case marquee = 0
  /// The opening rests; the picture is panned and pinched behind it.
  case viewfinder = 1
  /// Handles resize the frame, the picture pans, pinches and tilts under it.
  case studio = 2
}

/// How the viewfinder's picture covers the opening.
public enum Cover: Int, Hashable, Sendable {
  /// Always on all four sides.
  case fill = 0
  /// In its width; in its height only if the picture is tall enough.
  case fit = 1
}

/// Whether a tilt is typed or dragged.
public enum TiltPhase: Int, Hashable, Sendable {
  /// One change, taken as it is to the nearest step.
  case once = 0
  /// A ruler is being dragged: near zero the tilt is zero.
  case dragging = 1
  /// The ruler was let go.
  case ended = 2
}

/// A number of the selection that can be typed.
public enum SelectionField: Int, Hashable, Sendable {
  /// The left edge, the top edge, the width, the height.
  case x = 0, y, width, height
}

/// Helping lines over the selection.
public enum Grid: Int, Hashable, Sendable, CaseIterable {
  /// No lines; thirds; the golden section; the centre; eight even lines.
  case off = 0, thirds, golden, center, uniform
}

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
  /// The input could not be: a number that is none, a recipe that does not fit.
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
