import CVips

extension Picture {
  /// The image after `step`, which mixes adjacent pixels.
  ///
  /// Alpha is premultiplied, so that transparent pixels do not affect the color of adjacent ones.
  /// With `isLinear`, pixels are mixed in linear light, which preserves brightness. The result has
  /// the sample type and channels of this image; L*a*b* becomes sRGB.
  func resampled(
    isLinear: Bool, _ step: (Picture) throws(VipsFailure) -> Picture
  ) throws(VipsFailure) -> Picture {
    if isLab { return try inSRGB().resampled(isLinear: isLinear, step) }
    let space = interpretation
    let linear = isLinear && hasPlainSamples && Self.hasLinearForm(space)
    if !hasAlpha, !linear {
      // libvips only resizes floats, and integers of up to 16 bits without a sign, exactly.
      let isInexact = !hasPlainSamples && vips_band_format_isint(format) != 0
      guard !isInexact || vips_format_sizeof(format) < 4 else {
        throw VipsFailure(words: "resizing 32-bit integers is not supported")
      }
      return try step(isInexact ? cast(to: VIPS_FORMAT_FLOAT) : self).rounded(to: format)
    }

    let count = bands - (hasAlpha ? 1 : 0)
    var color = hasAlpha ? try channels(from: 0, count: count) : self
    if linear { color = try color.converted(from: space, to: VIPS_INTERPRETATION_scRGB) }
    guard hasAlpha else { return try step(color).undoingLinear(space, format: format) }

    let maximum = ("max-alpha", Argument.double(opaque))
    let joined = try color.joined(with: channels(from: count)).applying("premultiply", maximum)
    let stepped = try step(joined).applying("unpremultiply", maximum)
    let colorAfter = try stepped.channels(from: 0, count: stepped.bands - 1)
    let alphaAfter = try stepped.channels(from: stepped.bands - 1).rounded(to: format)
    let restored =
      linear
      ? try colorAfter.undoingLinear(space, format: format) : try colorAfter.rounded(to: format)
    return try restored.joined(with: alphaAfter).relabeled(as: space)
  }

  /// Whether there is a linear form that can be converted back to the same values.
  private static func hasLinearForm(_ space: VipsInterpretation) -> Bool {
    switch space {
    case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_B_W,
      VIPS_INTERPRETATION_GREY16:
      true
    default: false
    }
  }

  /// Converts linear light back to the values of `space`.
  ///
  /// The curve is that of sRGB for every profile: it is close to all curves in use, and the same in
  /// both directions.
  private func undoingLinear(
    _ space: VipsInterpretation, format: VipsBandFormat
  ) throws(VipsFailure) -> Picture {
    try converted(from: VIPS_INTERPRETATION_scRGB, to: space).rounded(to: format)
  }

  private func converted(
    from source: VipsInterpretation, to target: VipsInterpretation
  ) throws(VipsFailure) -> Picture {
    try applying(
      "colourspace", ("space", .int(Int(target.rawValue))),
      ("source-space", .int(Int(source.rawValue))))
  }
}
