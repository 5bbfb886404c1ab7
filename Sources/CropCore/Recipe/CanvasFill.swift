/// What fills a canvas around the crop.
public enum CanvasFill: Sendable, Hashable {
  /// A color; it also shows through transparent parts of the crop.
  case color(Background)
  /// Transparent pixels; formats without transparency use their background color.
  case transparent
  /// The median color of the crop's outermost pixels.
  case edge
  /// The crop, enlarged to cover the canvas and blurred.
  case blur
}

/// A canvas around a result, and its fill.
public struct FilledCanvas: Sendable, Hashable {
  /// The size of the canvas, and the position of the crop on it.
  public var canvas: CropCanvas
  /// What fills the canvas around the crop.
  public var fill: CanvasFill

  /// A canvas with a fill; by default white.
  public init(_ canvas: CropCanvas, fill: CanvasFill = .color(.white)) {
    self.canvas = canvas
    self.fill = fill
  }
}

#if !hasFeature(Embedded)
  extension CanvasFill {
    /// Parses a name (`transparent`, `edge`, `blur`) or a color; nil for any other text.
    public init?(text: String) {
      switch text.lowercased() {
      case "transparent": self = .transparent
      case "edge": self = .edge
      case "blur": self = .blur
      default:
        guard let color = Background(text: text) else { return nil }
        self = .color(color)
      }
    }

    /// The name or color, in the form that ``init(text:)`` reads.
    public var text: String {
      switch self {
      case .color(let color): color.text
      case .transparent: "transparent"
      case .edge: "edge"
      case .blur: "blur"
      }
    }
  }
#endif
