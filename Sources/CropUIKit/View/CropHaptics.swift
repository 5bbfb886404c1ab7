#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Haptic feedback: a light tap when the selection snaps to a line, and a stronger one at a
  /// limit.
  @MainActor
  final class CropHaptics {
    #if os(visionOS)
      // There is no haptic feedback on this platform.
      func prepare() {}
      func play(_ changes: Changes) {}
    #else
      private let tick = UISelectionFeedbackGenerator()
      private let knock = UIImpactFeedbackGenerator(style: .rigid)

      /// Prepares the haptic engine, so that the first feedback is not late.
      func prepare() {
        tick.prepare()
        knock.prepare()
      }

      func play(_ changes: Changes) {
        if changes.contains(.caught) { tick.selectionChanged() }
        if changes.contains(.limit) { knock.impactOccurred() }
      }
    #endif
  }
#endif
