import UIKit

@testable import CheckedCropUIKit
@testable import CropCore

/// A crop screen without bars in a window, and the fingers that use its view: each input of a
/// script arrives as from UIKit.
final class Stage {
  let view: WatchedCropView
  private let screen: CropViewController
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 4000, height: 4000))
  /// The active touches, by the script's numbers.
  private var touches: [Int: UITouch] = [:]
  private var isSpaceDown = false
  private var reducesMotion = false
  private var now: Seconds = 0

  private init(at now: Seconds) {
    MediaTime.now = now
    view = WatchedCropView()
    screen = CropViewController(cropView: view)
    screen.tools = []
    view.givesHaptics = false
    window.addSubview(screen.view)
  }

  convenience init(_ style: CropStyle) {
    UIAccessibility.isReduceMotionEnabled = false
    self.init(at: 0)
    view.style = style
  }

  /// A copy of the stage, to continue differently.
  convenience init(copying other: Stage) {
    self.init(at: other.now)
    view.image = other.view.image
    screen.view.frame = other.screen.view.frame
    screen.view.layoutIfNeeded()
    view.pointers = other.view.pointers
    view.session = other.view.session
    view.announcements = other.view.announcements
    view.apply(.scene)
    (touches, isSpaceDown, now) = (other.touches, other.isSpaceDown, other.now)
    reducesMotion = other.reducesMotion
    view.semanticContentAttribute = other.view.semanticContentAttribute
  }

  /// Sends an input to the view.
  func perform(_ input: Input) {
    view.seen = []
    if input.isFinite, let time = input.time { now = time }
    MediaTime.now = now
    UIAccessibility.isReduceMotionEnabled = reducesMotion
    guard input.isFinite else {
      // UIKit never passes such numbers.
      view.send(input)
      return
    }
    switch input {
    case .pointer(let pointer): perform(pointer)
    case .wheel(let wheel): perform(wheel)
    case .magnify(let point, let factor, _): magnify(point, factor)
    case .key(let key, let modifiers, _): press(key, modifiers)
    case .resize(let size):
      screen.view.frame = CGRect(x: 10, y: 20, width: size.width, height: size.height)
    case .tick(let time):
      view.clock.frame(at: time)
    case .command(.reduceMotion(let reduces), _):
      reducesMotion = reduces
      UIAccessibility.isReduceMotionEnabled = reduces
      view.followSettings()
    case .command(.rightToLeft(let isRightToLeft), _):
      view.semanticContentAttribute = isRightToLeft ? .forceRightToLeft : .unspecified
      view.followSettings()
    case .command(let command, _): view.execute(command)
    }
    screen.view.layoutIfNeeded()
  }

  // MARK: Touches and pointers

  private func perform(_ pointer: PointerInput) {
    let point = CGPoint(x: pointer.position.x, y: pointer.position.y)
    if pointer.phase == .leave { return leave() }
    guard pointer.phase == .down || touches[pointer.id] != nil else {
      // UIKit only ends touches that have started; a pointer without a button hovers.
      if pointer.phase == .move, pointer.kind == .mouse { hover(point, pointer.modifiers) }
      return
    }
    let touch = touches[pointer.id] ?? UITouch(pointer.kind.touchType)
    touch.place(point, in: view, at: pointer.time)
    let event = UIEvent(pointer.modifiers.flags, pointer.button == .middle ? .button(3) : [])
    view.pointers.isSpaceHeld = isSpaceDown || pointer.modifiers.contains(.space)
    defer { view.pointers.isSpaceHeld = isSpaceDown }
    switch pointer.phase {
    case .down:
      touches[pointer.id] = touch
      view.touchesBegan([touch], with: event)
    case .move: view.touchesMoved([touch], with: event)
    case .up:
      touches[pointer.id] = nil
      view.touchesEnded([touch], with: event)
    case .cancel:
      touches[pointer.id] = nil
      view.touchesCancelled([touch], with: event)
    case .leave: break
    }
  }

  private var pointer: UIPointerInteraction? {
    view.interactions.compactMap { $0 as? UIPointerInteraction }.first
  }

  private func hover(_ point: CGPoint, _ modifiers: Modifiers) {
    guard let pointer else { return }
    _ = view.pointerInteraction(
      pointer, regionFor: UIPointerRegionRequest(point, modifiers.flags),
      defaultRegion: UIPointerRegion(rect: view.bounds))
  }

  private func leave() {
    guard let pointer else { return }
    let region = UIPointerRegion(rect: view.bounds, identifier: AnyHashable(view.session.cursor))
    view.pointerInteraction(pointer, willExit: region, animator: NoAnimation())
  }

  // MARK: Gestures and keys

  private func perform(_ wheel: WheelInput) {
    let kind: UIScrollTypeMask = wheel.isPrecise ? .continuous : .discrete
    for case let pan as UIPanGestureRecognizer in view.gestureRecognizers ?? []
    where pan.allowedScrollTypesMask == kind {
      pan.place = window(wheel.position)
      pan.way = CGPoint(x: -wheel.delta.dx, y: -wheel.delta.dy)
      pan.modifierFlags = wheel.modifiers.flags
      pan.fire(.changed)
    }
  }

  private func magnify(_ point: ViewPoint, _ factor: Double) {
    for case let pinch as UIPinchGestureRecognizer in view.gestureRecognizers ?? [] {
      pinch.place = window(point)
      pinch.scale = factor
      pinch.fire(.changed)
    }
  }

  private func window(_ point: ViewPoint) -> CGPoint {
    view.convert(CGPoint(x: point.x, y: point.y), to: nil)
  }

  private func press(_ key: Key, _ modifiers: Modifiers) {
    if key == .spaceDown { isSpaceDown = true }
    if key == .spaceUp { isSpaceDown = false }
    // The view ignores repeats of a key, so reset it first.
    if key == .spaceDown { view.pointers.isSpaceHeld = false }
    let press = UIPress(UIKey(key, modifiers.flags), at: now)
    if key == .spaceUp {
      view.pressesEnded([press], with: nil)
    } else {
      view.pressesBegan([press], with: nil)
    }
  }
}

/// A crop view that records changes.
final class WatchedCropView: CropView {
  var seen: Changes = []
  var announcements: [Announcement] = []

  override init(frame: CGRect) {
    super.init(frame: frame)
    watch()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    watch()
  }

  private func watch() {
    onChanges = { [weak self] changes in
      guard let self else { return }
      seen.formUnion(changes)
      if changes.contains(.announcement), let said = session.announcement {
        announcements.append(said)
      }
    }
  }
}

/// Animates nothing.
private final class NoAnimation: UIPointerInteractionAnimating {}

extension PointerKind {
  fileprivate var touchType: UITouch.TouchType {
    switch self {
    case .mouse: .indirectPointer
    case .touch: .direct
    case .pen: .pencil
    }
  }
}

extension Modifiers {
  fileprivate var flags: UIKeyModifierFlags {
    var flags: UIKeyModifierFlags = []
    if contains(.shift) { flags.insert(.shift) }
    if contains(.alt) { flags.insert(.alternate) }
    if contains(.command) { flags.insert(.command) }
    return flags
  }
}

extension UIKey {
  /// The key of a keyboard for a key of the session.
  fileprivate convenience init(_ key: Key, _ flags: UIKeyModifierFlags) {
    switch key {
    case .left: self.init(.keyboardLeftArrow, "", flags)
    case .right: self.init(.keyboardRightArrow, "", flags)
    case .up: self.init(.keyboardUpArrow, "", flags)
    case .down: self.init(.keyboardDownArrow, "", flags)
    case .enter: self.init(.keyboardReturnOrEnter, "\r", flags)
    case .escape: self.init(.keyboardEscape, "", flags)
    case .delete: self.init(.keyboardDeleteOrBackspace, "\u{8}", flags)
    case .tab: self.init(.keyboardTab, "\t", flags)
    case .spaceDown, .spaceUp: self.init(.keyboardSpacebar, " ", flags)
    case .plus: self.init(.keyboardA, "+", flags)
    case .minus: self.init(.keyboardA, "-", flags)
    case .zero: self.init(.keyboardA, "0", flags)
    case .r: self.init(.keyboardA, "r", flags)
    case .h: self.init(.keyboardA, "h", flags)
    case .v: self.init(.keyboardA, "v", flags)
    case .z: self.init(.keyboardA, "z", flags)
    case .y: self.init(.keyboardA, "y", flags)
    }
  }
}
