/// An action that a button, a menu or a program requests.
public enum Command: Hashable, Sendable {
  /// Undoes the last step; redoes it.
  case undo, redo
  /// Restores the state in which the image was opened.
  case reset
  /// Clears the selection; selects the complete image.
  case clear, selectAll
  /// Turns the image by 90°, clockwise if `clockwise`.
  case turn(clockwise: Bool)
  /// Mirrors the image as it is displayed: left–right, or top–bottom if `vertically`.
  case mirror(vertically: Bool)
  /// Sets the tilt. All changes during one drag of a ruler make one step of the history.
  case tilt(CropAngle, TiltPhase)
  /// Sets the ratio.
  case ratio(RatioChoice)
  /// Exchanges width and height of the ratio, such as portrait for landscape.
  case swapRatio
  /// Gives the result this size in pixels, each side from 1 to 65,535, and keeps its ratio. With
  /// nil, the ratio stays and the result has the selection's size.
  case outputSize(FrameSize?)
  /// Limits the longer side of the result to this many pixels, 1 to 65,535, and does not change the
  /// ratio. With nil, the result has the selection's size.
  case longestSide(Int?)
  /// Sets whether the ratio stays as it is in a quarter turn; otherwise it turns with the image.
  case keepsRatio(Bool)
  /// Sets the outline.
  case shape(CropShape)
  /// Puts the result on a canvas, or on none.
  ///
  /// With `movesRatio`, the ratio moves between the selection and the canvas: with a canvas, the
  /// selection becomes free, and is extended to the complete image if nothing of the canvas would
  /// be visible; without one, the selection gets the canvas's ratio.
  case canvas(FilledCanvas?, movesRatio: Bool)
  /// Sets what drags and pinches do.
  case style(CropStyle)
  /// Sets how the image covers the viewfinder's frame.
  case cover(Cover)
  /// The smallest selection in frame pixels; nil for none.
  case minimumSize(FrameSize?)
  /// The largest selection in frame pixels; nil for none.
  case maximumSize(FrameSize?)
  /// The largest zoom, as a multiple of the smallest, at least 1. With nil, it is fifteen times that,
  /// and at least eight points per pixel.
  case largestZoom(Double?)
  /// Zooms by a factor about the view's center; shows the complete image.
  case zoom(Double), fit
  /// Moves the selection to the center of the image.
  case center
  /// Sets one number of the selection, in frame pixels.
  case set(SelectionField, Double)
  /// Chooses the grid lines over the selection.
  case grid(CropGrid)
  /// Chooses lines and areas over the result that help to place the photo; without marks, none.
  case guide(CropGuide)
  /// Sets the distance between the view's edges and its content, in view points. The default is 14,
  /// and less in a small view.
  case margin(Double)
  /// Sets the part of the view, in view points, that the image and the frame must fit in, for
  /// example if controls cover the rest. With nil, it is the whole view minus the margin.
  case layoutArea(ViewRect?)
  /// Sets the top of the viewfinder's frame, as a share of the view's height from 0 to 1. The frame
  /// always stays inside the view. With nil, it is centered.
  case viewfinderTop(Double?)
  /// Selects the area under a rectangle of the view, in view points, as if the user had drawn it.
  case select(ViewRect)
  /// Gives the keyboard focus to an element; nil removes it.
  case focus(ElementKey?)
  /// Increases or decreases an element's value, as assistive technology requests.
  case increment(ElementKey), decrement(ElementKey)
  /// Sets whether animations are skipped.
  case reduceMotion(Bool)
  /// Sets whether controls run from right to left; images never do.
  case rightToLeft(Bool)
  /// Sets whether the next drag draws a new selection, wherever it starts.
  case armDraw(Bool)
  /// Sets whether the next drag draws a line along a horizon, which then becomes level.
  case armLevel(Bool)
  /// Cancels the current gesture.
  case cancelGesture
  /// Moves the selection by less than a JPEG block to a position where the crop is lossless. Its
  /// size does not change.
  case snapToGrid
  /// Sets whether, and under what conditions, a JPEG is cut without decoding it.
  case lossless(LosslessMode)
  /// Requests the crop, as Enter does.
  case crop
}

/// What drags and pinches change.
public enum CropStyle: Int, Hashable, Sendable, CaseIterable {
  /// The image does not move; the user draws, moves and resizes a rectangle on it.
  case marquee = 0
  /// The viewfinder's frame does not move; the user pans and zooms the image behind it.
  case viewfinder = 1
  /// Handles resize the frame; the user pans, zooms and tilts the image behind it.
  case studio = 2
  /// The image does not move; the user moves four corners and their edges on it, and the area
  /// between them is straightened.
  case quad = 3

  /// Whether the image stays in place and the selection moves on it.
  var restsPicture: Bool { self == .marquee || self == .quad }

  /// Whether the user can draw a new rectangle.
  var canDraw: Bool { self == .marquee || self == .studio }
}

/// How the image must cover the viewfinder's frame.
public enum Cover: Int, Hashable, Sendable {
  /// On all four sides, always.
  case fill = 0
  /// Over its full width, and over its full height only if the image is tall enough.
  case fit = 1
}

/// Whether a tilt is typed or dragged.
public enum TiltPhase: Int, Hashable, Sendable {
  /// A single change, rounded to the nearest step.
  case once = 0
  /// A ruler is being dragged; the tilt snaps to zero near it.
  case dragging = 1
  /// The ruler was released.
  case ended = 2
}

/// A number of the selection that the user can type.
public enum SelectionField: Int, Hashable, Sendable {
  /// The left edge, the top edge, the width, the height.
  case x = 0, y, width, height
}

/// The grid lines over the selection.
public enum CropGrid: Int, Hashable, Sendable, CaseIterable {
  /// No lines; thirds; the golden section; the center lines; eight equal parts.
  case off = 0, thirds, golden, center, uniform
}

/// What the next drag does instead of the default of its style.
public enum NextDrag: Hashable, Sendable {
  /// It draws a selection.
  case draw
  /// It draws a line along a horizon, which then becomes level.
  case level
}
