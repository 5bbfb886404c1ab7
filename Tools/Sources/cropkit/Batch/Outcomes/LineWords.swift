import CropArguments
import CropImaging

/// Messages for the author of a line, who writes keys and not options of a command, or for a user of
/// the Python package, which writes the lines.
///
///     --aspect and --max-side can't be used together
///     aspect and maxSide can't be used together
///     aspect and max_side can't be used together
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

  /// What is wrong with a line's JSON.
  static func text(for error: any Error) -> String {
    DecodingError.words(for: error) { path in
      let name = DecodingError.name(of: path)
      guard CropError.Reader.current == .python, let key = path.first?.stringValue else {
        return name
      }
      let inOptions = key == "options" && path.count > 1
      let own = inOptions ? path[1].stringValue : key
      return own.snakeCased + name.dropFirst(inOptions ? "options.".count + own.count : key.count)
    }
  }

  private static func key(for option: String) -> String? {
    if CropError.Reader.current == .python {
      let name = String(option.dropFirst(2)).replacing("-", with: "_")
      if name.hasPrefix("limit_") { return "limits[\"\(name.dropFirst(6))\"]" }
      let isFlag = ResultOptions.Key(option: option)?.isFlag == true
      return isFlag || ["force", "resume", "keep_time"].contains(name) ? "\(name)=True" : name
    }
    if let key = SpecArguments.Key(option: option) { return key.rawValue }
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

extension String {
  /// A key as Python writes it: `max_side` for `maxSide`.
  fileprivate var snakeCased: String {
    reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
  }
}
