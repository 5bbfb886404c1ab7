import CVips
import CropImaging

/// How a file is opened; what does not apply to a format is ignored by it.
struct LoadOptions {
  /// The frame or page, from 0; nil is the first or main one.
  var page: Int?
  /// Whether all frames are opened, below each other.
  var hasAllPages = false
  /// Whether damage is passed over instead of refused.
  var isLenient = false
  /// Whether no part can be decoded alone (an interlaced PNG), so that all is decoded into memory.
  var isWhole = false
  /// The whole factor, 1, 2, 4 or 8, by which a JPEG is decoded smaller.
  var shrink = 1
  /// The factor, at most 1, by which a WebP is decoded smaller.
  var scale = 1.0
}

extension Picture {
  /// Opens the picture in `source` by the loader of `format`; no pixel is decoded yet.
  ///
  /// Rows come from the top down, once. What can't be read by rows is decoded as a whole, into memory.
  static func opened(
    _ source: ObjectReference, as format: PictureFormat, _ options: LoadOptions
  ) throws(VipsFailure) -> Picture {
    let failOn = options.isLenient ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_WARNING
    var arguments: [(String, Argument)] = [
      ("source", .reference(source)),
      ("fail-on", .int(Int(failOn.rawValue))),
      ("access", .int(Int(VIPS_ACCESS_SEQUENTIAL.rawValue))),
    ]
    // Otherwise libvips would decode what has no rows in order into a temporary file, when it is large.
    if options.isWhole { arguments.append(("memory", .flag(true))) }
    if format.isOpenedByPage, let page = options.page { arguments.append(("page", .int(page))) }
    if options.hasAllPages { arguments.append(("n", .int(-1))) }
    if format == .jpeg { arguments.append(("shrink", .int(options.shrink))) }
    if format == .webp { arguments.append(("scale", .double(options.scale))) }
    return try Operation.picture(format.loader, arguments)
  }
}

extension PictureFormat {
  /// The libvips operation that reads the format, and nothing else.
  fileprivate var loader: String {
    switch self {
    case .jpeg: "jpegload_source"
    case .png: "pngload_source"
    case .webp: "webpload_source"
    case .gif: "gifload_source"
    case .tiff: "tiffload_source"
    case .heic, .avif: "heifload_source"
    }
  }
}
