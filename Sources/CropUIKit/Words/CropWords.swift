#if canImport(UIKit)
  import CropCore
  import Foundation

  /// The texts of a ``CropView`` in one language; `{0}`, `{1}` … are placeholders for numbers.
  ///
  /// An app in another language provides its own table.
  public struct CropWords: Sendable {
    /// The locale that formats numbers.
    public var locale: Locale
    /// The description of the image: width, height.
    public var picture: String
    /// The hint on how to start, without a selection.
    public var pictureHint: String
    /// The name of the selection.
    public var selection: String
    /// The value of the selection: width, height, left, top.
    public var place: String
    /// The names of the handles, clockwise from the top left.
    public var handles: [String]
    /// The names of the actions that move an element by ten pixels.
    public var moveLeft: String, moveRight: String, moveUp: String, moveDown: String
    /// Announced after the selection is cleared, a step is undone or redone, and everything is
    /// reset.
    public var cleared: String, undone: String, redone: String, reset: String
    /// Announced after a turn, a mirror, a tilt (degrees), a ratio (two terms) and a shape (its
    /// name).
    public var turned: String, mirrored: String, tilted: String, ratio: String, shape: String
    /// Announced when any ratio is allowed, at a limit, and when there is no space for the smallest
    /// size or for a ratio.
    public var freeRatio: String, limit: String, noMinimum: String, noRatio: String
    /// The names of the shapes.
    public var rectangle: String, ellipse: String, rounded: String
    /// The texts beside a guide: where the top of the head, the eyes and the chin may be.
    public var guideCrown: String, guideEyes: String, guideChin: String
    /// The texts beside what an app covers, a cut line, and what is safe from the cut.
    public var guideCovered: String, guideTrim: String, guideSafe: String
    /// The texts of buttons and screens.
    public var screens: ScreenWords

    /// The texts in the app's language, as the system chose it; in English if CropKit does not have
    /// them.
    public static var preferred: CropWords { preferred(Bundle.main.preferredLocalizations) }

    /// The texts in the first supported language of a list; in English if there is none.
    static func preferred(_ languages: [String]) -> CropWords {
      for name in languages {
        if let words = words(of: name) { return words }
      }
      return .english
    }

    /// The texts in the language of a tag such as `pt-BR`; nil if they do not exist. Chinese is in
    /// simplified characters.
    private static func words(of tag: String) -> CropWords? {
      switch tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first {
      case "en": .english
      case "ar": .arabic
      case "de": .german
      case "es": .spanish
      case "fr": .french
      case "it": .italian
      case "ja": .japanese
      case "ko": .korean
      case "pt": .portuguese
      case "zh": .chinese
      default: nil
      }
    }
  }

  extension Locale {
    /// The user's locale if it has this language, so that numbers have a familiar format; otherwise
    /// the language's locale.
    static func matching(_ language: String) -> Locale {
      let own = Locale.current
      return own.identifier.hasPrefix(language.prefix(2)) ? own : Locale(identifier: language)
    }
  }

  extension CropWords {
    /// A number formatted for the user's locale.
    func number(_ value: Double, decimals: Int = 0) -> String {
      // Rounding must not show a negative zero.
      let shown = abs(value) < 0.05 ? 0 : value
      return shown.formatted(
        .number.precision(.fractionLength(decimals)).locale(locale))
    }

    /// A text with its placeholders replaced.
    func filled(_ phrase: String, _ parts: String...) -> String {
      var text = phrase
      for (index, part) in parts.enumerated() {
        text = text.replacingOccurrences(of: "{\(index)}", with: part)
      }
      return text
    }

    private func place(_ phrase: String, of rect: FrameRect) -> String {
      filled(
        phrase, number(rect.width), number(rect.height), number(rect.x), number(rect.y))
    }

    func name(of element: AccessibleElement) -> String {
      switch element.key {
      case .picture:
        filled(picture, number(element.value.width), number(element.value.height))
      case .selection: selection
      default:
        element.key.handle.flatMap {
          handles.indices.contains($0.rawValue) ? handles[$0.rawValue] : nil
        }
          ?? selection
      }
    }

    /// The value of an element; the image has none.
    func value(of element: AccessibleElement) -> String? {
      element.key == .picture ? nil : place(place, of: element.value)
    }

    /// The text of the label beside the selection. Width is always before height, also in
    /// right-to-left languages.
    func text(of label: SceneLabel) -> String {
      switch label {
      case .angle(let angle): return number(angle.degrees, decimals: 1) + "°"
      case .size(let size, let ratio):
        let text = "\(number(Double(size.width))) × \(number(Double(size.height)))"
        guard let ratio else { return "\u{2066}\(text)\u{2069}" }
        let terms = "\(number(Double(ratio.width))):\(number(Double(ratio.height)))"
        return "\u{2066}\(text) · \(terms)\u{2069}"
      }
    }

    /// The text beside a mark of a guide; nil for none.
    func text(of label: GuideLabel) -> String? {
      switch label {
      case .plain: nil
      case .crown: guideCrown
      case .eyes: guideEyes
      case .chin: guideChin
      case .covered: guideCovered
      case .trim: guideTrim
      case .safe: guideSafe
      }
    }

    func text(of announcement: Announcement) -> String {
      switch announcement {
      case .selection(let rect): place(place, of: rect)
      case .cleared: cleared
      case .undone: undone
      case .redone: redone
      case .reset: reset
      case .turned: turned
      case .mirrored: mirrored
      case .tilt(let angle): filled(tilted, number(angle.degrees, decimals: 1))
      case .ratio(nil): freeRatio
      case .ratio(let terms?):
        filled(ratio, number(Double(terms.width)), number(Double(terms.height)))
      case .shape(let shape): filled(self.shape, name(of: shape))
      case .limit: limit
      case .violatedRule(.minimum): noMinimum
      case .violatedRule: noRatio
      }
    }

    private func name(of shape: CropShape) -> String {
      switch shape {
      case .rectangle: rectangle
      case .ellipse: ellipse
      case .roundedRectangle: rounded
      }
    }
  }
#endif
