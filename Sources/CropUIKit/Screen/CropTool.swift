#if canImport(UIKit)
  import CropCore
  import UIKit

  /// A control of a ``CropViewController``.
  public enum CropTool: Hashable, Sendable, CaseIterable {
    /// Controls in the top bar.
    case cancel, undo, redo, reset, done
    /// Controls in the bottom bar: the turn is clockwise, the mirror left–right.
    case turn, turnLeft, mirror, mirrorVertically, ratio, straighten

    /// The default controls. A narrow phone has no space for more beside the dial.
    public static let standard: [CropTool] = [
      .cancel, .undo, .redo, .reset, .done, .turn, .mirror, .ratio, .straighten,
    ]

    /// Whether the control is in the top bar.
    var isAtTop: Bool { [.cancel, .undo, .redo, .reset, .done].contains(self) }

    /// The control's name for users.
    func name(_ words: ScreenWords) -> String {
      switch self {
      case .cancel: words.cancel
      case .undo: words.undo
      case .redo: words.redo
      case .reset: words.reset
      case .done: words.done
      case .turn: words.turn
      case .turnLeft: words.turnLeft
      case .mirror: words.mirror
      case .mirrorVertically: words.mirrorVertically
      case .ratio: words.ratio
      case .straighten: words.straighten
      }
    }

    /// The name of the control's SF Symbol. The words for Cancel, Reset and Done don't fit beside
    /// each other on a phone in every language.
    var symbol: String {
      switch self {
      case .cancel: "xmark"
      case .reset: "arrow.counterclockwise"
      case .done: "checkmark"
      case .straighten: "level"
      case .undo: "arrow.uturn.backward"
      case .redo: "arrow.uturn.forward"
      case .turn: "rotate.right"
      case .turnLeft: "rotate.left"
      case .mirrorVertically: "arrow.up.and.down.righttriangle.up.righttriangle.down"
      case .mirror: "arrow.left.and.right.righttriangle.left.righttriangle.right"
      case .ratio: "aspectratio"
      }
    }
  }

  /// A ratio that a ``CropViewController`` offers.
  public struct CropRatioPreset: Hashable, Sendable {
    /// The title in the menu; nil for the ratio's default name.
    public var title: String?
    /// The ratio.
    public var ratio: RatioChoice

    /// A ratio with a title.
    public init(_ ratio: RatioChoice, title: String? = nil) {
      (self.ratio, self.title) = (ratio, title)
    }

    /// The default ratios: free, the image's, the square, and those of prints and screens in
    /// landscape and portrait format.
    public static var standard: [CropRatioPreset] {
      let fixed = AspectRatio.standingPresets.compactMap { AspectRatio(text: $0) }
        .flatMap { [$0.swapped, $0] }.map { CropRatioPreset(.fixed($0)) }
      let named: [RatioChoice] = [.free, .original(isSwapped: false), .fixed(.square)]
      return named.map { CropRatioPreset($0) } + fixed
    }

    /// The title in the menu.
    func name(_ words: CropWords) -> String {
      if let title { return title }
      switch ratio {
      case .free: return words.screens.free
      case .original: return words.screens.original
      case .fixed(.square): return words.screens.square
      case .fixed(let ratio):
        return words.number(Double(ratio.width)) + ":" + words.number(Double(ratio.height))
      }
    }
  }
#endif
