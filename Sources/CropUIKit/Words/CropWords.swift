#if canImport(UIKit)
  import CropCore
  import Foundation

  /// The words of a ``CropView`` in one language; `{0}`, `{1}` … stand for numbers.
  ///
  /// An app that speaks another language fills in a table of its own.
  public struct CropWords: Sendable {
    /// The language, for numbers: a locale's identifier.
    public var locale: Locale
    /// The picture: width, height.
    public var picture: String
    /// What to do while nothing is selected.
    public var pictureHint: String
    /// The selection's name.
    public var selection: String
    /// The selection's value: width, height, left, top.
    public var place: String
    /// The handles' names, clockwise from the top left.
    public var handles: [String]
    /// Actions that move an element by ten pixels.
    public var moveLeft: String, moveRight: String, moveUp: String, moveDown: String
    /// Said aloud after a change.
    public var cleared: String, undone: String, redone: String, reset: String
    /// Said after a turn, a mirror, a tilt (degrees), a ratio (two terms), a shape (its name).
    public var turned: String, mirrored: String, tilted: String, ratio: String, shape: String
    /// Said where any ratio will do; at a limit; where there is no room for the smallest size, or for a
    /// ratio.
    public var freeRatio: String, limit: String, noMinimum: String, noRatio: String
    /// The shapes' names.
    public var rectangle: String, ellipse: String, rounded: String
    /// The words of the buttons and screens.
    public var screens: ScreenWords

    /// The words in the app's language, as the system chose it for this person, else in English.
    public static var preferred: CropWords { preferred(Bundle.main.preferredLocalizations) }

    /// The words in the first language of a list that is known, else in English.
    static func preferred(_ languages: [String]) -> CropWords {
      for name in languages {
        if let words = words(of: name) { return words }
      }
      return .english
    }

    /// The words in the language of a tag such as `pt-BR`; nil where there are none. Chinese is
    /// written in simplified characters.
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
    /// The person's own locale if it is of a language, so that numbers look as usual; else the
    /// language's.
    static func matching(_ language: String) -> Locale {
      let own = Locale.current
      return own.identifier.hasPrefix(language.prefix(2)) ? own : Locale(identifier: language)
    }
  }

  extension CropWords {
    /// A number as the person writes it.
    func number(_ value: Double, decimals: Int = 0) -> String {
      // Rounding must not show a negative zero.
      let shown = abs(value) < 0.05 ? 0 : value
      return shown.formatted(
        .number.precision(.fractionLength(decimals)).locale(locale))
    }

    /// A phrase with its places filled.
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

    /// An element's name.
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

    /// An element's value; the picture has none.
    func value(of element: AccessibleElement) -> String? {
      element.key == .picture ? nil : place(place, of: element.value)
    }

    /// What the label beside the selection shows. Width stays before height, whichever way text
    /// runs.
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

    /// What is said aloud.
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
