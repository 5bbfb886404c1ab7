import CropCore

/// What fills a canvas beside the crop.
public enum CanvasFill: Sendable, Hashable {
  /// A colour, which also shows through transparent parts of the crop.
  case color(Background)
  /// Nothing; formats without transparency show their background.
  case transparent
  /// The median colour of the crop's outermost pixels.
  case edge
  /// The crop itself, enlarged so that it covers the canvas, and blurred.
  case blur
}

extension CanvasFill {
  /// The fill of a name (`transparent`, `edge`, `blur`) or a colour; nil for any other text.
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

  /// The name or colour, as ``init(text:)`` takes it.
  public var text: String {
    switch self {
    case .color(let color): color.text
    case .transparent: "transparent"
    case .edge: "edge"
    case .blur: "blur"
    }
  }
}
