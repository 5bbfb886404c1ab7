#if canImport(UIKit)
  import CropCore
  import UIKit

  /// What hands feel: a tick where a line catches the selection, a knock at a limit.
  @MainActor
  final class CropHaptics {
    #if os(visionOS)
      // Nothing there can be felt.
      func prepare() {}
      func play(_ changes: Changes) {}
    #else
      private let tick = UISelectionFeedbackGenerator()
      private let knock = UIImpactFeedbackGenerator(style: .rigid)

      /// Wakes the motor, so that the first tick comes in time.
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
