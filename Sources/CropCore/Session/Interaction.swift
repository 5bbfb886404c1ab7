/// The numbers of the interaction. Lengths are view points, times seconds, unless said otherwise.
public enum Interaction {
  /// A handle's hit area, side to side, for a finger or a pen (Apple's and Google's guidelines: 44).
  public static var touchHitArea: Double { 44 }
  /// The same for a mouse.
  public static var mouseHitArea: Double { 24 }
  /// The most of a side that a hit area inside the selection may take, so that the middle still moves.
  public static var largestHitShare: Double { 1.0 / 3 }
  /// How long a handle's mark is.
  public static var markLength: Double { 20 }
  /// How thick a handle's mark is.
  public static var markThickness: Double { 3 }
  /// The least distance between lines of a JPEG's grid that are shown.
  public static var leastBlockStep: Double { 8 }
  /// A drawn rectangle below this, a side, counts as none.
  public static var leastDrawn: Double { 5 }
  /// The distance kept between the view's edges and what is fitted in it.
  public static var margin: Double { 14 }
  /// How far a mouse moves before a press is a drag.
  public static var mouseThreshold: Double { 1 }
  /// How far a finger or a pen moves before a touch is a drag.
  public static var touchThreshold: Double { 6 }
  /// A press longer than this is no tap.
  public static var longestTap: Seconds { 0.3 }
  /// A second tap later than this is no double tap.
  public static var doubleTapWait: Seconds { 0.3 }
  /// How far apart the taps of a double tap may be.
  public static var doubleTapReach: Double { 24 }
  /// The largest zoom, in multiples of the smallest.
  public static var largestZoom: Double { 15 }
  /// The zoom that can always be reached: view points a picture's pixel.
  public static var reachablePixel: Double { 8 }
  /// The zoom of a double tap, in multiples of the smallest.
  public static var doubleTapZoom: Double { 2.5 }
  /// How long the zoom of a double tap takes.
  public static var doubleTapDuration: Seconds { 0.2 }
  /// The zoom of a wheel's detent.
  public static var detentZoom: Double { 1.3 }
  /// The points a detent is reported as, when not precise.
  public static var detentLength: Double { 100 }
  /// The zoom of a point of a pinch by ctrl and wheel.
  public static var preciseZoom: Double { 1.005 }
  /// The exponent of resistance beyond a zoom limit: limit · (zoom / limit)^0.3.
  public static var overZoomExponent: Double { 0.3 }
  /// The most that resistance lets through beyond a zoom limit.
  public static var overZoomLimit: Double { 2 }
  /// The stiffness of the rubber band beyond an edge: (1 − 1 / (x·0.55/d + 1)) · d.
  public static var rubberBand: Double { 0.55 }
  /// How long the way back from beyond a limit takes.
  public static var bounceDuration: Seconds { 0.3 }
  /// What is left of a glide's speed after a millisecond.
  public static var glideDecay: Double { 0.998 }
  /// Below this speed, in points a second, a release does not glide.
  public static var leastGlide: Double { 30 }
  /// The time that the glide's speed is measured over.
  public static var glideMemory: Seconds { 0.1 }
  /// The wait before a frame recenters after a handle was dragged.
  public static var recenterWait: Seconds { 0.8 }
  /// How long recentring takes.
  public static var recenterDuration: Seconds { 0.5 }
  /// How long a quarter turn takes.
  public static var turnDuration: Seconds { 0.25 }
  /// How long a change of ratio takes.
  public static var ratioDuration: Seconds { 0.2 }
  /// The step of the tilt, in degrees.
  public static var tiltStep: Double { 0.1 }
  /// How far beyond zero, in degrees, zero holds a tilt that is dragged there from elsewhere.
  public static var tiltMagnet: Double { 0.5 }
  /// A pinch beyond this scale never becomes a twist.
  public static var pinchLock: Double { 1.2 }
  /// A twist beyond this angle, in degrees, never becomes a pinch.
  public static var twistLock: Double { 15 }
  /// The shade outside the selection.
  public static var shade: Double { 0.65 }
  /// The shade while something is held.
  public static var touchingShade: Double { 0.35 }
  /// How long the shade takes to lighten, waits to darken, and takes to darken.
  public static var shadeLighten: Seconds { 0.05 }
  /// The wait before the shade darkens again.
  public static var shadeWait: Seconds { 0.35 }
  /// How long the shade takes to darken.
  public static var shadeDarken: Seconds { 0.35 }
  /// How near an edge or centre line must be to be snapped to.
  public static var snapReach: Double { 6 }
  /// The width of the band along the view's edge in which a drag scrolls a zoomed picture.
  public static var scrollBand: Double { 28 }
  /// The fastest such scroll, in points a second.
  public static var scrollSpeed: Double { 600 }
  /// The radius of the lens near a finger that holds a handle.
  public static var lensRadius: Double { 52 }
  /// From the finger to the lens' middle.
  public static var lensDistance: Double { 100 }
  /// How much larger the lens shows the picture.
  public static var lensMagnification: Double { 2.5 }
  /// Arrow keys: one pixel, ten with shift, a hundred with control or command.
  public static var keySteps: (plain: Double, shift: Double, command: Double) { (1, 10, 100) }
  /// The zoom of the plus key.
  public static var keyZoom: Double { 1.3 }
  /// Nudges nearer in time than this are one step of the history.
  public static var nudgePause: Seconds { 1 }
  /// The most steps the history keeps.
  public static var longestHistory: Int { 200 }
}
