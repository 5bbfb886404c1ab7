import CVips
import CropCore

extension Picture {
  /// The pixels inside `rect`, which must be inside the image.
  func cut<Space>(to rect: PixelRect<Space>) throws(VipsFailure) -> Picture {
    if rect.x == 0, rect.y == 0, rect.width == width, rect.height == height { return self }
    return try Operation.picture(
      "extract_area",
      [
        ("input", .picture(self)), ("left", .int(rect.x)), ("top", .int(rect.y)),
        ("width", .int(rect.width)), ("height", .int(rect.height)),
      ])
  }

  /// The image mirrored and turned; pixels are only moved.
  func oriented(_ orientation: Orientation) throws(VipsFailure) -> Picture {
    if orientation == .up { return self }
    // Mirroring left–right keeps the order of rows; everything else needs another order.
    let source = orientation == .upMirrored ? self : try inMemory()
    let mirrored =
      orientation.isMirrored
      ? try source.applying("flip", ("direction", .int(Int(VIPS_DIRECTION_HORIZONTAL.rawValue))))
      : source
    let angle: VipsAngle
    switch orientation.quarterTurns {
    case 1: angle = VIPS_ANGLE_D90
    case 2: angle = VIPS_ANGLE_D180
    case 3: angle = VIPS_ANGLE_D270
    default: return mirrored
    }
    return try mirrored.applying("rot", ("angle", .int(Int(angle.rawValue))))
  }

  /// The pixels of `rect` under a tilt of the frame; this image is the part of the frame at `part`.
  ///
  ///     frame ┌────────────────┐    The picture turns clockwise about the frame's center; an output
  ///           │  part ╱╲       │    pixel's center, turned back, is where the picture is sampled.
  ///           │      ╱rect╲    │    Beyond the frame its edge pixels go on.
  ///           │      ╲    ╱    │
  ///           └───────╲──╱─────┘
  func tilted(
    by tilt: CropAngle, part: PixelRect<FrameSpace>, rect: FrameRect, frame: FrameSize
  ) throws(VipsFailure) -> Picture {
    let (c, s) = (tilt.cosine, tilt.sine)
    let center = TiltedPicture(frame: frame, tilt: tilt).center
    // libvips measures from pixel centers, the frame from pixel corners: half a pixel.
    return try sampled(
      by: [c, -s, s, c], to: (Int(rect.width), Int(rect.height)),
      shift: (Double(part.x) + 0.5 - center.x, Double(part.y) + 0.5 - center.y),
      then: (center.x - rect.x - 0.5, center.y - rect.y - 0.5))
  }

  /// The image resampled to exactly `size`: with Lanczos3 in a direction in which it gets smaller,
  /// bicubic where it gets larger. Pixel centers keep their position relative to the edges.
  ///
  /// With `isQuick`, even a small factor may be split in two steps.
  func resized(to size: FrameSize, isQuick: Bool = false) throws(VipsFailure) -> Picture {
    let smaller = (width: min(size.width, width), height: min(size.height, height))
    var result = self
    if smaller != self.size {
      result = try applying(
        "resize", ("scale", .double(Double(smaller.width) / Double(width))),
        ("vscale", .double(Double(smaller.height) / Double(height))),
        ("kernel", .int(Int(VIPS_KERNEL_LANCZOS3.rawValue))),
        // Pixels are averaged in blocks first only if the factor is 8 or more: the remaining factor
        // is at least 4, and libvips' kernels end at 8.
        ("gap", .double(isQuick ? 2 : 4)))
    }
    return result.size == (size.width, size.height) ? result : try result.enlarged(to: size)
  }

  /// The image resampled to `size`, which is not smaller in either direction.
  ///
  /// libvips' enlarging moves the image by half a pixel (8.14).
  private func enlarged(to size: FrameSize) throws(VipsFailure) -> Picture {
    let (right, down) = (
      Double(size.width) / Double(width), Double(size.height) / Double(height)
    )
    return try sampled(
      by: [right, 0, 0, down], to: (size.width, size.height), shift: (0.5, 0.5),
      then: (-0.5, -0.5))
  }

  /// The image after a shift, a linear map and another shift, with its edge pixels repeated.
  private func sampled(
    by matrix: [Double], to size: (width: Int, height: Int), shift: (x: Double, y: Double),
    then second: (x: Double, y: Double)
  ) throws(VipsFailure) -> Picture {
    try withMargin().applying(
      "affine", ("matrix", .doubles(matrix)), ("interpolate", Self.bicubic()),
      ("oarea", .ints([0, 0, size.width, size.height])),
      ("idx", .double(shift.x - Double(Self.margin))),
      ("idy", .double(shift.y - Double(Self.margin))),
      ("odx", .double(second.x)), ("ody", .double(second.y)),
      ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))), ("premultiplied", .flag(true)))
  }

  /// The number of repeated edge pixels: more than the two that the kernel needs, so that libvips'
  /// own handling of the border is never visible.
  private static let margin = 4

  /// The image in memory, with its edge pixels repeated for ``margin`` pixels on every side.
  private func withMargin() throws(VipsFailure) -> Picture {
    try inMemory().applying(
      "embed", ("x", .int(Self.margin)), ("y", .int(Self.margin)),
      ("width", .int(width + 2 * Self.margin)), ("height", .int(height + 2 * Self.margin)),
      ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))))
  }

  /// libvips' Catmull-Rom interpolator, the sharpest one that does not take seconds.
  private static func bicubic() throws(VipsFailure) -> Argument {
    guard let bicubic = vips_interpolate_new("bicubic") else { throw Messages.failure() }
    return .reference(ObjectReference(owning: UnsafeMutableRawPointer(bicubic)))
  }
}
