#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Calls an action with every display frame, on request.
  @MainActor
  final class FrameClock {
    private let action: @MainActor (Seconds) -> Void
    private var link: CADisplayLink?

    init(_ action: @escaping @MainActor (Seconds) -> Void) {
      self.action = action
    }

    /// Whether `action` is called with every frame.
    var isRunning: Bool {
      get { link != nil }
      set {
        guard newValue != isRunning else { return }
        if newValue {
          let link = CADisplayLink(target: Target(self), selector: #selector(Target.frame(_:)))
          // Without a range, a phone with a 120 Hz display runs at 60.
          link.preferredFrameRateRange = CAFrameRateRange(minimum: 60, maximum: 120, preferred: 120)
          link.add(to: .main, forMode: .common)
          self.link = link
        } else {
          link?.invalidate()
          link = nil
        }
      }
    }

    /// The target of the display link, which retains it; it does not retain the clock.
    @MainActor
    private final class Target: NSObject {
      private weak var clock: FrameClock?

      init(_ clock: FrameClock) {
        self.clock = clock
      }

      @objc func frame(_ link: CADisplayLink) {
        guard let clock else { return link.invalidate() }
        clock.action(link.timestamp)
      }
    }
  }
#endif
