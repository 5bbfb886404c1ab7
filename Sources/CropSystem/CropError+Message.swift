extension CropError {
  /// Which limit was exceeded.
  public enum Limit: String, Sendable, Codable, CaseIterable {
    /// ``Limits/pixels``.
    case pixels
    /// ``Limits/output``.
    case output
    /// ``Limits/bytes``.
    case bytes
    /// ``Limits/scans``.
    case scans
    /// ``Limits/memory``, estimated from the header.
    case memory
  }

  /// What exceeds a limit, and the limit, such as `has 3 megapixels, more than the limit of 1`.
  static func excess(_ limit: Limit, actual: Int, allowed: Int) -> String {
    let (finding, most) =
      switch limit {
      case .pixels, .output:
        allowed % 100_000 == 0 && millions(actual) != millions(allowed)
          ? ("has \(millions(actual)) megapixels", millions(allowed))
          : ("has \(actual) pixels", "\(allowed)")
      case .bytes:
        size(actual) != size(allowed)
          ? ("has \(size(actual))", size(allowed)) : ("has \(actual) bytes", "\(allowed)")
      case .scans: ("has \(actual) progressive scans", "\(allowed)")
      case .memory: ("would need about \(size(actual)) of memory", size(allowed))
      }
    return "\(finding), more than the limit of \(most)"
  }

  /// Pixels as megapixels with one decimal, rounded up so that a number above a limit is also
  /// displayed as above it.
  private static func millions(_ pixels: Int) -> String {
    let (whole, rest) = pixels.quotientAndRemainder(dividingBy: 1_000_000)
    let tenth = (rest + 99_999) / 100_000
    if tenth == 0 { return "\(whole)" }
    return tenth == 10 ? "\(whole + 1)" : "\(whole).\(tenth)"
  }

  /// Bytes in the largest unit that gives at least 1, rounded up.
  static func size(_ bytes: Int) -> String {
    for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] where bytes >= unit {
      let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
      let tenth = (rest / (unit / 16) * 10 + 15) / 16
      if rest == 0 { return "\(whole) \(name)" }
      return tenth >= 10 ? "\(whole + 1) \(name)" : "\(whole).\(max(tenth, 1)) \(name)"
    }
    return bytes == 1 ? "1 byte" : "\(bytes) bytes"
  }

  /// `text` on one line, as messages show it: each control or invisible character, which file names
  /// may contain, becomes `?`.
  public static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          // Joiners are used in emoji and some scripts; other invisible characters can hide text.
          case .format where scalar.value == 0x200C || scalar.value == 0x200D: scalar
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "?"
          default: scalar
          }
        }))
  }
}

extension CropError {
  /// After how many seconds to try again, as the header `Retry-After` of a response says; nil for
  /// errors that another try does not change.
  public var retryAfter: Int? {
    if case .busy(let seconds) = self { seconds } else { nil }
  }
}

extension CropError: CustomStringConvertible {
  /// The message for a program in Swift.
  public var description: String { message(for: .swift) }
}

/// Content of a file other than its image that replacing the file would lose.
public struct DataLoss: Hashable, Sendable, Codable {
  /// The stable name, in kebab-case, such as `gain-map`.
  public let code: String
  /// The name for users, such as `gain map` or `2 other pages`.
  public let name: String

  /// A loss with the given code and name.
  public init(code: String, name: String) {
    self.code = code
    self.name = name
  }

  /// The names of `losses`, separated by commas, such as `gain map, video`.
  public static func names(_ losses: [Self]) -> String {
    losses.map(\.name).joined(separator: ", ")
  }
}
