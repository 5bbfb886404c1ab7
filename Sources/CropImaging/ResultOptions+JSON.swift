import CropCore

/// The JSON form: keys and values are those of the command's options, and each key may be left out.
///
///     {"format": "jpeg", "quality": 90, "maxBytes": 200000, "subsampling": "keep", "lossless": "exact",
///      "bake": false, "progressive": false, "strip": "none", "srgb": false, "linear": false, "hdr": "keep",
///      "background": "white", "page": 1 or "all", "lenient": false}
///
/// ``provenance`` is no part of it: the program that saves a crop knows it, nobody asks for it.
extension ResultOptions: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case format, quality, maxBytes, subsampling, lossless, bake, progressive, strip, srgb, linear
    case hdr, background, page, lenient
  }

  /// Reads the JSON form. What it leaves out is as in the options that the decoder's `userInfo` has
  /// under ``base``, or as usual.
  ///
  /// - Throws: `DecodingError` for a wrong type or value, and for an unknown key, which it names.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    self = Self.base.flatMap { decoder.userInfo[$0] as? Self } ?? Self()
    format = try fields.named(.format, PictureFormat.init(fileExtension:)) ?? format
    quality = try fields.decodeIfPresent(Int.self, forKey: .quality) ?? quality
    if let quality, !Self.qualities.contains(quality) {
      throw fields.refusal(.quality, "\(quality) is not 1 to 100")
    }
    maxBytes = try fields.decodeIfPresent(Int.self, forKey: .maxBytes) ?? maxBytes
    if let maxBytes, maxBytes < 1 {
      throw fields.refusal(.maxBytes, "\(maxBytes) is not 1 or more")
    }
    if try fields.decodeIfPresent(String.self, forKey: .subsampling) != nil {
      subsampling = try fields.named(
        .subsampling, except: Self.sourceSubsampling, ChromaSubsampling.init(named:))
    }
    lossless = try fields.named(.lossless, LosslessMode.init) ?? lossless
    isBaked = try fields.decodeIfPresent(Bool.self, forKey: .bake) ?? isBaked
    isProgressive = try fields.decodeIfPresent(Bool.self, forKey: .progressive) ?? isProgressive
    metadata = try fields.named(.strip, MetadataPolicy.init) ?? metadata
    convertsToSRGB = try fields.decodeIfPresent(Bool.self, forKey: .srgb) ?? convertsToSRGB
    isLinear = try fields.decodeIfPresent(Bool.self, forKey: .linear) ?? isLinear
    hdr = try fields.named(.hdr, HDRMode.init) ?? hdr
    background = try fields.named(.background, Background.init(text:)) ?? background
    page = try fields.page(.page) ?? page
    isLenient = try fields.decodeIfPresent(Bool.self, forKey: .lenient) ?? isLenient
  }

  /// Writes every key; the source's own format, and quality and page where they are not chosen, as null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(format?.rawValue, forKey: .format)
    try fields.encode(quality, forKey: .quality)
    try fields.encode(maxBytes, forKey: .maxBytes)
    try fields.encode(subsampling?.rawValue ?? Self.sourceSubsampling, forKey: .subsampling)
    try fields.encode(lossless.rawValue, forKey: .lossless)
    try fields.encode(isBaked, forKey: .bake)
    try fields.encode(isProgressive, forKey: .progressive)
    try fields.encode(metadata.rawValue, forKey: .strip)
    try fields.encode(convertsToSRGB, forKey: .srgb)
    try fields.encode(isLinear, forKey: .linear)
    try fields.encode(hdr.rawValue, forKey: .hdr)
    try fields.encode(background.text, forKey: .background)
    switch page {
    case .automatic: try fields.encodeNil(forKey: .page)
    case .only(let number): try fields.encode(number, forKey: .page)
    case .all: try fields.encode(PageChoice.allName, forKey: .page)
    }
    try fields.encode(isLenient, forKey: .lenient)
  }
}

extension ResultOptions {
  /// Under this key a decoder's `userInfo` holds the options that say what the JSON leaves out.
  public static let base = CodingUserInfoKey(rawValue: "CropKit.ResultOptions.base")

  /// The qualities there are.
  public static let qualities = 1...100

  /// The quality that is taken where none is chosen and the source's doesn't count.
  public static let usualQuality = 90

  /// What stands for the source's subsampling.
  public static let sourceSubsampling = "keep"
}

extension ChromaSubsampling {
  /// The kind of a name such as `420`; nil for any other text, and for ``other``, which nothing writes.
  public init?(named name: String) {
    guard let kind = Self(rawValue: name), kind != .other else { return nil }
    self = kind
  }
}

extension PageChoice {
  fileprivate static let allName = "all"

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
}

extension KeyedDecodingContainer {
  /// A number from 1, or `all`; nil where there is none.
  fileprivate func page(_ key: Key) throws -> PageChoice? {
    if (try? decodeIfPresent(String.self, forKey: key)) == PageChoice.allName { return .all }
    guard let number = try decodeIfPresent(Int.self, forKey: key) else { return nil }
    guard number >= 1 else { throw refusal(key, "pages count from 1") }
    return .only(number)
  }

  /// The value that a name stands for; nil where there is no name, or it is `except`.
  fileprivate func named<Value>(
    _ key: Key, except: String? = nil, _ value: (String) -> Value?
  ) throws -> Value? {
    guard let name = try decodeIfPresent(String.self, forKey: key), name != except else {
      return nil
    }
    guard let value = value(name) else { throw refusal(key, "\"\(name)\" is not known") }
    return value
  }

  fileprivate func refusal(_ key: Key, _ words: String) -> DecodingError {
    DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: words)
  }
}
