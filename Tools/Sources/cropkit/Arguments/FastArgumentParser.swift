import CropCore
import CropImaging

extension CropJob {
  /// The job of a plain `crop` command, read without the argument parser; nil for anything that is
  /// more than that, above all for a mistake: the full parser then reads it and reports it.
  ///
  /// Describing every option of every command to the parser takes 2 ms, as long as many a cut.
  init?(plain arguments: [String]) {
    guard arguments.count >= 2, arguments[0] == "crop" else { return nil }
    var words = PlainWords(arguments.dropFirst())
    var what = WhatToCut()
    var output: FileArgument?
    var input: FileArgument?
    var options = ResultOptions()
    var isForced = false
    var isInPlace = false
    while let word = words.next() {
      switch word {
      case "--rect":
        guard let rect = RectArgument(argument: words.value(of: word) ?? "") else { return nil }
        what.area = rect.area
      case "-o", "--output":
        guard let name = words.value(of: "-o") else { return nil }
        output = FileArgument(argument: name)
      case "--force" where words.isFirst(word): isForced = true
      case "--lossless":
        guard let mode = LosslessMode(rawValue: words.value(of: word) ?? "") else { return nil }
        options.lossless = mode
      case "--quality":
        guard let quality = words.number(of: word), quality <= 100 else { return nil }
        options.quality = quality
      case "--max-side":
        guard let side = words.number(of: word) else { return nil }
        what.output = .maxSide(side)
      case "--turn":
        guard let turn = words.number(of: word).flatMap({ TurnArgument(rawValue: $0) }) else {
          return nil
        }
        what.quarterTurns += turn.quarterTurns
      case "--mirror":
        guard let axis = MirrorArgument(rawValue: words.value(of: word) ?? "") else { return nil }
        what.mirror(axis)
      case "--strip":
        guard let policy = MetadataPolicy(rawValue: words.value(of: word) ?? "") else { return nil }
        options.metadata = policy
      case "--in-place" where words.isFirst(word): isInPlace = true
      case "--bake" where words.isFirst(word): options.isBaked = true
      case "--progressive" where words.isFirst(word): options.isProgressive = true
      default:
        guard input == nil, word == "-" || !word.hasPrefix("-") else { return nil }
        input = FileArgument(argument: word)
      }
    }
    guard let input, (output != nil) != isInPlace, !isInPlace || !isForced,
      !isInPlace || !input.isStandardStream
    else { return nil }
    let task = CropTask(
      input: input, output: output ?? input, isInPlace: isInPlace, what: what, options: options)
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

  /// A whole number of at least 1, in digits.
  mutating func number(of option: String) -> Int? {
    guard let word = value(of: option), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(word), number >= 1
    else { return nil }
    return number
  }
}
