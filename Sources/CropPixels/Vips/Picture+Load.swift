import CVips
import CropImaging

/// How to open a file; options that do not apply to a format are ignored.
struct LoadOptions {
  /// The frame or page, from 0; nil for the first or main one.
  var page: Int?
  /// Whether to open all frames, stacked vertically.
  var hasAllPages = false
  /// Whether to ignore damage.
  var isLenient = false
  /// Whether no part can be decoded separately (an interlaced PNG), so that everything is decoded
  /// into memory.
  var isWhole = false
  /// The integer factor, 1, 2, 4 or 8, by which a JPEG is scaled down in decoding.
  var shrink = 1
  /// The factor, at most 1, by which a WebP is decoded smaller.
  var scale = 1.0
}

extension Picture {
  private static let readByRows: Set<ImageFormat> = [.jpeg, .png, .gif, .tiff]

  /// Opens the image in `source` with the loader of `format`, without decoding pixels.
  ///
  /// Rows are read top to bottom, once. An image that can't be read by rows is decoded completely,
  /// into memory.
  static func opened(
    _ source: ObjectReference, as format: ImageFormat, _ options: LoadOptions
  ) throws(VipsFailure) -> Picture {
    let failOn = options.isLenient ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_WARNING
    var arguments: [(String, Argument)] = [
      ("source", .reference(source)),
      ("fail-on", .int(Int(failOn.rawValue))),
      ("access", .int(Int(VIPS_ACCESS_SEQUENTIAL.rawValue))),
      // Otherwise libvips would decode an image of more than 100 MiB whose rows it can't get in order
      // to a temporary file, which a worker can't open. Of others, only the needed rows are decoded.
      ("memory", .flag(options.isWhole || !readByRows.contains(format))),
    ]
    if format.isOpenedByPage, let page = options.page { arguments.append(("page", .int(page))) }
    if options.hasAllPages { arguments.append(("n", .int(-1))) }
    if format == .jpeg { arguments.append(("shrink", .int(options.shrink))) }
    if format == .webp { arguments.append(("scale", .double(options.scale))) }
    return try Operation.picture("\(format.operation)load_source", arguments)
  }
}
