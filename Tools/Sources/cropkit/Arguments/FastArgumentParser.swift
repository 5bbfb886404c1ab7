import CropArguments
import CropImaging

extension CropJob {
  /// The job of a plain `crop` command, read without the argument parser; nil for anything that is
  /// more than that, above all for a mistake: the full parser then reads it and reports it.
  ///
  /// Describing every option of every command to the parser takes 2 ms, as long as many a cut.
  init?(plain arguments: [String]) {
    guard arguments.count >= 2, arguments[0] == "crop" else { return nil }
    var words = PlainWords(arguments.dropFirst())
    var what = WhatWords()
    var options = ResultOptions()
    var output: FileArgument?
    var input: FileArgument?
    var isForced = false
    var isInPlace = false
    while let word = words.next() {
      if let key = WhatWords.Key(option: word) {
        guard let text = words.value(of: word), what.set(key, to: text) else { return nil }
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
    guard let input, what.problem == nil, (output != nil) != isInPlace, !isInPlace || !isForced,
      !isInPlace || !input.isStandardStream
    else { return nil }
    let task = CropTask(
      input: input, output: output ?? input, isInPlace: isInPlace, what: what.values,
      options: options)
    self.init(task: task, isForced: isForced)
  }
}

/// Words of a command line, of which options come once and values are apart from them.
private struct PlainWords {
  private var rest: ArraySlice<String>
  private var seen: [String] = []

  init(_ words: ArraySlice<String>) { rest = words }

  mutating func next() -> String? { rest.popFirst() }

  /// Whether an option is met for the first time.
  mutating func isFirst(_ option: String) -> Bool {
    if seen.contains(option) { return false }
    seen.append(option)
    return true
  }

  /// The word after an option that is met for the first time, unless it looks like an option.
  mutating func value(of option: String) -> String? {
    guard isFirst(option), let word = rest.popFirst(), word == "-" || !word.hasPrefix("-") else {
      return nil
    }
    return word
  }
}
