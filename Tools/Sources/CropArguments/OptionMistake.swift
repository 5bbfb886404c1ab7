/// What the argument parser says of a mistake, as one line that names what the option expects.
///
///     --aspect 1.5: expected WIDTH:HEIGHT, such as 16:9 or 1.91:1
///     --turn 45: expected 90, 180 or 270
///     unknown option --qualty (did you mean --quality?)
public struct OptionMistake {
  /// The line, without a full stop at its end.
  public let words: String

  /// The line for a message of the parser; a message of any other form stays as it is.
  public init(_ message: String) {
    var line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    if line.hasSuffix(".") { line.removeLast() }
    words = Self.invalid(line) ?? Self.missing(line) ?? Self.unknown(line) ?? line
  }

  /// `The value 'X' is invalid for '--option <name>'`, with or without a list of what would do.
  private static func invalid(_ line: String) -> String? {
    // The value is anything, so the words around it are sought from the end.
    guard line.hasPrefix("The value '"), let middle = line.ranges(of: "' is invalid for '").last,
      let end = line[middle.upperBound...].firstIndex(of: "'")
    else { return nil }
    let value = line.dropFirst("The value '".count)[..<middle.lowerBound]
    let option = optionName(line[middle.upperBound..<end])
    let known = line[end...].ranges(of: "Please provide one of ").first.map {
      values(line[$0.upperBound...])
    }
    guard let expected = OptionForm.words(for: String(option.drop { $0 == "-" })) ?? known else {
      return nil
    }
    return "\(option) \(value): expected \(expected)"
  }

  /// `Missing value for '--option <name>'`.
  private static func missing(_ line: String) -> String? {
    let start = "Missing value for '"
    guard line.hasPrefix(start) else { return nil }
    let option = optionName(line.dropFirst(start.count))
    let form = OptionForm.words(for: String(option.drop { $0 == "-" }))
    return "\(option) needs a value" + (form.map { ": \($0)" } ?? "")
  }

  /// `Unknown option '--option'`, with or without `. Did you mean '--other'?`.
  private static func unknown(_ line: String) -> String? {
    let start = "Unknown option '"
    guard line.hasPrefix(start) else { return nil }
    let parts = line.dropFirst(start.count).ranges(of: "'. Did you mean '").last
    guard let parts else { return "unknown option \(unquoted(line.dropFirst(start.count)))" }
    let option = String(line[..<parts.lowerBound].dropFirst(start.count))
    let other = unquoted(line[parts.upperBound...].dropLast(while: { $0 == "?" }))
    return "unknown option \(option)"
      + (areNear(option, other) ? " (did you mean \(other)?)" : "")
  }

  /// `--option` of `--option <name>'`.
  private static func optionName(_ text: Substring) -> String {
    unquoted(text.prefix { $0 != " " })
  }

  private static func unquoted(_ text: Substring) -> String {
    String(text.last == "'" ? text.dropLast() : text)
  }

  /// `'90', '180' or '270'`, or a list with dashes, as `90, 180 or 270`.
  private static func values(_ text: Substring) -> String {
    let listed = text.split(separator: " - ").dropFirst().map { $0.filter { $0 != " " } }
    guard let last = listed.last, listed.count > 1 else {
      return String(text).replacing("'", with: "").replacing(" and ", with: " or ")
    }
    return listed.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Whether one is a slip of the other: one letter in short names, two in longer ones.
  private static func areNear(_ one: String, _ other: String) -> Bool {
    distance(Array(one.utf8), Array(other.utf8)) <= (min(one.count, other.count) < 8 ? 1 : 2)
  }

  /// How many letters must be added, left out, replaced or swapped with their neighbour (Damerau and
  /// Levenshtein's optimal string alignment).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}

extension Substring {
  /// The text without the characters at its end that match.
  fileprivate func dropLast(while matches: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}
