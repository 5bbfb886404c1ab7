import CropCore

/// The JSON form: keys and values are those of the command's options, and all keys are optional.
///
///     {"format": "jpeg", "quality": 90, "maxBytes": 200000, "strip": "none", "srgb": false,
///      "background": "white", "page": 1, "2-4" or "all"}
///
/// ``provenance`` is not included: the program that saves a crop sets it.
extension ResultOptions: Codable {
  /// Reads the JSON form. Missing keys take their values from the options in the decoder's
  /// `userInfo` under ``base``; without these, the defaults.
  ///
  /// - Throws: `DecodingError` for a wrong type or value, or an unknown key, which it names.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    self = Self.base.flatMap { decoder.userInfo[$0] as? Self } ?? Self()
    for key in Key.allCases where fields.contains(key) {
      guard let text = try fields.text(key, key.kind) else { continue }
      guard set(key, to: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: fields,
          debugDescription: "\"\(text)\" is not understood; expected \(key.expected)")
      }
    }
  }

  /// Writes every key. If format, quality or page is not set, its value is null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    for key in Key.allCases {
      switch value(of: key) {
      case nil: try fields.encodeNil(forKey: key)
      case .flag(let flag): try fields.encode(flag, forKey: key)
      case .number(let number): try fields.encode(number, forKey: key)
      case .name(let name): try fields.encode(name, forKey: key)
      }
    }
  }
}

/// The value of an option as JSON.
enum OptionValue {
  case flag(Bool)
  case number(Int)
  case name(String)
}

extension ResultOptions {
  /// The key of the decoder's `userInfo` for the options that provide the values of missing keys.
  public static let base = CodingUserInfoKey(rawValue: "CropKit.ResultOptions.base")

  /// The allowed qualities.
  public static let qualities = 1...100

  /// The default quality, 1 to 100, for formats and sources from which none can be estimated.
  public static let defaultQuality = 90

  /// The JSON type of an option's value.
  enum JSONKind {
    case flag, number, name
    /// A number or a name.
    case either
  }

  /// Parses an integer that consists only of digits; nil for any other text, and outside `range`.
  public static func whole(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }

  static func take<Value>(_ value: Value?, _ place: inout Value) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }

  static func take<Value>(_ value: Value?, _ place: inout Value?) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }

  static func clear<Value>(_ place: inout Value?) -> Bool {
    place = nil
    return true
  }
}

extension ImageFormat {
  /// The format with a name, or with a common extension of its files.
  init?(text: String) { self.init(fileExtension: text) }

  var json: OptionValue { .name(rawValue) }
}

extension RawRepresentable<String> {
  init?(named name: String) { self.init(rawValue: name) }
}

extension ChromaSubsampling {
  /// The subsampling with a name such as `420`; nil for any other text, and for ``other``, which
  /// can't be written.
  init?(named name: String) {
    guard let kind = Self(rawValue: name), kind != .other else { return nil }
    self = kind
  }
}

extension ResultQuality {
  private static let losslessName = "lossless"

  /// Parses a quality from 1 to 100, or `lossless`; nil for any other text.
  public init?(text: String) {
    if text == Self.losslessName {
      self = .lossless
    } else {
      guard let level = ResultOptions.whole(text, ResultOptions.qualities) else { return nil }
      self = .level(level)
    }
  }

  var json: OptionValue {
    switch self {
    case .level(let level): .number(level)
    case .lossless: .name(Self.losslessName)
    }
  }
}

extension Background {
  var json: OptionValue { .name(text) }
}

extension CropCanvas.Extent {
  var json: OptionValue? {
    text.map { .name($0) }
  }
}

extension CropLength {
  var json: OptionValue {
    switch self {
    case .pixels(let count): Int(exactly: count).map { .number($0) } ?? .name(text)
    case .percent: .name(text)
    }
  }
}

extension CanvasFill {
  var json: OptionValue { .name(text) }
}

extension PageChoice {
  private static let allName = "all"

  /// Parses a page number from 1, a range of pages such as `2-4`, or `all`; nil for any other text.
  public init?(text: String) {
    if text == Self.allName {
      self = .all
      return
    }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
      .map { ResultOptions.whole(String($0), 1...1_000_000_000) }
    guard let first = numbers[0] else { return nil }
    if numbers.count == 1 {
      self = .only(first)
    } else {
      guard numbers.count == 2, let last = numbers[1], last >= first else { return nil }
      self = first == last ? .only(first) : .range(first...last)
    }
  }

  var json: OptionValue? {
    switch self {
    case .automatic: nil
    case .only(let number): .number(number)
    case .all: .name(Self.allName)
    case .range(let pages): .name("\(pages.lowerBound)-\(pages.upperBound)")
    }
  }
}

extension KeyedDecodingContainer {
  /// The value of an option as text; nil for null.
  fileprivate func text(_ key: Key, _ kind: ResultOptions.JSONKind) throws -> String? {
    if try decodeNil(forKey: key) { return nil }
    switch kind {
    case .flag: return String(try decode(Bool.self, forKey: key))
    case .number: return String(try whole(forKey: key))
    case .name: return try decode(String.self, forKey: key)
    case .either:
      if let name = try? decode(String.self, forKey: key) { return name }
      return String(try whole(forKey: key))
    }
  }
}

extension ResultOptions.Key {
  /// Whether the option takes no value.
  public var isFlag: Bool { kind == .flag }
}
