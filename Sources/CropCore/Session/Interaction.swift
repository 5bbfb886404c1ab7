/// The constants of the interaction. Unless noted otherwise, lengths are view points and times
/// seconds.
public enum Interaction {
  /// The side of a handle's hit area for a finger or a pen (Apple's and Google's guidelines: at
  /// least 44).
  public static var touchHitArea: Double { 44 }
  /// The side of a handle's hit area for a mouse.
  public static var mouseHitArea: Double { 24 }
  /// The largest share of the selection's side that a hit area inside it may cover, so that a drag
  /// in the middle still moves the selection.
  public static var largestHitShare: Double { 1.0 / 3 }
  /// The length of a handle's mark.
  public static var markLength: Double { 20 }
  /// The thickness of a handle's mark.
  public static var markThickness: Double { 3 }
  /// The side of the square mark of one of four corners.
  public static var quadCornerMark: Double { 10 }
  /// The side of the square mark of an edge between two of four corners.
  public static var quadEdgeMark: Double { 7 }
  /// The smallest distance between lines of a JPEG's grid; a denser grid is not drawn.
  public static var leastBlockStep: Double { 8 }
  /// The smallest side of a drawn rectangle; a smaller one clears the selection.
  public static var leastDrawn: Double { 5 }
  /// The distance between the view's edges and its content.
  public static var margin: Double { 14 }
  /// The distance that a mouse must move before a press becomes a drag.
  public static var mouseThreshold: Double { 1 }
  /// The distance that a finger or a pen must move before a touch becomes a drag.
  public static var touchThreshold: Double { 6 }
  /// The longest duration of a tap.
  public static var longestTap: Seconds { 0.3 }
  /// The longest time between the two taps of a double tap.
  public static var doubleTapWait: Seconds { 0.3 }
  /// The longest distance between the two taps of a double tap.
  public static var doubleTapReach: Double { 24 }
  /// The largest zoom, as a multiple of the smallest.
  public static var largestZoom: Double { 15 }
  /// The zoom that can always be reached, in view points per image pixel.
  public static var reachablePixel: Double { 8 }
  /// The zoom of a double tap, as a multiple of the smallest.
  public static var doubleTapZoom: Double { 2.5 }
  /// The duration of the zoom after a double tap.
  public static var doubleTapDuration: Seconds { 0.2 }
  /// The zoom factor of one detent of a wheel.
  public static var detentZoom: Double { 1.3 }
  /// The scroll distance that a wheel that is not precise reports per detent.
  public static var detentLength: Double { 100 }
  /// The zoom factor per point of a pinch that is reported as Ctrl and wheel.
  public static var preciseZoom: Double { 1.005 }
  /// The exponent of the resistance beyond a zoom limit: the visible zoom is limit · (zoom /
  /// limit)^0.3.
  public static var overZoomExponent: Double { 0.3 }
  /// The largest visible zoom beyond a limit, as a multiple of the limit.
  public static var overZoomLimit: Double { 2 }
  /// The stiffness of the rubber band beyond an edge: a drag of x in a view of d moves (1 − 1 /
  /// (x·0.55/d + 1)) · d.
  public static var rubberBand: Double { 0.55 }
  /// The duration of the return from beyond a limit.
  public static var bounceDuration: Seconds { 0.3 }
  /// The share of a glide's speed that remains after each millisecond.
  public static var glideDecay: Double { 0.998 }
  /// The slowest release that glides, in points per second.
  public static var leastGlide: Double { 30 }
  /// The time over which the speed of a glide is measured.
  public static var glideMemory: Seconds { 0.1 }
  /// The delay between the end of a handle drag and recentering.
  public static var recenterWait: Seconds { 0.8 }
  /// The duration of recentering.
  public static var recenterDuration: Seconds { 0.5 }
  /// The duration of a quarter turn.
  public static var turnDuration: Seconds { 0.25 }
  /// The duration of a change of ratio.
  public static var ratioDuration: Seconds { 0.2 }
  /// The step of the tilt, in degrees.
  public static var tiltStep: Double { 0.1 }
  /// How far a dragged tilt must move beyond zero to leave it, in degrees.
  public static var tiltMagnet: Double { 0.5 }
  /// The scale beyond which a two-finger gesture only zooms.
  public static var pinchLock: Double { 1.2 }
  /// The angle, in degrees, beyond which a two-finger gesture only twists.
  public static var twistLock: Double { 15 }
  /// The opacity of the shade outside the selection, 0 to 1.
  public static var shade: Double { 0.65 }
  /// The opacity of the shade during a gesture, 0 to 1.
  public static var touchingShade: Double { 0.35 }
  /// How long the shade takes to lighten.
  public static var shadeLighten: Seconds { 0.05 }
  /// The delay before the shade darkens again.
  public static var shadeWait: Seconds { 0.35 }
  /// How long the shade takes to darken.
  public static var shadeDarken: Seconds { 0.35 }
  /// The largest distance at which an edge or center line snaps to another.
  public static var snapReach: Double { 6 }
  /// The width of the band along the view's edges in which a drag scrolls a zoomed image.
  public static var scrollBand: Double { 28 }
  /// The fastest scroll in that band, in points per second.
  public static var scrollSpeed: Double { 600 }
  /// The radius of the magnifier near a finger that drags a handle.
  public static var lensRadius: Double { 52 }
  /// The distance from the finger to the magnifier's center.
  public static var lensDistance: Double { 100 }
  /// The magnification of the image in the magnifier, relative to the view.
  public static var lensMagnification: Double { 2.5 }
  /// The steps of the arrow keys, in frame pixels: plain, with Shift, and with Control or Command.
  public static var keySteps: (plain: Double, shift: Double, command: Double) { (1, 10, 100) }
  /// The zoom factor of the plus key.
  public static var keyZoom: Double { 1.3 }
  /// The longest time between two nudges that make one history step.
  public static var nudgePause: Seconds { 1 }
  /// The largest number of history steps.
  public static var longestHistory: Int { 200 }
}
