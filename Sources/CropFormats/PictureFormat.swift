// Made by Scripts/schema.mjs of Schema/formats.json; change that.

/// The formats CropKit reads and writes, recognized by content, never by name.
public enum PictureFormat: String, Sendable, CaseIterable, Codable {
  /// JPEG, baseline and progressive.
  case jpeg
  /// PNG, animated ones included.
  case png
  /// WebP, lossy, lossless and animated.
  case webp
  /// GIF, animated ones included.
  case gif
  /// TIFF and BigTIFF.
  case tiff
  /// HEIC: a HEIF file coded with HEVC.
  case heic
  /// AVIF: a HEIF file coded with AV1.
  case avif
}

extension PictureFormat {
  /// The names of all of them for people, such as `JPEG, PNG and WebP`.
  public static let names = "JPEG, PNG, WebP, GIF, TIFF, HEIC and AVIF"

  /// The names of all of them as options have them, such as `jpeg, png or webp`.
  public static let choice = "jpeg, png, webp, gif, tiff, heic or avif"

  /// The name a person knows the format by, such as `JPEG`.
  public var displayName: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .gif: "GIF"
    case .tiff: "TIFF"
    case .heic: "HEIC"
    case .avif: "AVIF"
    }
  }

  /// The media type, such as `image/jpeg`.
  public var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    case .gif: "image/gif"
    case .tiff: "image/tiff"
    case .heic: "image/heic"
    case .avif: "image/avif"
    }
  }

  /// The usual extension of file names, without a dot, such as `jpg`.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .webp: "webp"
    case .gif: "gif"
    case .tiff: "tif"
    case .heic: "heic"
    case .avif: "avif"
    }
  }

  /// The format that the extension of a file to be *written* asks for, nil where it is unknown.
  ///
  /// Upper and lower case are the same; no dot. What is read is recognized by content instead.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
    case "png", "apng": self = .png
    case "webp": self = .webp
    case "gif": self = .gif
    case "tif", "tiff": self = .tiff
    case "heic", "heif": self = .heic
    case "avif": self = .avif
    default: return nil
    }
  }

  /// The most pixels along a side with which a file of the format can be coded.
  public var largestSide: Int {
    switch self {
    // A JPEG can have 65,535; libjpeg stops before, and what is larger can only be cut.
    case .jpeg: 65_500
    case .png: 2_147_483_647
    case .webp: 16_383
    case .gif: 65_535
    case .tiff: 2_147_483_647
    case .heic: 16_384
    case .avif: 16_384
    }
  }

  /// Whether the format can hold transparent pixels.
  public var holdsAlpha: Bool {
    switch self {
    case .png, .webp, .gif, .tiff, .heic, .avif: true
    default: false
    }
  }

  /// Whether the format has animations; PNG as APNG.
  public var isAnimated: Bool {
    switch self {
    case .png, .webp, .gif: true
    default: false
    }
  }

  /// Whether there is a quality with which pixels are coded.
  public var hasQuality: Bool {
    switch self {
    case .jpeg, .webp, .heic, .avif: true
    default: false
    }
  }

  /// Whether the format has 10 bits a channel or more.
  public var holdsWideSamples: Bool {
    switch self {
    case .png, .tiff, .heic, .avif: true
    default: false
    }
  }

  /// Whether code points (ITU-T H.273) can say in the format how colours are coded.
  public var holdsCodePoints: Bool {
    switch self {
    case .png, .heic, .avif: true
    default: false
    }
  }

  /// Whether files are containers of boxes and items (ISO/IEC 23008-12).
  public var isHEIF: Bool {
    switch self {
    case .heic, .avif: true
    default: false
    }
  }

  /// Whether a decoder is asked for a frame or page.
  public var isOpenedByPage: Bool {
    switch self {
    case .webp, .gif, .tiff: true
    default: false
    }
  }
}
