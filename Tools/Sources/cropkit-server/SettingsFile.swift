import CropArguments
import FoundationEssentials
import Glibc

/// A settings file, converted to command-line arguments: `port = 9000` becomes `--port 9000`.
///
/// Its syntax is a subset of TOML: one key and value per line, comments, and tables for the
/// galleries. `url` below `[immich]` becomes `--immich-url`.
struct SettingsFile {
  /// The arguments, in the file's order.
  private(set) var arguments: [String] = []

  /// An error in a file.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Options with paths; in a file, relative paths start from its folder.
  private static let paths = [
    "socket", "token-file", "tls-cert", "tls-key", "samples", "library", "immich-key-file",
    "immich-ca-file", "webdav-password-file", "webdav-ca-file",
  ]

  private static let tables = ["immich", "webdav"]

  /// The arguments about galleries; others are ignored.
  static func galleryArguments() throws -> [String] {
    try arguments(of: nil).filter { argument in tables.contains { argument.hasPrefix("--\($0)-") } }
  }

  /// The arguments from the existing files, those of later files override earlier ones.
  static func arguments(of path: String?) throws -> [String] {
    if let path { return path == "none" ? [] : try SettingsFile(path, isNeeded: true).arguments }
    return try usual.flatMap { try SettingsFile($0, isNeeded: false).arguments }
  }

  /// The default locations of the files.
  private static var usual: [String] {
    let environment = ProcessInfo.processInfo.environment
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.config" : nil }
    return ["/etc/cropkit/server.toml"]
      + [own ?? home].compactMap { $0.map { "\($0)/cropkit/server.toml" } }
  }

  /// Reads a file. Blocks.
  ///
  /// - Throws: ``Fault`` with the number of the invalid line.
  init(_ path: String, isNeeded: Bool) throws {
    guard isNeeded || access(path, F_OK) == 0 else { return }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Fault(description: "\(path) can't be read: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & 0o002 == 0 else {
      throw Fault(
        description: "\(path) can be changed by other users; run: chmod o-w \(path)")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Fault(description: "\(path) is not UTF-8")
    }
    let folder = URL(filePath: path).deletingLastPathComponent().path
    var seen: Set<String> = []
    var table = ""
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      do throws(Fault) {
        var scanner = LineScanner(line)
        if let name = try scanner.table() {
          guard Self.tables.contains(name) else {
            throw Fault(description: "unknown table [\(name)]; expected [immich] or [webdav]")
          }
          table = "\(name)-"
          continue
        }
        guard let (own, values) = try scanner.setting() else { continue }
        let key = table + own
        guard seen.insert(key).inserted else { throw Fault(description: "\(key) occurs twice") }
        try add(key, values, folder: folder)
      } catch {
        throw Fault(description: "\(path): line \(index + 1): \(error)")
      }
    }
  }

  private mutating func add(
    _ key: String, _ values: [LineScanner.Value], folder: String
  ) throws(Fault) {
    guard !["config", "help", "version", "token"].contains(key) else {
      throw Fault(description: "\(key) can't be set in a file")
    }
    var own: [String] = []
    for value in values {
      switch value {
      case .switch(true): own.append("--\(key)")
      case .switch(false): break
      case .word(let word):
        own += ["--\(key)=\(Self.paths.contains(key) ? Self.path(word, from: folder) : word)"]
      }
    }
    // Parse each setting separately, so that an error has its line.
    do {
      let isSwitch = values == [.switch(false)]
      _ = try ServerOptions.parse(isSwitch ? ["--\(key)"] : own)
    } catch {
      let text = ServerOptions.message(for: error)
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
      throw Fault(
        description: OptionMistake(line).words.replacing("unknown option", with: "unknown setting")
          .replacing("--\(key)", with: key))
    }
    arguments += own
  }

  private static func path(_ path: String, from folder: String) -> String {
    if path == "none" || path.hasPrefix("/") || path.isEmpty { return path }
    if path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] {
      return home + path.dropFirst()
    }
    return folder.isEmpty ? path : "\(folder)/\(path)"
  }
}

/// Parses a line of a settings file.
struct LineScanner {
  /// A value: a string or number as an argument, or a Boolean.
  enum Value: Equatable {
    case word(String)
    case `switch`(Bool)
  }

  private var rest: Substring

  init(_ line: Substring) { rest = line }

  /// The name of the table that starts on this line; nil for another line.
  mutating func table() throws(SettingsFile.Fault) -> String? {
    skipSpaces()
    guard rest.first == "[" else { return nil }
    rest.removeFirst()
    skipSpaces()
    let name = take { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    skipSpaces()
    guard !name.isEmpty, rest.popFirst() == "]" else {
      throw fault("expected a table, such as [immich]")
    }
    skipSpaces()
    guard isAtEnd else { throw fault("unexpected \"\(rest)\" after the table") }
    return name
  }

  /// The key and its values, several for a list; nil for a blank line or a comment.
  mutating func setting() throws(SettingsFile.Fault) -> (String, [Value])? {
    skipSpaces()
    if isAtEnd { return nil }
    let key = take { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    skipSpaces()
    guard !key.isEmpty, rest.popFirst() == "=" else {
      throw fault("expected a setting, such as port = 9000")
    }
    skipSpaces()
    let values = rest.first == "[" ? try list() : [try value()]
    skipSpaces()
    guard isAtEnd else { throw fault("unexpected \"\(rest)\" after the value") }
    return (key, values)
  }

  private mutating func list() throws(SettingsFile.Fault) -> [Value] {
    rest.removeFirst()
    var values: [Value] = []
    while true {
      skipSpaces()
      if rest.first == "]" {
        rest.removeFirst()
        return values
      }
      values.append(try value())
      skipSpaces()
      if rest.first == "," {
        rest.removeFirst()
      } else if rest.first != "]" {
        throw fault("the list must end with ] on the same line")
      }
    }
  }

  private mutating func value() throws(SettingsFile.Fault) -> Value {
    if rest.first == "\"" { return .word(try text()) }
    if rest.first == "'" {
      rest.removeFirst()
      let word = take { $0 != "'" }
      guard rest.popFirst() == "'" else { throw fault("the closing quote is missing") }
      return .word(word)
    }
    let word = take { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_.".contains($0)) }
    switch word {
    case "true": return .switch(true)
    case "false": return .switch(false)
    case "": throw fault("the value is missing")
    default:
      guard let number = Int(word) else {
        throw fault("\(word) is not a value; put text in quotes")
      }
      return .word(String(number))
    }
  }

  private mutating func text() throws(SettingsFile.Fault) -> String {
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        switch rest.popFirst() {
        case "\"": text.append("\"")
        case "\\": text.append("\\")
        case "t": text.append("\t")
        default: throw fault(#"unknown escape; write \", \\ or \t"#)
        }
      default: text.append(character)
      }
    }
    throw fault("the closing quote is missing")
  }

  private var isAtEnd: Bool { rest.isEmpty || rest.first == "#" }

  private mutating func skipSpaces() { _ = take { $0 == " " || $0 == "\t" } }

  private mutating func take(_ isWanted: (Character) -> Bool) -> String {
    let taken = rest.prefix(while: isWanted)
    rest.removeFirst(taken.count)
    return String(taken)
  }

  private func fault(_ words: String) -> SettingsFile.Fault { .init(description: words) }
}
