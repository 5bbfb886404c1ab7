#if canImport(UIKit)
  import CropCore
  import UIKit

  /// A control of a ``CropViewController``.
  public enum CropTool: Hashable, Sendable, CaseIterable {
    /// In the bar at the top.
    case cancel, undo, redo, reset, done
    /// In the bar at the bottom.
    case turn, mirror, ratio, straighten

    /// Whether the control lies at the top.
    var isAtTop: Bool { [.cancel, .undo, .redo, .reset, .done].contains(self) }

    /// What it is called.
    func name(_ words: ScreenWords) -> String {
      switch self {
      case .cancel: words.cancel
      case .undo: words.undo
      case .redo: words.redo
      case .reset: words.reset
      case .done: words.done
      case .turn: words.turn
      case .mirror: words.mirror
      case .ratio: words.ratio
      case .straighten: words.straighten
      }
    }

    /// The name of the system's symbol; nil for what is written out.
    var symbol: String? {
      switch self {
      case .cancel, .done, .reset, .straighten: nil
      case .undo: "arrow.uturn.backward"
      case .redo: "arrow.uturn.forward"
      case .turn: "rotate.right"
      case .mirror: "arrow.left.and.right.righttriangle.left.righttriangle.right"
      case .ratio: "aspectratio"
      }
    }
  }

  /// A ratio that a ``CropViewController`` offers.
  public struct CropRatioPreset: Hashable, Sendable {
    /// What the menu says; nil is the ratio's own name.
    public var title: String?
    /// The ratio.
    public var ratio: RatioChoice

    /// A ratio under a name.
    public init(_ ratio: RatioChoice, title: String? = nil) {
      (self.ratio, self.title) = (ratio, title)
    }

    /// Any, the picture's own, the square, and what prints and screens have, lying and standing.
    public static var standard: [CropRatioPreset] {
      let fixed = AspectRatio.standingPresets.compactMap { AspectRatio(text: $0) }
        .flatMap { [$0.swapped, $0] }.map { CropRatioPreset(.fixed($0)) }
      let named: [RatioChoice] = [.free, .original(isSwapped: false), .fixed(.square)]
      return named.map { CropRatioPreset($0) } + fixed
    }

    /// What the menu says.
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
