import CVips
import CropImaging

extension Picture {
  /// Whether the image has an ICC profile.
  var hasProfile: Bool { vips_image_get_typeof(image, Field.profile) != 0 }

  /// Whether the image has an ICC profile for other colors than its own. Viewers ignore it.
  var hasForeignProfile: Bool {
    guard let profile = bytes(Field.profile), profile.count >= 20 else { return false }
    // Many gray images have a profile for RGB (ICC.1:2022, 7.2.8).
    let spaces =
      isLab ? [] : colorBands == 1 ? ["GRAY", "RGB "] : colorBands == 4 ? ["CMYK"] : ["RGB "]
    return !spaces.contains(String(decoding: profile[16..<20], as: UTF8.self))
  }

  /// The image with `profile`, if there is one, otherwise with a profile for the color space that
  /// the file states in another way.
  func withProfile(_ profile: [UInt8]?, for info: ImageInfo) throws(VipsFailure) -> Picture {
    if hasForeignProfile { return try withoutProfile().withProfile(profile, for: info) }
    if let profile, bands >= 3 {
      let stored = try relabeled()
      stored.set(Field.profile, to: profile)
      return stored
    }
    guard let coding = info.colorCoding else { return self }
    // Code points in a PNG take precedence over its profile, which is for programs that don't
    // support them.
    let isFirst = if case .codePoints = coding { info.format == .png } else { false }
    guard isFirst || !hasProfile else { return self }
    let stored = try relabeled()
    if isFirst { vips_image_remove(stored.image, Field.profile) }
    if let profile = SynthesizedProfile(coding, isGray: bands < 3) {
      stored.set(Field.profile, to: profile.bytes)
    }
    return stored
  }

  func withoutProfile() throws(VipsFailure) -> Picture {
    let bare = try relabeled()
    vips_image_remove(bare.image, Field.profile)
    return bare
  }

  /// The image in sRGB, with 8 or 16 bits per channel as before (others: 8), and at most alpha
  /// besides the colors; gray stays gray.
  ///
  /// An unusable profile is ignored, as viewers do.
  func inSRGB() throws(VipsFailure) -> Picture {
    let count = hasAlpha ? colorBands : bands
    let color = hasAlpha ? try channels(from: 0, count: count) : self
    guard format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT else {
      guard hasKnownRange else {
        throw VipsFailure(
          words: "its samples are not supported outside of TIFF: nothing says which is white")
      }
      let converted = try color.converted(to: VIPS_INTERPRETATION_sRGB)
      guard hasAlpha else { return converted }
      let alpha = try channels(from: count).scaled(by: 255 / opaque).rounded(to: converted.format)
      return try converted.joined(with: alpha).relabeled(as: VIPS_INTERPRETATION_sRGB)
    }
    var converted = try color.colorInSRGB()
    if count == 1, converted.bands == 3 {
      converted = try converted.channels(from: 1).relabeled(
        as: format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
    }
    guard hasAlpha else { return converted }
    let space = converted.interpretation
    return try converted.joined(with: channels(from: count)).relabeled(as: space)
  }

  /// Whether samples that are neither 8 nor 16 bits have a known range: linear light as fractions,
  /// or L*a*b*.
  private var hasKnownRange: Bool {
    switch interpretation {
    case VIPS_INTERPRETATION_scRGB, VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABS: true
    default: false
    }
  }

  private func colorInSRGB() throws(VipsFailure) -> Picture {
    let isWide = format == VIPS_FORMAT_USHORT
    if hasProfile || interpretation == VIPS_INTERPRETATION_CMYK {
      var arguments: [(String, Argument)] = [
        ("in", .picture(self)), ("output-profile", .text("srgb")), ("embedded", .flag(hasProfile)),
        ("intent", .int(Int(VIPS_INTENT_RELATIVE.rawValue))),
        ("black-point-compensation", .flag(true)), ("depth", .int(isWide ? 16 : 8)),
      ]
      // Without an embedded profile, use libvips' CMYK profile.
      if interpretation == VIPS_INTERPRETATION_CMYK {
        arguments.append(("input-profile", .text("cmyk")))
      }
      if let converted = try? Operation.picture("icc_transform", arguments) { return converted }
    }
    switch interpretation {
    case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_B_W,
      VIPS_INTERPRETATION_GREY16:
      return self
    default:
      let space = isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
      // libvips is off by some levels if it converts packed L*a*b* in one step.
      let lab = isLab ? try converted(to: VIPS_INTERPRETATION_LAB) : self
      return try lab.converted(to: space)
    }
  }

  private func converted(to space: VipsInterpretation) throws(VipsFailure) -> Picture {
    try applying("colourspace", ("space", .int(Int(space.rawValue))))
  }

  /// The image with 16-bit samples whose largest value is white.
  ///
  /// libvips stores the 10 or 12 bits of a HEIC or AVIF in the highest bits, followed by zeros.
  func withAllBits() throws(VipsFailure) -> Picture {
    guard format == VIPS_FORMAT_USHORT, let depth = number(Field.heifDepth),
      (9...15).contains(depth)
    else { return self }
    let most = (1 << depth - 1) << (16 - depth)
    return try scaled(by: 65_535 / Double(most)).rounded(to: VIPS_FORMAT_USHORT)
  }

  /// The image with 8 bits per channel.
  func narrowed() throws(VipsFailure) -> Picture {
    guard format == VIPS_FORMAT_USHORT else { return self }
    let space: VipsInterpretation
    switch interpretation {
    case VIPS_INTERPRETATION_GREY16: space = VIPS_INTERPRETATION_B_W
    case VIPS_INTERPRETATION_RGB16: space = VIPS_INTERPRETATION_sRGB
    default: space = interpretation
    }
    return try scaled(by: 1.0 / 257).rounded(to: VIPS_FORMAT_UCHAR).relabeled(as: space)
  }

  /// Whether a file of `format` can store these colors unchanged, with their profile.
  func isHeld(by format: ImageFormat) -> Bool {
    let isPlain = self.format == VIPS_FORMAT_UCHAR || self.format == VIPS_FORMAT_USHORT
    switch interpretation {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16:
      return format == .tiff || (isPlain && (format.holdsGrayProfiles || !hasProfile))
    case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_RGB:
      return format == .tiff || (isPlain && (format != .gif || !hasProfile))
    case VIPS_INTERPRETATION_CMYK: return format == .tiff || format == .jpeg
    default: return format == .tiff
    }
  }
}
