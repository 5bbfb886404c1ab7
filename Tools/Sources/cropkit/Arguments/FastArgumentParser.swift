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
    var rest = PlainArguments(arguments.dropFirst())
    var what = SpecArguments()
    var options = ResultOptions()
    var output: FileArgument?
    var input: FileArgument?
    var isForced = false
    var isInPlace = false
    while let argument = rest.next() {
      if let key = SpecArguments.Key(option: argument) {
        let text = key.isFlag ? rest.isFirst(argument) ? "true" : nil : rest.value(of: argument)
        guard let text, what.set(key, to: text) else { return nil }
      } else if let key = ResultOptions.Key(option: argument), key != .lenient {
        let text = key.isFlag ? rest.isFirst(argument) ? "true" : nil : rest.value(of: argument)
        guard let text, options.set(key, to: text) else { return nil }
      } else {
        switch argument {
        case "-o", "--output":
          guard let name = rest.value(of: "-o") else { return nil }
          output = FileArgument(argument: name)
        case "--force" where rest.isFirst(argument): isForced = true
        case "--in-place" where rest.isFirst(argument): isInPlace = true
        default:
          guard input == nil, argument == "-" || !argument.hasPrefix("-") else { return nil }
          input = FileArgument(argument: argument)
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
private struct PlainArguments {
  private var rest: ArraySlice<String>
  private var seen: [String] = []

  init(_ arguments: ArraySlice<String>) { rest = arguments }

  mutating func next() -> String? { rest.popFirst() }

  /// Whether an option occurs for the first time.
  mutating func isFirst(_ option: String) -> Bool {
    if seen.contains(option) { return false }
    seen.append(option)
    return true
  }

  /// The argument after an option that occurs for the first time, unless it looks like an option.
  mutating func value(of option: String) -> String? {
    guard isFirst(option), let argument = rest.popFirst(),
      argument == "-" || !argument.hasPrefix("-")
    else {
      return nil
    }
    return argument
  }
}
