import CropCore

/// The JSON form: keys and values are those of the command's options, and each key may be left out.
///
///     {"format": "jpeg", "quality": 90, "maxBytes": 200000, "strip": "none", "srgb": false,
///      "background": "white", "page": 1 or "all"}
///
/// ``provenance`` is no part of it: the program that saves a crop knows it, nobody asks for it.
extension ResultOptions: Codable {
  /// Reads the JSON form. What it leaves out is as in the options that the decoder's `userInfo` has
  /// under ``base``, or as usual.
  ///
  /// - Throws: `DecodingError` for a wrong type or value, and for an unknown key, which it names.
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

  /// Writes every key; the source's own format, and quality and page where they are not chosen, as null.
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

/// The value of an option as JSON has it.
enum OptionValue {
  case flag(Bool)
  case number(Int)
  case name(String)
}

extension ResultOptions {
  /// Under this key a decoder's `userInfo` holds the options that say what the JSON leaves out.
  public static let base = CodingUserInfoKey(rawValue: "CropKit.ResultOptions.base")

  /// The quality that is taken where none is chosen and the source's doesn't count.
  public static let usualQuality = 90

  /// How JSON has the value of an option.
  enum JSONKind {
    case flag, number, name
    /// A number or a name.
    case either
  }

  /// The whole number of a text in digits alone; nil for another text, and outside the range.
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

extension PictureFormat {
  /// The format of a name, or of a usual extension of its files.
  init?(text: String) { self.init(fileExtension: text) }

  var json: OptionValue { .name(rawValue) }
}

extension RawRepresentable<String> {
  /// The case of a name.
  init?(named name: String) { self.init(rawValue: name) }
}

extension ChromaSubsampling {
  /// The kind of a name such as `420`; nil for any other text, and for ``other``, which nothing writes.
  init?(named name: String) {
    guard let kind = Self(rawValue: name), kind != .other else { return nil }
    self = kind
  }
}

extension Background {
  var json: OptionValue { .name(text) }
}

extension PageChoice {
  private static let allName = "all"

  /// The page of a number from 1, or `all`; nil for any other text.
  public init?(text: String) {
    if text == Self.allName {
      self = .all
    } else if let number = Int(text), number >= 1 {
      self = .only(number)
    } else {
      return nil
    }
  }

  var json: OptionValue? {
    switch self {
    case .automatic: nil
    case .only(let number): .number(number)
    case .all: .name(Self.allName)
    }
  }
}

extension KeyedDecodingContainer {
  /// The value of an option as text; nil for null.
  fileprivate func text(_ key: Key, _ kind: ResultOptions.JSONKind) throws -> String? {
    if try decodeNil(forKey: key) { return nil }
    switch kind {
    case .flag: return String(try decode(Bool.self, forKey: key))
    case .number: return String(try decode(Int.self, forKey: key))
    case .name: return try decode(String.self, forKey: key)
    case .either:
      if let name = try? decode(String.self, forKey: key) { return name }
      return String(try decode(Int.self, forKey: key))
    }
  }
}

extension ResultOptions.Key {
  /// Whether the option is given without a value.
  public var isFlag: Bool { kind == .flag }
}
