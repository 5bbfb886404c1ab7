#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The view's elements for VoiceOver and Switch Control: one object for each element of the
  /// session. An object is kept while its element exists, so that the VoiceOver cursor stays on it.
  @MainActor
  final class AccessibleElements {
    private unowned let view: CropView
    private var known: [ElementKey: CropElement] = [:]

    init(view: CropView) {
      self.view = view
    }

    /// The current elements, in reading order.
    func current(_ elements: [AccessibleElement], words: CropWords) -> [CropElement] {
      let hasSelection = elements.contains { $0.key == .selection }
      let current = elements.map { element in
        let shown = known[element.key] ?? CropElement(element.key, of: view)
        shown.update(element, words: words, hasSelection: hasSelection)
        return shown
      }
      known = Dictionary(uniqueKeysWithValues: current.map { ($0.key, $0) })
      return current
    }

    /// Discards all labels, so that they are rebuilt on demand.
    func forget() {
      known = [:]
      changed()
    }

    /// Notifies VoiceOver that elements have moved.
    func changed() {
      guard UIAccessibility.isVoiceOverRunning else { return }
      UIAccessibility.post(notification: .layoutChanged, argument: nil)
    }

    func say(_ text: String) {
      guard UIAccessibility.isVoiceOverRunning else { return }
      UIAccessibility.post(notification: .announcement, argument: text)
    }
  }

  /// An element: the image, the selection or a handle.
  final class CropElement: UIAccessibilityElement {
    let key: ElementKey
    private weak var view: CropView?

    init(_ key: ElementKey, of view: CropView) {
      self.key = key
      self.view = view
      super.init(accessibilityContainer: view)
    }

    func update(_ element: AccessibleElement, words: CropWords, hasSelection: Bool) {
      accessibilityFrameInContainerSpace = CGRect(element.frame)
      accessibilityLabel = words.name(of: element)
      accessibilityValue = words.value(of: element)
      accessibilityHint = key == .picture && !hasSelection ? words.pictureHint : nil
      var traits: UIAccessibilityTraits = key == .picture ? .image : []
      if element.actions.contains(.increment) { traits.insert(.adjustable) }
      accessibilityTraits = traits
      accessibilityCustomActions = element.actions.contains(.move) ? moves(words) : nil
    }

    private func moves(_ words: CropWords) -> [UIAccessibilityCustomAction] {
      let ways: [(Key, String)] = [
        (.left, words.moveLeft), (.right, words.moveRight), (.up, words.moveUp),
        (.down, words.moveDown),
      ]
      return ways.map { arrow, name in
        UIAccessibilityCustomAction(name: name) { [weak self] _ in self?.move(arrow) ?? false }
      }
    }

    private func move(_ arrow: Key) -> Bool {
      guard let view else { return false }
      view.execute(.focus(key))
      return view.send(.key(arrow, .shift, time: CACurrentMediaTime())).contains(.handled)
    }

    override func accessibilityIncrement() {
      view?.execute(.increment(key))
    }

    override func accessibilityDecrement() {
      view?.execute(.decrement(key))
    }

    override func accessibilityActivate() -> Bool {
      guard key == .selection else { return false }
      return view?.execute(.crop).contains(.cropWanted) ?? false
    }
  }
#endif
