import CVips
import CropCore
import CropImaging
import CropKernels

/// Draws an image, which must have the size of the layout's crop, on a canvas.
///
/// Transparent pixels show the fill. One that is made from a crop with transparent pixels may be
/// transparent too.
struct CanvasDrawing {
  let layout: CanvasLayout
  let fill: CanvasFill

  /// The canvas with the image.
  func drawn(_ picture: Picture) throws(VipsFailure) -> Picture {
    guard Self.isPlain(picture) else { return try drawn(picture.inSRGB().withoutProfile()) }
    switch fill {
    case .transparent:
      let whole = try withAlpha(picture)
      return try embedded(whole, in: [Double](repeating: 0, count: whole.bands))
    case .color(let color):
      let whole = try picture.withoutFurtherChannels().holding(color).flattened(on: color)
      return try embedded(whole, in: color.samples(in: whole))
    case .edge:
      let whole = try picture.withoutFurtherChannels().inMemory()
      let pixels = try EdgePixels(of: whole)
      guard whole.hasAlpha else { return try embedded(whole, in: pixels.median) }
      guard let edge = pixels.shownMedian else {
        return try embedded(whole, in: [Double](repeating: 0, count: whole.bands))
      }
      let flat = try whole.applying(
        "flatten", ("background", .doubles(edge)), ("max-alpha", .double(whole.opaque)))
      return try embedded(flat, in: edge)
    case .blur:
      let whole = try picture.withoutFurtherChannels().inMemory()
      let backdrop = try backdrop(of: whole)
      let shown =
        whole.hasAlpha
        ? try laid(whole, over: backdrop.inMemory().cut(to: layout.crop)) : whole
      return try Operation.picture(
        "insert",
        [
          ("main", .picture(backdrop)), ("sub", .picture(shown)),
          ("x", .int(layout.crop.x)), ("y", .int(layout.crop.y)),
        ]
      ).relabeled(as: whole.interpretation)
    }
  }

  /// The image on a canvas of one color, given by its samples.
  private func embedded(_ picture: Picture, in color: [Double]) throws(VipsFailure) -> Picture {
    try picture.applying(
      "embed", ("x", .int(layout.crop.x)), ("y", .int(layout.crop.y)),
      ("width", .int(layout.size.width)), ("height", .int(layout.size.height)),
      ("extend", .int(Int(VIPS_EXTEND_BACKGROUND.rawValue))), ("background", .doubles(color)))
  }

  /// The center of the image, enlarged to cover the canvas, and blurred.
  private func backdrop(of picture: Picture) throws(VipsFailure) -> Picture {
    let backdrop = CanvasBackdrop(
      of: FrameSize(width: picture.width, height: picture.height), on: layout.size)
    let part = try picture.cut(to: backdrop.part)
    guard picture.hasAlpha else { return try blurred(part, backdrop).rounded(to: picture.format) }
    let maximum = ("max-alpha", Argument.double(picture.opaque))
    return try blurred(part.applying("premultiply", maximum), backdrop)
      .applying("unpremultiply", maximum).rounded(to: picture.format)
      .relabeled(as: picture.interpretation)
  }

  private func blurred(
    _ part: Picture, _ backdrop: CanvasBackdrop
  ) throws(VipsFailure) -> Picture {
    try part.resized(to: backdrop.size).rounded(to: part.format)
      .applying(
        "gaussblur", ("sigma", .double(backdrop.sigma)), ("min-ampl", .double(0.01))
      )
      .resized(to: layout.size)
  }

  /// An image over another of the same size; both have alpha.
  private func laid(_ picture: Picture, over under: Picture) throws(VipsFailure) -> Picture {
    let maximum = ("max-alpha", Argument.double(picture.opaque))
    let mine = try picture.applying("premultiply", maximum)
    let clear = try picture.channels(from: picture.bands - 1).applying(
      "linear", ("a", .doubles([-1 / picture.opaque])), ("b", .doubles([1])))
    let below = try under.applying("premultiply", maximum)
    let theirs = try Operation.picture(
      "multiply", [("left", .picture(below)), ("right", .picture(clear))])
    return try Operation.picture("add", [("left", .picture(mine)), ("right", .picture(theirs))])
      .applying("unpremultiply", maximum).rounded(to: picture.format)
      .relabeled(as: picture.interpretation)
  }

  private func withAlpha(_ picture: Picture) throws(VipsFailure) -> Picture {
    guard !picture.hasAlpha else { return picture }
    return try picture.applying("bandjoin_const", ("c", .doubles([picture.opaque])))
      .relabeled(as: picture.interpretation)
  }

  /// Whether the channels are gray, RGB or CMYK, of 8 or 16 bits.
  private static func isPlain(_ picture: Picture) -> Bool {
    guard picture.hasPlainSamples else { return false }
    switch picture.interpretation {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16, VIPS_INTERPRETATION_sRGB,
      VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_CMYK:
      return true
    default: return false
    }
  }
}

/// The outermost pixels of an image; those of the corners are listed twice.
private struct EdgePixels {
  private var pixels: [[UInt16]] = []
  private let bands: Int
  private let opaque: Double

  init(of picture: Picture) throws(VipsFailure) {
    let bands = picture.bands
    (self.bands, opaque) = (bands, picture.opaque)
    for line in FrameSize(width: picture.width, height: picture.height).edges {
      let samples = try picture.cut(to: line).cast(to: VIPS_FORMAT_USHORT).samples()
      pixels += samples.withUnsafeBytes { bytes in
        (0..<bytes.count / 2 / bands).map { pixel in
          (0..<bands).map { band in
            bytes.loadUnaligned(fromByteOffset: 2 * (pixel * bands + band), as: UInt16.self)
          }
        }
      }
    }
  }

  /// The median of each channel.
  var median: [Double] { Self.median(of: pixels, channels: bands) }

  /// The median of each color over the pixels that are at least half opaque; nil if most are not.
  var shownMedian: [Double]? {
    let shown = pixels.filter { Double($0[bands - 1]) * 2 >= opaque }
    guard shown.count * 2 > pixels.count else { return nil }
    return Self.median(of: shown, channels: bands - 1)
  }

  private static func median(of pixels: [[UInt16]], channels: Int) -> [Double] {
    (0..<channels).map { channel in
      Double(pixels.map { $0[channel] }.sorted()[pixels.count / 2])
    }
  }
}
