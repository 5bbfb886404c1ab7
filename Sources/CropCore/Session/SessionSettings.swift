/// The settings of a session, chosen by the user or the program. They are not part of the history.
public struct SessionSettings: Hashable, Sendable {
  /// What drags and pinches change.
  public internal(set) var style: CropStyle = .marquee
  /// How the image must cover the viewfinder's frame.
  public internal(set) var cover: Cover = .fill
  /// The grid lines over the selection.
  public internal(set) var grid: CropGrid = .off
  /// Lines and areas over the result that help to place the photo.
  public internal(set) var guide = CropGuide()
  /// Whether animations are skipped.
  public internal(set) var reducesMotion = false
  /// Whether controls run from right to left.
  public internal(set) var isRightToLeft = false
  /// The smallest selection, in frame pixels.
  public internal(set) var minimum: FrameSize?
  /// The largest selection, in frame pixels.
  public internal(set) var maximum: FrameSize?
  /// The largest zoom, as a multiple of the smallest; nil for the default.
  public internal(set) var largestZoom: Double?
  /// Whether the ratio stays as it is in a quarter turn; otherwise it turns with the image.
  public internal(set) var keepsRatio = false
  /// Whether, and under what conditions, a JPEG is cut without decoding it.
  public internal(set) var lossless: LosslessMode = .exact
  /// The distance between the view's edges and its content, in view points.
  public internal(set) var margin = Interaction.margin
  /// The part of the view, in view points, that the image and the frame must fit in; nil for the
  /// whole view minus the margin.
  public internal(set) var layoutArea: ViewRect?
  /// The top of the viewfinder's frame, as a share of the view's height from 0 to 1; nil to center
  /// it.
  public internal(set) var viewfinderTop: Double?
}
