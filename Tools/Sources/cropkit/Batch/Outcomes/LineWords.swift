import CropArguments
import CropImaging

/// Messages for the author of a line, who writes keys and not options of a command.
///
///     --aspect and --max-side can't be used together
///     aspect and maxSide can't be used together
enum LineWords {
  /// A message with keys instead of options, except in a name of `files` at its start. Options of
  /// `cropkit batch` that are not keys, such as `--force`, stay.
  static func text(_ message: String, about files: [String] = []) -> String {
    let start = files.map(\.onOneLine).filter { message.hasPrefix($0) }.max { $0.count < $1.count }
    var result = start ?? ""
    var rest = message.dropFirst(result.count)
    while let dashes = rest.firstRange(of: "--") {
      let before = rest[..<dashes.lowerBound].last ?? " "
      let name = rest[dashes.upperBound...].prefix { ("a"..."z").contains($0) || $0 == "-" }
      result += rest[..<dashes.lowerBound]
      rest = rest[dashes.upperBound...].dropFirst(name.count)
      result += (" (".contains(before) ? key(for: "--\(name)") : nil) ?? "--\(name)"
    }
    return result + rest
  }

  private static func key(for option: String) -> String? {
    if let key = CropArguments.Key(option: option) { return key.rawValue }
    if let key = ResultOptions.Key(option: option) {
      return "options.\(key.rawValue)" + (key.isFlag ? " true" : "")
    }
    return ["--recipe": "recipe", "--crop-from": "cropFrom"][option]
  }
}

extension CropWarning {
  /// The warning, for the author of a line.
  var inKeys: Self {
    Self(code: code, message: LineWords.text(message), dropped: dropped)
  }
}
