import CropArguments
import CropImaging

extension CropJob {
  /// The job of a simple `crop` command, parsed without ArgumentParser; nil for any other command,
  /// and for any error. The full parser then parses it and reports the error.
  ///
  /// Describing all options of all commands to the parser takes 30 of 36 million instructions of a
  /// lossless crop (2.5 ms). The options and the form of their values come from the tables that are
  /// generated from `Schema/options.json`.
  init?(plain arguments: [String]) {
    guard arguments.count >= 2, arguments[0] == "crop" else { return nil }
    var words = PlainWords(arguments.dropFirst())
    var what = SpecArguments()
    var options = ResultOptions()
    var output: FileArgument?
    var input: FileArgument?
    var isForced = false
    var isInPlace = false
    while let word = words.next() {
      if let key = SpecArguments.Key(option: word) {
        let text = key.isFlag ? words.isFirst(word) ? "true" : nil : words.value(of: word)
        guard let text, what.set(key, to: text) else { return nil }
      } else if let key = ResultOptions.Key(option: word), key != .lenient {
        let text = key.isFlag ? words.isFirst(word) ? "true" : nil : words.value(of: word)
        guard let text, options.set(key, to: text) else { return nil }
      } else {
        switch word {
        case "-o", "--output":
          guard let name = words.value(of: "-o") else { return nil }
          output = FileArgument(argument: name)
        case "--force" where words.isFirst(word): isForced = true
        case "--in-place" where words.isFirst(word): isInPlace = true
        default:
          guard input == nil, word == "-" || !word.hasPrefix("-") else { return nil }
          input = FileArgument(argument: word)
        }
      }
    }
    guard let input, input.isStandardStream || !input.isFolder, what.problem == nil,
      (output != nil) != isInPlace, !isInPlace || !isForced,
      !isInPlace || !input.isStandardStream
    else { return nil }
    let task = CropTask(
      input: input, output: output ?? input, isInPlace: isInPlace, what: what.values,
      options: options)
    self.init(task: task, isForced: isForced)
  }
}

/// Arguments without repeated options or `--option=value`.
private struct PlainWords {
  private var rest: ArraySlice<String>
  private var seen: [String] = []

  init(_ words: ArraySlice<String>) { rest = words }

  mutating func next() -> String? { rest.popFirst() }

  /// Whether an option occurs for the first time.
  mutating func isFirst(_ option: String) -> Bool {
    if seen.contains(option) { return false }
    seen.append(option)
    return true
  }

  /// The argument after an option that occurs for the first time, unless it looks like an option.
  mutating func value(of option: String) -> String? {
    guard isFirst(option), let word = rest.popFirst(), word == "-" || !word.hasPrefix("-") else {
      return nil
    }
    return word
  }
}
