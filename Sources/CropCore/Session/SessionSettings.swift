/// How a session works: what a person or a program chose, and what no step of the history changes.
public struct SessionSettings: Hashable, Sendable {
  /// Who does what.
  public internal(set) var style: CropStyle = .marquee
  /// How the viewfinder's picture covers the viewfinder's frame.
  public internal(set) var cover: Cover = .fill
  /// The helping lines that are always shown.
  public internal(set) var grid: Grid = .off
  /// Whether animations land at once.
  public internal(set) var reducesMotion = false
  /// Whether controls run from right to left.
  public internal(set) var isRightToLeft = false
  /// The smallest selection, in frame pixels.
  public internal(set) var minimum: FrameSize?
  /// The largest selection, in frame pixels.
  public internal(set) var maximum: FrameSize?
  /// Whether a quarter turn keeps the ratio and does not turn it with the picture.
  public internal(set) var keepsRatio = false
  /// Whether a JPEG is to be cut without decoding it.
  public internal(set) var lossless: LosslessMode = .strict
  /// The distance kept between the view's edges and what is fitted in it, in view points.
  public internal(set) var margin = Interaction.margin
  /// The part of the view in which pictures and frames are fitted; nil for all but the margin.
  public internal(set) var layoutArea: ViewRect?
  /// Where the viewfinder's frame has its top, as a share of the view's height; nil for the middle.
  public internal(set) var viewfinderTop: Double?
}
