import ArgumentParser

/// The formats of option values, for messages about invalid values.
public enum OptionForm {
  /// The expected format of an option's value, with an example; nil if any text is valid or the
  /// parser lists the values. `option` has no dashes.
  public static func words(for option: String) -> String? { forms[option] }

  /// The error for a value that is out of range.
  public static func error(_ option: String, _ value: Int) -> ValidationError {
    ValidationError("--\(option) \(value): expected \(words(for: option) ?? "another value")")
  }
}

extension RawRepresentable<String> {
  /// The key of a command-line option, such as `maxBytes` for `--max-bytes`.
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
