import FoundationEssentials
import Glibc
import Logging

/// A log for programs: one JSON object per line, or lines with a priority (sd-daemon(3)).
struct LineLog: LogHandler {
  /// The format of a line.
  enum Form {
    case journal, json
  }

  let form: Form
  let stream: LogOutput
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(_ form: Form, stream: LogOutput) {
    self.form = form
    self.stream = stream
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    switch form {
    case .journal:
      let words = all.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      let line = words.isEmpty ? "\(event.message)" : "\(event.message) \(words)"
      // Text from a client may contain line breaks; it is printed on one line.
      stream.write("<\(Self.priority(event.level))>\(Self.onOneLine(line))\n")
    case .json:
      let time = Date().ISO8601Format(
        .iso8601(timeZone: .gmt, includingFractionalSeconds: true))
      var members = [
        ("time", Self.quoted(time + "Z")), ("level", Self.quoted(event.level.rawValue)),
        ("message", Self.quoted("\(event.message)")),
      ]
      let taken = members.map(\.0)
      members += all.map { key, value in
        let name = Self.names[key] ?? key
        return (taken.contains(name) ? "\(name)_" : name, Self.json(value))
      }
      let text = members.map { "\(Self.quoted($0)):\($1)" }.joined(separator: ",")
      stream.write("{\(text)}\n")
    }
  }

  /// Shorter names for the libraries' keys.
  private static let names = ["hb.request.id": "request"]
  /// The maximum number of characters of a value.
  private static let longest = 2000

  /// A number as a number, anything else as a string.
  private static func json(_ value: Logger.Metadata.Value) -> String {
    switch value {
    case .stringConvertible(let number as Int): return "\(number)"
    case .stringConvertible(let number as Double) where number.isFinite: return "\(number)"
    default:
      let text = "\(value)"
      return quoted(text.count > longest ? text.prefix(longest) + "…" : text)
    }
  }

  /// The priorities of syslog(3).
  private static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  private static func onOneLine(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
