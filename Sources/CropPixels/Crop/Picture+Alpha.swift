import CVips
import CropCore
import CropImaging

extension Picture {
  /// The image with everything outside `mask`, which must have its size, made transparent. Channels
  /// that are neither color nor alpha are masked like alpha. L*a*b* becomes sRGB.
  ///
  /// Pixels that the mask makes transparent become 0 in every channel, unless `keepsHidden`: then
  /// the image has to hide nothing there, and compresses better with its own colors.
  ///
  /// - Throws: for samples whose opaque value is unknown.
  func masked(by mask: ShapeMask, keepsHidden: Bool = false) throws(VipsFailure) -> Picture {
    guard hasPlainSamples, !isLab else {
      return try inSRGB().masked(by: mask, keepsHidden: keepsHidden)
    }
    let space = interpretation
    let coverage = mask.coverage()
    let stencil = try Picture(
      samples: coverage, width: mask.size.width, height: mask.size.height)
    let alpha: Picture
    let color: Picture
    if hasAlpha {
      let count = colorBands
      color = try channels(from: 0, count: count)
      let others = try channels(from: count, count: bands - count)
      alpha = try Operation.picture(
        "multiply", [("left", .picture(others)), ("right", .picture(stencil))]
      ).scaled(by: 1 / 255)
    } else {
      color = self
      alpha = try stencil.scaled(by: opaque / 255)
    }
    let rounded = try alpha.rounded(to: format)
    let whole = try color.joined(with: rounded).relabeled(as: space)
    if keepsHidden { return whole }
    return try whole.cleared(outside: stencil, alpha: rounded.channels(from: 0))
  }

  /// The image, which has this alpha, with 0 in every channel where it is transparent because of
  /// `stencil`. The hidden colors of pixels that were transparent before remain.
  private func cleared(
    outside stencil: Picture, alpha: Picture
  ) throws(VipsFailure) -> Picture {
    let shown = try Operation.picture(
      "boolean",
      [
        ("left", .picture(try alpha.compared(VIPS_OPERATION_RELATIONAL_MORE, 0))),
        ("right", .picture(try stencil.compared(VIPS_OPERATION_RELATIONAL_EQUAL, 255))),
        ("boolean", .int(Int(VIPS_OPERATION_BOOLEAN_OR.rawValue))),
      ])
    // An image of one pixel is continued with 0.
    let nothing = try Picture(samples: [0], width: 1, height: 1).cast(to: format)
    return try Operation.picture(
      "ifthenelse",
      [("cond", .picture(shown)), ("in1", .picture(self)), ("in2", .picture(nothing))]
    ).relabeled(as: interpretation)
  }

  private func compared(
    _ relation: VipsOperationRelational, _ number: Double
  ) throws(VipsFailure) -> Picture {
    try applying(
      "relational_const", ("relational", .int(Int(relation.rawValue))), ("c", .doubles([number])))
  }

  /// The image with only its colors and alpha.
  func withoutFurtherChannels() throws(VipsFailure) -> Picture {
    let count = colorBands + 1
    guard bands > count else { return self }
    let space = interpretation
    return try channels(from: 0, count: count).relabeled(as: space)
  }

  /// The image without alpha, on a background; it stays gray only if the background is gray.
  func flattened(on background: Background) throws(VipsFailure) -> Picture {
    guard hasAlpha else { return self }
    let picture = try holding(background)
    return try picture.applying(
      "flatten", ("background", .doubles(background.samples(in: picture))),
      ("max-alpha", .double(opaque)))
  }

  /// The image in a color space that contains `color`: gray becomes RGB unless `color` is gray.
  func holding(_ color: Background) throws(VipsFailure) -> Picture {
    guard colorBands == 1, !color.isGray else { return self }
    let space = opaque > 255 ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
    let bare = hasProfile ? try inSRGB().withoutProfile() : self
    return try bare.applying("colourspace", ("space", .int(Int(space.rawValue))))
  }

  /// Every sample times `factor`, as floating-point numbers.
  func scaled(by factor: Double) throws(VipsFailure) -> Picture {
    if factor == 1 { return self }
    return try applying("linear", ("a", .doubles([factor])), ("b", .doubles([0])))
  }

  /// An image of 8-bit channels, or 16-bit ones in native byte order if `isWide`, row by row: gray
  /// or RGB, and alpha.
  convenience init(
    samples: [UInt8], width: Int, height: Int, bands: Int = 1, isWide: Bool = false
  ) throws(VipsFailure) {
    // A closure can't throw a typed error through `withUnsafeBytes`, so the copy is made outside it.
    let image = samples.withUnsafeBytes { bytes in
      vips_image_new_from_memory_copy(
        bytes.baseAddress, bytes.count, Int32(clamping: width), Int32(clamping: height),
        Int32(bands), isWide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR)
    }
    guard let image else { throw Messages.failure() }
    image.pointee.Type =
      bands < 3
      ? isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W
      : isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
    self.init(owning: image)
  }
}
