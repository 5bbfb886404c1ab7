import CropCore
import CropImaging

/// How a result is to be written, as JSON in a query; the names and values are those of the command's
/// options, and all may be left out.
///
///     {"format": "jpeg", "quality": 90, "subsampling": "keep", "lossless": "exact",
///      "bake": false, "progressive": false, "strip": "none", "srgb": false, "linear": false, "background": "white",
///      "page": 1 or "all", "lenient": false}
struct Encoding: Decodable {
  let options: ResultOptions

  private enum Key: String, CodingKey, CaseIterable {
    case format, quality, subsampling, lossless, bake, progressive, strip, srgb, linear, background
    case page, lenient
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(Key.self)
    var options = ResultOptions()
    options.format = try fields.decodeIfPresent(PictureFormat.self, forKey: .format)
    options.quality = try fields.decodeIfPresent(Int.self, forKey: .quality) ?? options.quality
    options.lossless = try fields.named(.lossless, except: "", LosslessMode.init) ?? .exact
    options.isBaked = try fields.flag(.bake)
    options.isProgressive = try fields.flag(.progressive)
    options.convertsToSRGB = try fields.flag(.srgb)
    options.isLinear = try fields.flag(.linear)
    options.isLenient = try fields.flag(.lenient)
    options.page = try fields.page(.page)
    options.subsampling = try fields.named(.subsampling, except: "keep", ChromaSubsampling.init)
    options.metadata = try fields.named(.strip, except: "none", MetadataPolicy.init) ?? .keep
    options.background =
      try fields.named(.background, except: "white", Background.init(text:)) ?? .white
    guard (1...100).contains(options.quality) else {
      throw fields.refusal(.quality, "\(options.quality) is not 1 to 100")
    }
    self.options = options
  }
}

extension Decoder {
  /// The fields of an object that has no others than `Key` names, so that a misspelt one is never
  /// ignored.
  func fields<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let all = try container(keyedBy: AnyKey.self)
    if let unknown = all.allKeys.first(where: { Key(stringValue: $0.stringValue) == nil }) {
      let known = Key.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: unknown, in: all,
        debugDescription: "\"\(unknown.stringValue)\" is not known; known here: \(known)")
    }
    return try container(keyedBy: Key.self)
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer {
  fileprivate func flag(_ key: Key) throws -> Bool {
    try decodeIfPresent(Bool.self, forKey: key) ?? false
  }

  /// A number from 1, or `all`.
  fileprivate func page(_ key: Key) throws -> PageChoice {
    if (try? decodeIfPresent(String.self, forKey: key)) == "all" { return .all }
    guard let number = try decodeIfPresent(Int.self, forKey: key) else { return .automatic }
    guard number >= 1 else { throw refusal(key, "pages count from 1") }
    return .only(number)
  }

  /// The value a name stands for; nil where there is none or it is `except`.
  fileprivate func named<Value>(
    _ key: Key, except: String, _ value: (String) -> Value?
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
