import CVips
import CropCore
import CropImaging

extension Picture {
  /// The picture, which has the size of the layout's crop, on a canvas.
  ///
  /// Under an opaque fill its transparent pixels show the fill; under a blurred one, which has its own
  /// colours, they show `background`.
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

  /// Whether the channels are those of gray, RGB or CMYK, of 8 or 16 bits.
  private var isPlain: Bool {
    guard format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT else { return false }
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
    typealias Part = PixelRect<FrameSpace>
    let lines = [
      Part(x: 0, y: 0, width: width, height: 1),
      Part(x: 0, y: height - 1, width: width, height: 1),
      Part(x: 0, y: 0, width: 1, height: height),
      Part(x: width - 1, y: 0, width: 1, height: height),
    ]
    var channels = [[UInt16]](repeating: [], count: bands)
    for line in lines {
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

  /// The middle of the picture, enlarged so that it covers `size`, and blurred by a Gaussian whose standard
  /// deviation is ``blur`` of the longer side.
  ///
  /// The blur is made on a small picture, in which it is ``smallBlur`` pixels: what it leaves has no
  /// detail that a small picture could not hold.
  private func backdrop(for size: FrameSize) throws(VipsFailure) -> Picture {
    let sigma = Double(max(size.width, size.height)) * Self.blur
    let factor = max(1, sigma / Self.smallBlur)
    let small = FrameSize(
      width: max(1, Int((Double(size.width) / factor).rounded())),
      height: max(1, Int((Double(size.height) / factor).rounded())))
    let scale = min(Double(width) / Double(size.width), Double(height) / Double(size.height))
    let part = FrameSize(
      width: min(width, max(1, Int((Double(size.width) * scale).rounded()))),
      height: min(height, max(1, Int((Double(size.height) * scale).rounded()))))
    return try cut(
      to: PixelRect<FrameSpace>(
        x: (width - part.width) / 2, y: (height - part.height) / 2, width: part.width,
        height: part.height)
    )
    .resized(to: small).rounded(to: format)
    .applying("gaussblur", ("sigma", .double(sigma / factor)), ("min-ampl", .double(0.01)))
    .resized(to: size).rounded(to: format)
  }

  /// The standard deviation of the blur, as a share of the canvas's longer side: faces and letters can't be
  /// made out any more.
  private static let blur = 1.0 / 40
  private static let smallBlur = 6.0
}
