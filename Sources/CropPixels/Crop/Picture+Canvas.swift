import CVips
import CropCore
import CropImaging

extension Picture {
  /// The image, which must have the size of the layout's crop, on a canvas.
  ///
  /// Transparent pixels show an opaque fill. With a blurred fill, which has other colours, they
  /// show `background`.
  func laid(
    on canvas: CanvasLayout, fill: CanvasFill, background: Background
  ) throws(VipsFailure) -> Picture {
    guard isPlain else {
      return try inSRGB().withoutProfile()
        .laid(on: canvas, fill: fill, background: background)
    }
    switch fill {
    case .transparent:
      let whole = try withAlpha()
      return try whole.embedded(in: canvas, numbers: [Double](repeating: 0, count: whole.bands))
    case .color(let color):
      let whole = try holding(color).withoutAlpha(on: color)
      return try whole.embedded(in: canvas, numbers: whole.numbers(of: color))
    case .edge:
      let whole = try withoutAlpha(on: background).inMemory()
      return try whole.embedded(in: canvas, numbers: whole.medianOfEdge())
    case .blur:
      let whole = try withoutAlpha(on: background).inMemory()
      return try Operation.picture(
        "insert",
        [
          ("main", .picture(whole.backdrop(for: canvas.size))), ("sub", .picture(whole)),
          ("x", .int(canvas.crop.x)), ("y", .int(canvas.crop.y)),
        ]
      ).relabelled(as: whole.interpretation)
    }
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
    return try applying("bandjoin_const", ("c", .doubles([opaque]))).relabelled(as: space)
  }

  private func withoutAlpha(on color: Background) throws(VipsFailure) -> Picture {
    try withoutFurtherChannels().holding(color).flattened(on: color)
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
    var channels = [[UInt16]](repeating: [], count: bands)
    for line in FrameSize(width: width, height: height).edges {
      let samples = try cut(to: line).applying(
        "cast", ("format", .int(Int(VIPS_FORMAT_USHORT.rawValue)))
      ).samples()
      samples.withUnsafeBytes { bytes in
        for index in 0..<bytes.count / 2 {
          channels[index % bands].append(
            bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
      }
    }
    return channels.map { Double($0.sorted()[$0.count / 2]) }
  }

  /// The centre of the image, enlarged to cover `size`, and blurred.
  private func backdrop(for size: FrameSize) throws(VipsFailure) -> Picture {
    let backdrop = CanvasBackdrop(of: FrameSize(width: width, height: height), on: size)
    return try cut(to: backdrop.part)
      .resized(to: backdrop.size).rounded(to: format)
      .applying(
        "gaussblur", ("sigma", .double(backdrop.sigma)), ("min-ampl", .double(0.01))
      )
      .resized(to: size).rounded(to: format)
  }
}
