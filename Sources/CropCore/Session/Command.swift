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
  /// The distance between the view's edges and what is fitted in it, in view points; 14 unless set, less in a small view.
  case margin(Double)
  /// The part of the view, in view points, in which pictures and frames are fitted, as where controls
  /// lie over the view; nil for all of it but the margin.
  case layoutArea(ViewRect?)
  /// Where the viewfinder's frame has its top, as a share of the view's height from 0 to 1, as far
  /// as it fits; nil for the middle.
  case viewfinderTop(Double?)
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
  /// The viewfinder's frame rests; the picture is panned and pinched behind it.
  case viewfinder = 1
  /// Handles resize the frame, the picture pans, pinches and tilts under it.
  case studio = 2
}

/// How the viewfinder's picture covers the viewfinder's frame.
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
