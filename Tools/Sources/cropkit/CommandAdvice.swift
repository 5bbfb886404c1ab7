import ArgumentParser
import CropImaging

/// Advice for a command line whose first word is not a command of this program, but an image or a
/// command of another one.
///
///     cropkit photo.jpg --aspect 1:1
///     cropkit resize photo.jpg --size 800x600
enum CommandAdvice {
  /// The error for such a command line; nil for any other.
  static func error(_ arguments: [String]) -> ValidationError? {
    guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
    if let option = options[first] {
      return ValidationError(
        "there is no command \(first.onOneLine); use cropkit crop IN \(option) -o OUT")
    }
    guard ImageFormat(fileExtension: extensionOf(first)) != nil else { return nil }
    let words = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
    let hasOutput = ["-o", "-d", "--in-place", "--output", "--directory"]
      .contains(where: arguments.contains)
    return ValidationError(
      "\(first.onOneLine) is not a command; use cropkit crop \(words.onOneLine)"
        + (hasOutput ? "" : " -o OUT"))
  }

  /// What does the work of other programs' commands.
  private static let options = [
    "resize": "--size WIDTHxHEIGHT", "scale": "--size WIDTHxHEIGHT", "rotate": "--rotate 90",
    "turn": "--rotate 90", "flip": "--flip vertical", "flop": "--flip horizontal",
    "mirror": "--flip horizontal", "convert": "--format NAME",
    "thumbnail": "--max-side 256", "straighten": "--tilt DEGREES",
  ]

  private static func extensionOf(_ name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last.map(String.init)
      ?? ""
  }
}
