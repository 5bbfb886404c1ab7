#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Shows the state of the session.
  extension CropView {
    /// Executes a command of a button, a menu or the app.
    ///
    /// - Returns: what changed; `refused` if the command is not possible.
    @discardableResult
    public func execute(_ command: Command) -> Changes {
      send(.command(command, time: CACurrentMediaTime()))
    }

    /// Passes an input to the session, and shows what it changed.
    @discardableResult
    func send(_ input: Input) -> Changes {
      let changes = session.handle(input)
      apply(changes)
      return changes
    }

    /// Handles a display frame, which was requested because the session wants ticks.
    func frame(at time: Seconds) {
      send(.tick(time))
    }

    /// Shows and reports only what changed.
    func apply(_ changes: Changes) {
      if changes.contains(.scene) { redraw() }
      clock.isRunning = session.wantsTicks && window != nil
      if changes.contains(.gestureStarted) {
        if givesHaptics { haptics.prepare() }
        delegate?.cropViewDidBeginGesture(self)
      }
      if givesHaptics { haptics.play(changes) }
      if changes.contains(.recipe) { delegate?.cropView(self, didChange: session.recipe) }
      if changes.contains(.history) { delegate?.cropViewDidChangeHistory(self) }
      if changes.contains(.gestureEnded) { delegate?.cropViewDidEndGesture(self) }
      if changes.contains(.cropWanted) { delegate?.cropViewDidRequestCrop(self) }
      if changes.contains(.elements), !session.isGestureActive { accessible.changed() }
      if changes.contains(.announcement), let announcement = session.announcement {
        accessible.say(words.text(of: announcement))
      }
      onChanges?(changes)
    }

    /// Draws with the next layout, only once for all changes until then.
    func redraw() {
      needsScene = true
      setNeedsLayout()
    }

    /// Draws the scene if it has changed.
    func drawScene() {
      guard needsScene else { return }
      needsScene = false
      layers.draw(session.scene, look: look, words: words)
      refine()
    }

    /// Loads the stored pixels of the visible part, when nothing moves and the preview has too few
    /// pixels.
    private func refine() {
      guard let picture = shownPicture, !session.isGestureActive, !session.wantsTicks else {
        return
      }
      let part = layers.partToRefine(of: picture)
      detail.load(part, of: picture) { [weak self] pixels, part in
        self?.layers.showDetail(pixels, of: part)
      }
    }

    func followLayoutArea() {
      let wanted = layoutArea ?? safeLayoutArea
      guard wanted != toldLayoutArea else { return }
      toldLayoutArea = wanted
      execute(.layoutArea(wanted.map { ViewRect($0) }))
    }

    /// The safe area minus the margin; nil if the safe area is the whole view.
    private var safeLayoutArea: CGRect? {
      guard respectsSafeArea, safeAreaInsets != .zero else { return nil }
      let margin = CGFloat(session.settings.margin)
      layoutMargins = UIEdgeInsets(top: margin, left: margin, bottom: margin, right: margin)
      return layoutMarginsGuide.layoutFrame
    }

    /// Applies the user's settings of the device and the view.
    func followSettings() {
      let reduces = UIAccessibility.isReduceMotionEnabled
      if session.settings.reducesMotion != reduces { execute(.reduceMotion(reduces)) }
      let isRightToLeft = effectiveUserInterfaceLayoutDirection == .rightToLeft
      if session.settings.isRightToLeft != isRightToLeft { execute(.rightToLeft(isRightToLeft)) }
    }

    /// Updates dark mode, contrast and text size.
    func follow(_ traits: UITraitCollection) {
      layers.traits = traits
      layers.label.fit()
      layers.notes.fit()
      redraw()
    }
  }
#endif
