import CVips
import CropCore
import CropImaging
import CropKernels

extension Picture {
  /// The image, which must have the size of the layout's crop, on a canvas.
  ///
  /// Transparent pixels show the fill. One that is made from a crop with transparent pixels may be
  /// transparent too.
  func drawn(on canvas: CanvasLayout, fill: CanvasFill) throws(VipsFailure) -> Picture {
    guard isPlain else {
      return try inSRGB().withoutProfile().drawn(on: canvas, fill: fill)
    }
    switch fill {
    case .transparent:
      let whole = try withAlpha()
      return try whole.embedded(in: canvas, numbers: [Double](repeating: 0, count: whole.bands))
    case .color(let color):
      let whole = try withoutFurtherChannels().holding(color).flattened(on: color)
      return try whole.embedded(in: canvas, numbers: whole.numbers(of: color))
    case .edge:
      let whole = try withoutFurtherChannels().inMemory()
      guard whole.hasAlpha else {
        return try whole.embedded(in: canvas, numbers: whole.medianOfEdge())
      }
      guard let edge = try whole.shownMedianOfEdge() else {
        return try whole.embedded(in: canvas, numbers: [Double](repeating: 0, count: whole.bands))
      }
      let flat = try whole.applying(
        "flatten", ("background", .doubles(edge)), ("max-alpha", .double(whole.opaque)))
      return try flat.embedded(in: canvas, numbers: edge)
    case .blur:
      let whole = try withoutFurtherChannels().inMemory()
      let backdrop = try whole.backdrop(for: canvas.size)
      let shown =
        whole.hasAlpha
        ? try whole.over(try backdrop.inMemory().cut(to: canvas.crop)) : whole
      return try Operation.picture(
        "insert",
        [
          ("main", .picture(backdrop)), ("sub", .picture(shown)),
          ("x", .int(canvas.crop.x)), ("y", .int(canvas.crop.y)),
        ]
      ).relabeled(as: whole.interpretation)
    }
  }

  /// This image over another of the same size; both have alpha.
  private func over(_ under: Picture) throws(VipsFailure) -> Picture {
    let maximum = ("max-alpha", Argument.double(opaque))
    let mine = try applying("premultiply", maximum)
    let clear = try channels(from: bands - 1).applying(
      "linear", ("a", .doubles([-1 / opaque])), ("b", .doubles([1])))
    let below = try under.applying("premultiply", maximum)
    let theirs = try Operation.picture(
      "multiply", [("left", .picture(below)), ("right", .picture(clear))])
    return try Operation.picture("add", [("left", .picture(mine)), ("right", .picture(theirs))])
      .applying("unpremultiply", maximum).rounded(to: format).relabeled(as: interpretation)
  }

  /// Whether the channels are gray, RGB or CMYK, of 8 or 16 bits.
  private var isPlain: Bool {
    guard hasPlainSamples else { return false }
    switch interpretation {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16, VIPS_INTERPRETATION_sRGB,
      VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_CMYK:
      return true
    default: return false
    }
  }

  private func withAlpha() throws(VipsFailure) -> Picture {
    guard !hasAlpha else { return self }
    let space = interpretation
    return try applying("bandjoin_const", ("c", .doubles([opaque]))).relabeled(as: space)
  }

  private func embedded(
    in canvas: CanvasLayout, numbers: [Double]
  ) throws(VipsFailure) -> Picture {
    try applying(
      "embed", ("x", .int(canvas.crop.x)), ("y", .int(canvas.crop.y)),
      ("width", .int(canvas.size.width)), ("height", .int(canvas.size.height)),
      ("extend", .int(Int(VIPS_EXTEND_BACKGROUND.rawValue))), ("background", .doubles(numbers)))
  }

  /// The median of each channel over the outermost pixels.
  private func medianOfEdge() throws(VipsFailure) -> [Double] {
    let pixels = try edgePixels()
    return (0..<bands).map { channel in Self.median(pixels.map { $0[channel] }) }
  }

  /// The median of each color over the outermost pixels that are at least half opaque; nil if most
  /// are not.
  private func shownMedianOfEdge() throws(VipsFailure) -> [Double]? {
    let pixels = try edgePixels()
    let shown = pixels.filter { Double($0[bands - 1]) * 2 >= opaque }
    guard shown.count * 2 > pixels.count else { return nil }
    return (0..<bands - 1).map { channel in Self.median(shown.map { $0[channel] }) }
  }

  private static func median(_ samples: [UInt16]) -> Double {
    Double(samples.sorted()[samples.count / 2])
  }

  /// The outermost pixels; those of the corners are listed twice.
  private func edgePixels() throws(VipsFailure) -> [[UInt16]] {
    var pixels: [[UInt16]] = []
    for line in FrameSize(width: width, height: height).edges {
      let samples = try cut(to: line).applying(
        "cast", ("format", .int(Int(VIPS_FORMAT_USHORT.rawValue)))
      ).samples()
      samples.withUnsafeBytes { bytes in
        for pixel in 0..<bytes.count / 2 / bands {
          pixels.append(
            (0..<bands).map { band in
              bytes.loadUnaligned(fromByteOffset: 2 * (pixel * bands + band), as: UInt16.self)
            })
        }
      }
    }
    return pixels
  }

  /// The center of the image, enlarged to cover `size`, and blurred.
  private func backdrop(for size: FrameSize) throws(VipsFailure) -> Picture {
    let backdrop = CanvasBackdrop(of: FrameSize(width: width, height: height), on: size)
    let part = try cut(to: backdrop.part)
    guard hasAlpha else { return try part.backdrop(backdrop, for: size).rounded(to: format) }
    let maximum = ("max-alpha", Argument.double(opaque))
    return try part.applying("premultiply", maximum).backdrop(backdrop, for: size)
      .applying("unpremultiply", maximum).rounded(to: format).relabeled(as: interpretation)
  }

  private func backdrop(
    _ backdrop: CanvasBackdrop, for size: FrameSize
  ) throws(VipsFailure) -> Picture {
    try resized(to: backdrop.size).rounded(to: format)
      .applying(
        "gaussblur", ("sigma", .double(backdrop.sigma)), ("min-ampl", .double(0.01))
      )
      .resized(to: size)
  }
}
