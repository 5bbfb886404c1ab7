import CropCore
import Testing
import UIKit

@testable import CheckedCropUIKit

/// The elements, values and actions for VoiceOver.
struct AccessibilityTests {
  private let view = CropView()

  private func elements(_ style: CropStyle) -> [CropElement] {
    _ = Hand(on: view)
    view.words = .english
    view.style = style
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    return view.accessibilityElements as? [CropElement] ?? []
  }

  @Test func `the picture, the selection and its handles have names and values`() {
    let elements = elements(.studio)
    #expect(
      elements.map(\.accessibilityLabel) == [
        "Photo, 800 by 600 pixels", "Crop frame", "Top left corner", "Top edge",
        "Top right corner", "Right edge", "Bottom right corner", "Bottom edge",
        "Bottom left corner", "Left edge",
      ])
    #expect(elements[1].accessibilityValue == "800 by 600, left 0, top 0")
    #expect(
      elements[1].accessibilityFrameInContainerSpace
        == CGRect(x: 14, y: 14, width: 800, height: 600))
    #expect(elements[0].accessibilityTraits.contains(.image))
    #expect(elements.allSatisfy { $0.accessibilityTraits.contains(.adjustable) })
  }

  @Test func `with nothing selected the picture says what to do`() {
    let elements = elements(.marquee)
    #expect(elements.count == 1)
    #expect(elements[0].accessibilityHint == CropWords.english.pictureHint)
  }

  @Test func `the same element stays the same object`() {
    let before = elements(.studio)
    view.execute(.decrement(.right))
    let after = view.accessibilityElements as? [CropElement] ?? []
    #expect(zip(before, after).allSatisfy { $0 === $1 })
    #expect(after[1].accessibilityValue == "799 by 600, left 0, top 0")
  }

  @Test func `adjusting a handle moves it outward and back by a pixel`() {
    let right = elements(.studio).first { $0.key == .right }
    right?.accessibilityDecrement()
    #expect(view.recipe?.rect == rect(0, 0, 799, 600))
    right?.accessibilityIncrement()
    #expect(view.recipe?.rect == rect(0, 0, 800, 600))
  }

  @Test func `actions move their element, and announce its limit`() {
    UIAccessibility.isVoiceOverRunning = true
    UIAccessibility.posted = []
    let right = elements(.studio).first { $0.key == .right }
    let actions = right?.accessibilityCustomActions ?? []
    #expect(actions.map(\.name) == ["Move left", "Move right", "Move up", "Move down"])
    #expect(actions.first.map { $0.actionHandler?($0) } == true)
    #expect(view.recipe?.rect == rect(0, 0, 790, 600))
    _ = actions[1].actionHandler?(actions[1])
    _ = actions[1].actionHandler?(actions[1])
    #expect(
      UIAccessibility.posted == [
        "790 by 600, left 0, top 0", "800 by 600, left 0, top 0", "Can’t move further",
      ])
    UIAccessibility.isVoiceOverRunning = false
  }

  @Test func `activating the selection, and the magic tap, ask for the crop`() {
    let listener = Listener()
    let elements = elements(.studio)
    view.delegate = listener
    #expect(elements[1].accessibilityActivate())
    #expect(view.accessibilityPerformMagicTap())
    #expect(listener.reported == ["crop", "crop"])
  }

  @Test(arguments: ["ar", "de", "es", "fr", "it", "ja", "ko", "pt-BR", "zh-Hans-CN"])
  func `every phrase exists in every language, with the placeholders of the English one`(
    tag: String
  ) {
    func phrases(_ value: Any) -> [String] {
      Mirror(reflecting: value).children.flatMap { child -> [String] in
        if let text = child.value as? String { return [text] }
        if let texts = child.value as? [String] { return texts }
        return child.value is ScreenWords ? phrases(child.value) : []
      }
    }
    let words = CropWords.preferred(["tlh", tag, "en"])
    #expect(words.locale.identifier.hasPrefix(String(tag.prefix(2))))
    let (english, others) = (phrases(CropWords.english), phrases(words))
    #expect(english.count == others.count && english.count > 60)
    #expect(zip(english, others).count { $0 == $1 } < 6)
    for (one, other) in zip(english, others) {
      #expect(!other.isEmpty)
      for place in ["{0}", "{1}", "{2}", "{3}"] {
        #expect(one.contains(place) == other.contains(place), "\(one)")
      }
    }
  }

  @Test func `everything that is announced has words`() {
    let words = CropWords.english
    #expect(words.text(of: .ratio(nil)) == "Free ratio")
    #expect(words.text(of: .ratio(AspectRatio(3, 2))) == "Ratio 3 to 2")
    #expect(words.text(of: .tilt(CropAngle(degrees: 2.5))) == "Straightened by 2.5 degrees")
    #expect(words.text(of: .shape(.ellipse)) == "Shape: Ellipse")
    #expect(words.text(of: .violatedRule(.minimum)) == "The smallest size doesn’t fit here")
    #expect(words.text(of: .violatedRule(.ratio)) == "This ratio doesn’t fit here")
  }
}
