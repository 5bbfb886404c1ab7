#if canImport(UIKit)
  import CropCore
  import UIKit

  /// From the session to the screen.
  extension CropView {
    /// Does what a button or a menu asks for.
    ///
    /// - Returns: what it changed; `refused` for what can't be.
    @discardableResult
    public func perform(_ command: Command) -> Changes {
      send(.command(command, time: CACurrentMediaTime()))
    }

    /// Gives the session an input, and shows what it changed.
    @discardableResult
    func send(_ input: Input) -> Changes {
      let changes = session.handle(input)
      apply(changes)
      return changes
    }

    /// A frame of the screen, asked for because the session wants ticks.
    func frame(at time: Seconds) {
      send(.tick(time))
    }

    /// Shows and tells what changed, and no more.
    func apply(_ changes: Changes) {
      if changes.contains(.scene) { redraw() }
      clock.isRunning = session.wantsTicks && window != nil
      if changes.contains(.gestureStarted) {
        if givesHaptics { haptics.prepare() }
        delegate?.cropViewBeganGesture(self)
      }
      if givesHaptics { haptics.play(changes) }
      if changes.contains(.recipe) { delegate?.cropView(self, changed: session.recipe) }
      if changes.contains(.history) { delegate?.cropViewChangedHistory(self) }
      if changes.contains(.gestureEnded) { delegate?.cropViewEndedGesture(self) }
      if changes.contains(.cropWanted) { delegate?.cropViewWantsCrop(self) }
      if changes.contains(.elements), !session.isGestureActive { accessible.changed() }
      if changes.contains(.announcement), let announcement = session.announcement {
        accessible.say(words.text(of: announcement))
      }
      changed(changes)
    }

    /// Draws with the next layout, once however much happens until then.
    func redraw() {
      needsScene = true
      setNeedsLayout()
    }

    /// Draws the scene if it is another.
    func drawScene() {
      guard needsScene else { return }
      needsScene = false
      layers.draw(session.scene, look: look, words: words)
      refine()
    }

    /// Loads the stored pixels of what is shown, once all is at rest and the preview is too coarse.
    private func refine() {
      guard let picture, !session.isGestureActive, !session.wantsTicks else { return }
      let part = layers.partToRefine(of: picture)
      detail.load(part, of: picture) { [weak self] pixels, part in
        self?.layers.showDetail(pixels, of: part)
      }
    }

    /// Tells the session where pictures may lie.
    func followLayoutArea() {
      let wanted = layoutArea ?? safeLayoutArea
      guard wanted != toldLayoutArea else { return }
      toldLayoutArea = wanted
      perform(.layoutArea(wanted.map { ViewRect($0) }))
    }

    /// The safe area but the margin; nil where the safe area is all of the view.
    private var safeLayoutArea: CGRect? {
      guard respectsSafeArea, safeAreaInsets != .zero else { return nil }
      let margin = CGFloat(session.settings.margin)
      layoutMargins = UIEdgeInsets(top: margin, left: margin, bottom: margin, right: margin)
      return layoutMarginsGuide.layoutFrame
    }

    /// Takes over what the person has set for the device and the view.
    func followSettings() {
      let reduces = UIAccessibility.isReduceMotionEnabled
      if session.settings.reducesMotion != reduces { perform(.reduceMotion(reduces)) }
      let isRightToLeft = effectiveUserInterfaceLayoutDirection == .rightToLeft
      if session.settings.isRightToLeft != isRightToLeft { perform(.rightToLeft(isRightToLeft)) }
    }

    /// Takes over dark mode, contrast and the size of letters.
    func follow(_ traits: UITraitCollection) {
      layers.traits = traits
      redraw()
    }
  }
#endif
