import CVips
import CropImaging

extension Picture {
  /// The picture with everything outside `mask`, which has its size, transparent; channels that are neither
  /// colour nor alpha end there too.
  func masked(by mask: ShapeMask) throws(VipsFailure) -> Picture {
    let space = interpretation
    let coverage = mask.coverage()
    let stencil = try Picture(
      samples: coverage, width: mask.size.width, height: mask.size.height)
    let alpha: Picture
    let colour: Picture
    if hasAlpha {
      let count = colourBands
      colour = try channels(from: 0, count: count)
      let others = try channels(from: count, count: bands - count)
      alpha = try Operation.picture(
        "multiply", [("left", .picture(others)), ("right", .picture(stencil))]
      ).scaled(by: 1 / 255)
    } else {
      colour = self
      alpha = try stencil.scaled(by: opaque / 255)
    }
    return try colour.joined(with: alpha.rounded(to: format)).relabelled(as: space)
  }

  /// The picture with its colours and alpha, and no channel that is neither.
  func withoutFurtherChannels() throws(VipsFailure) -> Picture {
    let count = colourBands + 1
    guard bands > count else { return self }
    let space = interpretation
    return try channels(from: 0, count: count).relabelled(as: space)
  }

  /// The picture without alpha, on a background; gray only while the background is gray.
  func flattened(on background: Background) throws(VipsFailure) -> Picture {
    guard hasAlpha else { return self }
    let isGray = background.red == background.green && background.green == background.blue
    if bands == 2, !isGray {
      let space = opaque > 255 ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
      return try applying("colourspace", ("space", .int(Int(space.rawValue))))
        .flattened(on: background)
    }
    var channels = [background.red, background.green, background.blue].map { Double($0) }
    if bands == 2 { channels = [channels[0]] }
    if interpretation == VIPS_INTERPRETATION_CMYK { channels = channels.map { 255 - $0 } + [0] }
    return try applying(
      "flatten", ("background", .doubles(channels.map { $0 * opaque / 255 })),
      ("max-alpha", .double(opaque)))
  }

  /// Every sample times `factor`, as fractions.
  func scaled(by factor: Double) throws(VipsFailure) -> Picture {
    if factor == 1 { return self }
    return try applying("linear", ("a", .doubles([factor])), ("b", .doubles([0])))
  }

  /// Channels of 8 bits, or 16 in the machine's order if `isWide`, row by row: gray or red, green and
  /// blue, and alpha.
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
