import CVips

extension Picture {
  /// The picture after `step`, which mixes neighbouring pixels.
  ///
  /// Transparent pixels have no say in the colour of their neighbours (premultiplied alpha), and in
  /// linear light brightness is kept, if `isLinear`. The result has the samples and channels of the
  /// picture.
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

  /// Whether there is a linear form that leads back to the same numbers.
  private static func hasLinearForm(_ space: VipsInterpretation) -> Bool {
    switch space {
    case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_B_W,
      VIPS_INTERPRETATION_GREY16:
      true
    default: false
    }
  }

  /// From linear light back to the numbers of `space`.
  ///
  /// The curve is that of sRGB for every profile: close to all curves in use, and the same both ways.
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
