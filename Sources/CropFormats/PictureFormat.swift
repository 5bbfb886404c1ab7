/// The seven formats CropKit reads and writes, recognized by content, never by name.
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
  public var mediaType: String { "image/" + rawValue }

  /// The usual extension of file names, without a dot, such as `jpg`.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
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

  /// Whether the format can hold transparent pixels.
  public var holdsAlpha: Bool { self != .jpeg }

  /// The most pixels along a side with which a file of the format can be coded.
  public var largestSide: Int {
    switch self {
    // A JPEG can have 65,535; libjpeg stops before, and what is larger can only be cut.
    case .jpeg: 65_500
    case .gif: 65_535
    case .webp: 16_383
    case .heic, .avif: 16_384
    case .png, .tiff: Int(Int32.max)
    }
  }
}
