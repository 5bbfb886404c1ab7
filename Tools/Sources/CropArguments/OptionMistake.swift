import ArgumentParser
import CropImaging
import Glibc

/// An error message of the argument parser, rewritten as one line that names what the option
/// expects.
///
///     --aspect 1.5: expected WIDTH:HEIGHT, such as 16:9 or 1.91:1
///     --rotate 45: expected 90, 180 or 270
///     unknown option --qualty (did you mean --quality?)
///     missing <in>
public struct OptionMistake {
  /// The line, without a full stop at its end.
  public let words: String

  /// Rewrites a message of the parser; an unknown message stays as it is.
  public init(_ message: String) {
    var line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    if line.hasSuffix(".") { line.removeLast() }
    words =
      Self.invalid(line) ?? Self.missing(line) ?? Self.unknown(line) ?? Self.argument(line) ?? line
  }

  /// `The value 'X' is invalid for '--option <name>'`, with or without a list of valid values.
  private static func invalid(_ line: String) -> String? {
    // The value can contain anything, so search for the words around it from the end.
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
    let option =
      parts.map { String(line[..<$0.lowerBound].dropFirst(start.count)) }
      ?? unquoted(line.dropFirst(start.count))
    if let known = elsewhere[option] { return "unknown option \(option); use \(known)" }
    guard let parts else { return "unknown option \(option)" }
    let other = unquoted(line[parts.upperBound...].dropLast(while: { $0 == "?" }))
    return "unknown option \(option)"
      + (areNear(option, other) ? " (did you mean \(other)?)" : "")
  }

  /// What has the effect of options of other programs.
  private static let elsewhere = [
    "--resize": "--size, --width, --height or --max-side",
    "--scale": "--size, --width, --height or --max-side",
    "--turn": "--rotate", "--for": "--to", "--mirror": "--flip", "--crop": "--rect",
    "--flop": "--flip horizontal", "--convert": "--format",
    "--ratio": "--aspect", "--box": "--rect", "--bbox": "--rect", "--straighten": "--tilt",
    "--angle": "--tilt", "--square": "--aspect 1:1", "--circle": "--shape circle",
    "--x": "--rect X,Y,WIDTH,HEIGHT", "--y": "--rect X,Y,WIDTH,HEIGHT",
    "--center": "--rect WIDTHxHEIGHT", "--thumbnail": "--max-side", "--max-size": "--max-side",
    "--strip-gps": "--strip location", "--strip-exif": "--strip all", "--overwrite": "--force",
    "--outdir": "-d", "--output-dir": "-d", "--explain": "--dry-run --json",
  ]

  /// `Missing expected argument '<name>'` (or `'<name> ...'`, `'--option <name>'`), and `Unexpected argument 'word'`.
  private static func argument(_ line: String) -> String? {
    for (start, words) in [
      ("Missing expected argument '", "missing"), ("Unexpected argument '", "unexpected argument"),
    ] where line.hasPrefix(start) {
      return "\(words) \(unquoted(line.dropFirst(start.count)).replacing(" ...", with: ""))"
    }
    return nil
  }

  /// Returns `--option` for `--option <name>'`.
  private static func optionName(_ text: Substring) -> String {
    unquoted(text.prefix { $0 != " " })
  }

  private static func unquoted(_ text: Substring) -> String {
    String(text.last == "'" ? text.dropLast() : text)
  }

  /// Returns `90, 180 or 270` for `'90', '180' or '270'` or for a list with dashes.
  private static func values(_ text: Substring) -> String {
    let listed = text.split(separator: " - ").dropFirst().map { $0.filter { $0 != " " } }
    guard let last = listed.last, listed.count > 1 else {
      return String(text).replacing("'", with: "").replacing(" and ", with: " or ")
    }
    return listed.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Whether one is a typo of the other: one letter in short names, two in longer ones.
  private static func areNear(_ one: String, _ other: String) -> Bool {
    distance(Array(one.utf8), Array(other.utf8)) <= (min(one.count, other.count) < 8 ? 1 : 2)
  }

  /// The number of letters to add, delete, replace or swap with their neighbor (optimal string
  /// alignment, a variant of the Damerau–Levenshtein distance).
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
  /// Removes matching characters from the end.
  fileprivate func dropLast(while matches: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}

extension ParsableCommand {
  /// Ends the program as the argument parser requests: help and versions are printed, an error is
  /// reported in one line.
  ///
  /// - Parameters:
  ///   - error: what parsing or running the command threw.
  ///   - command: the command whose `--help` the line mentions.
  ///   - warn: reports a line.
  ///   - unprinted: called, before it is reported, with the failure of standard output.
  public static func leave(
    _ error: any Error, command: String, warn: (String) -> Void,
    unprinted: (CropError) -> Void = { _ in }
  ) -> Never {
    let status = exitCode(for: error)
    if status == .success {
      do throws(CropError) {
        try OwnProgram.checkStandardOutput()
        try OwnProgram.writeToStandardOutput(fullMessage(for: error) + "\n")
      } catch {
        unprinted(error)
        warn(error.message)
        Glibc.exit(error.exitStatus)
      }
    } else {
      let message = message(for: error)
      if !message.isEmpty { warn("\(OptionMistake(message).words); see '\(command) --help'") }
    }
    Glibc.exit(status.rawValue)
  }
}
