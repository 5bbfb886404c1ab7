/// The forms of the values that options take, for messages about values that they don't.
public enum OptionForm {
  /// What the option of this name, without its dashes, takes, and an example; nil where any text does or the
  /// parser lists the values.
  public static func words(for option: String) -> String? { forms[option] }
}

extension RawRepresentable<String> {
  /// The key of an option as it stands in a command, such as `maxBytes` of `--max-bytes`.
  public init?(option: String) {
    guard option.hasPrefix("--") else { return nil }
    var name = ""
    var isCapital = false
    for letter in option.unicodeScalars.dropFirst(2) {
      switch letter {
      case "-": isCapital = true
      case "a"..."z", "0"..."9":
        name += isCapital ? String(letter).uppercased() : String(letter)
        isCapital = false
      default: return nil
      }
    }
    self.init(rawValue: name)
  }

  /// The option's name without dashes, such as `max-bytes` of `maxBytes`.
  public var option: String {
    rawValue.unicodeScalars.reduce(into: "") { name, letter in
      name += ("A"..."Z").contains(letter) ? "-" + String(letter).lowercased() : String(letter)
    }
  }
}
