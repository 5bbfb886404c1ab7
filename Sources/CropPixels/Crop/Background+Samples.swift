import CVips
import CropCore
import CropImaging

extension Background {
  /// Whether the color is a shade of gray.
  var isGray: Bool { red == green && green == blue }

  /// The samples of a pixel of this color in an image's colors, which must be gray, RGB or CMYK of
  /// 8 or 16 bits, without alpha.
  ///
  /// White and black are the ends of every scale; other colors are converted to the image's
  /// profile.
  func samples(in picture: Picture) -> [Double] {
    let isCMYK = picture.interpretation == VIPS_INTERPRETATION_CMYK
    let isEnd = (self == .white || self == .black) && !isCMYK
    if picture.hasProfile, !isEnd, let converted = try? converted(to: picture) { return converted }
    var channels = [red, green, blue].map { Double($0) }
    if picture.colorBands == 1 { channels = [channels[0]] }
    if isCMYK { channels = channels.map { 255 - $0 } + [0] }
    return channels.map { $0 * picture.opaque / 255 }
  }

  /// The samples that the image's profile shows as this color.
  private func converted(to picture: Picture) throws(VipsFailure) -> [Double]? {
    guard let profile = picture.bytes(Field.profile) else { return nil }
    let intent = ("intent", Argument.int(Int(VIPS_INTENT_RELATIVE.rawValue)))
    let parts = [red, green, blue]
    let dot = try Picture(samples: parts, width: 1, height: 1, bands: 3)
      .applying("icc_import", ("input-profile", .text("srgb")), intent)
      .relabeled()
    dot.set(Field.profile, to: profile)
    var samples = try dot.applying("icc_export", ("depth", .int(16)), intent).wideSamples()
    guard samples.count == picture.colorBands else { return nil }
    // libvips' conversion from sRGB is off by some levels, unlike that to sRGB, which shows by how
    // much. Steps of half the error also converge for large color spaces. The samples of a CMYK
    // color are not unique.
    for _ in 0..<Self.mostCorrections where samples.count < 4 {
      let wide = samples.map { UInt16($0.rounded()) }
      let dot = try Picture(
        samples: wide.withUnsafeBytes(Array.init), width: 1, height: 1, bands: wide.count,
        isWide: true)
      dot.set(Field.profile, to: profile)
      for (index, shown) in try dot.inSRGB().wideSamples().enumerated() {
        let step = (Double(parts[index]) * 257 - shown) / 2
        samples[index] = min(max(samples[index] + step, 0), 65_535)
      }
    }
    return samples.map { picture.opaque > 255 ? $0.rounded() : ($0 / 257).rounded() }
  }

  private static let mostCorrections = 16
}

extension Picture {
  /// The samples of an image with 16 bits per channel.
  fileprivate func wideSamples() throws(VipsFailure) -> [Double] {
    try samples().withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map {
        Double(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self))
      }
    }
  }
}
