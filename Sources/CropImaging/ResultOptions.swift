// Made by Scripts/schema.mjs of Schema/options.json; change that.
// swift-format-ignore-file

import CropCore
import CropFormats

/// How a result is written; the recipe says what is in it.
public struct ResultOptions: Sendable, Equatable {
  /// The format of the result; nil is the source's.
  public var format: PictureFormat?
  /// The quality where pixels are coded with loss, 1 to 100. Nil is about the source's, at most 90, for a HEIC
  /// or AVIF that stays one, and 90 for everything else.
  public var quality: Int?
  /// The most bytes that the result may have: `quality` is then the best that is tried, down to 30. A
  /// lossless result that is small enough stays one. Nil is any number.
  public var maxBytes: Int?
  /// Chroma subsampling of a result coded with loss; nil keeps the source's (4:2:0 where it has
  /// none).
  public var subsampling: ChromaSubsampling?
  /// Whether a JPEG that stays one is cut without decoding it, so that every kept pixel stays exactly
  /// as it is; `quality` then counts for nothing. Unless it is `never`, a whole HEIC or AVIF is turned and mirrored
  /// by its properties.
  public var lossless: LosslessMode
  /// Whether the pixels of a lossless result are stored upright, instead of as they were stored with
  /// an orientation that says how to show them.
  public var isBaked: Bool
  /// Whether a JPEG or PNG is written coarse first, fine later.
  public var isProgressive: Bool
  /// Which metadata is left out.
  public var metadata: MetadataPolicy
  /// Whether colours are converted to sRGB and the profile is dropped.
  public var convertsToSRGB: Bool
  /// Whether resampling is done in linear light.
  public var isLinear: Bool
  /// Whether a gain map, with which a screen shows more light, is cut with the picture.
  public var hdr: HDRMode
  /// What shows through where the result can't hold transparency.
  public var background: Background
  /// Which frames or pages are cropped.
  public var page: PageChoice
  /// Whether a truncated or damaged file is cropped with a warning instead of refused.
  public var isLenient: Bool
  /// What a saved crop is to say in its XMP of where it comes from, whatever `metadata` leaves out.
  public var provenance: Provenance?

  /// What a person gets unless they say otherwise: the source's format, the usual quality, the source's
  /// subsampling, all harmless metadata, the source's colours, white behind transparency.
  public init(
    format: PictureFormat? = nil,
    quality: Int? = nil,
    maxBytes: Int? = nil,
    subsampling: ChromaSubsampling? = nil,
    lossless: LosslessMode = .exact,
    isBaked: Bool = false,
    isProgressive: Bool = false,
    metadata: MetadataPolicy = .keep,
    convertsToSRGB: Bool = false,
    isLinear: Bool = false,
    hdr: HDRMode = .keep,
    background: Background = .white,
    page: PageChoice = .automatic,
    isLenient: Bool = false,
    provenance: Provenance? = nil
  ) {
    self.format = format
    self.quality = quality
    self.maxBytes = maxBytes
    self.subsampling = subsampling
    self.lossless = lossless
    self.isBaked = isBaked
    self.isProgressive = isProgressive
    self.metadata = metadata
    self.convertsToSRGB = convertsToSRGB
    self.isLinear = isLinear
    self.hdr = hdr
    self.background = background
    self.page = page
    self.isLenient = isLenient
    self.provenance = provenance
  }
}

extension ResultOptions {
  /// The options by the names that JSON and the command have for them.
  public enum Key: String, CodingKey, CaseIterable, Sendable {
    case format, quality, maxBytes, subsampling, lossless, bake, progressive, strip, srgb, linear, hdr, background, page, lenient

    /// How JSON has the value.
    var kind: JSONKind {
      switch self {
      case .bake, .progressive, .srgb, .linear, .lenient: .flag
      case .quality, .maxBytes: .number
      case .format, .subsampling, .lossless, .strip, .hdr, .background: .name
      case .page: .either
      }
    }

    /// What values there are, for messages about others.
    var expected: String {
      switch self {
      case .format: "jpeg, png, webp, gif, tiff, heic or avif"
      case .quality: "a whole number from 1 to 100, such as 85"
      case .maxBytes: "a number of bytes, such as 200000, 200K or 2M"
      case .subsampling: "444, 422, 420 or keep"
      case .lossless: "never, exact, snap, strict or outward"
      case .bake: "true or false"
      case .progressive: "true or false"
      case .strip: "all, location or none"
      case .srgb: "true or false"
      case .linear: "true or false"
      case .hdr: "keep or drop"
      case .background: "white, black, gray or #RRGGBB, such as #ff8800"
      case .page: "a number from 1, or all"
      case .lenient: "true or false"
      }
    }
  }

  /// The qualities there are.
  public static let qualities = 1...100

  /// Sets an option to what a text says.
  ///
  /// - Returns: False for a text that the option does not understand; nothing is then changed.
  public mutating func set(_ key: Key, to text: String) -> Bool {
    switch key {
    case .format: Self.take(PictureFormat(text: text), &format)
    case .quality: Self.take(Self.whole(text, 1...100), &quality)
    case .maxBytes: Self.take(Amount(text: text)?.bytes, &maxBytes)
    case .subsampling: text == "keep" ? Self.clear(&subsampling) : Self.take(ChromaSubsampling(named: text), &subsampling)
    case .lossless: Self.take(LosslessMode(named: text), &lossless)
    case .bake: Self.take(Bool(text), &isBaked)
    case .progressive: Self.take(Bool(text), &isProgressive)
    case .strip: Self.take(MetadataPolicy(named: text), &metadata)
    case .srgb: Self.take(Bool(text), &convertsToSRGB)
    case .linear: Self.take(Bool(text), &isLinear)
    case .hdr: Self.take(HDRMode(named: text), &hdr)
    case .background: Self.take(Background(text: text), &background)
    case .page: Self.take(PageChoice(text: text), &page)
    case .lenient: Self.take(Bool(text), &isLenient)
    }
  }

  /// The value of an option as JSON has it; nil is null.
  func value(of key: Key) -> OptionValue? {
    switch key {
    case .format: format?.json
    case .quality: quality.map(OptionValue.number)
    case .maxBytes: maxBytes.map(OptionValue.number)
    case .subsampling: .name(subsampling?.rawValue ?? "keep")
    case .lossless: .name(lossless.rawValue)
    case .bake: .flag(isBaked)
    case .progressive: .flag(isProgressive)
    case .strip: .name(metadata.rawValue)
    case .srgb: .flag(convertsToSRGB)
    case .linear: .flag(isLinear)
    case .hdr: .name(hdr.rawValue)
    case .background: background.json
    case .page: page.json
    case .lenient: .flag(isLenient)
    }
  }
}
