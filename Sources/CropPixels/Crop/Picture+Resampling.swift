import CVips

extension Picture {
  /// The image after `step`, which mixes adjacent pixels.
  ///
  /// Alpha is premultiplied, so that transparent pixels do not affect the colour of adjacent ones.
  /// With `isLinear`, pixels are mixed in linear light, which preserves brightness. The result has
  /// the sample type and channels of this image.
  func resampled(
    isLinear: Bool, _ step: (Picture) throws(VipsFailure) -> Picture
  ) throws(VipsFailure) -> Picture {
    let space = interpretation
    let linear = isLinear && Self.hasLinearForm(space)
    if !hasAlpha, !linear { return try step(self).rounded(to: format) }

    let count = bands - (hasAlpha ? 1 : 0)
    var colour = hasAlpha ? try channels(from: 0, count: count) : self
    if linear { colour = try colour.converted(from: space, to: VIPS_INTERPRETATION_scRGB) }
    guard hasAlpha else { return try step(colour).undoingLinear(space, format: format) }

    let maximum = ("max-alpha", Argument.double(opaque))
    let joined = try colour.joined(with: channels(from: count)).applying("premultiply", maximum)
    let stepped = try step(joined).applying("unpremultiply", maximum)
    let colourAfter = try stepped.channels(from: 0, count: stepped.bands - 1)
    let alphaAfter = try stepped.channels(from: stepped.bands - 1).rounded(to: format)
    let restored =
      linear
      ? try colourAfter.undoingLinear(space, format: format) : try colourAfter.rounded(to: format)
    return try restored.joined(with: alphaAfter).relabelled(as: space)
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
