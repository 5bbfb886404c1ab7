import CropCore
import CropJPEG

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
    format: PictureFormat? = nil, quality: Int? = nil, maxBytes: Int? = nil,
    subsampling: ChromaSubsampling? = nil,
    lossless: LosslessMode = .exact, isBaked: Bool = false, isProgressive: Bool = false,
    metadata: MetadataPolicy = .keep, convertsToSRGB: Bool = false,
    isLinear: Bool = false, hdr: HDRMode = .keep, background: Background = .white,
    page: PageChoice = .automatic,
    isLenient: Bool = false, provenance: Provenance? = nil
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

/// A colour behind transparent pixels: 8 bits each of red, green and blue, sRGB.
public struct Background: Sendable, Hashable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// The colour with the given channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// White.
  public static var white: Self { Self(red: 255, green: 255, blue: 255) }
  /// Black.
  public static var black: Self { Self(red: 0, green: 0, blue: 0) }
}
