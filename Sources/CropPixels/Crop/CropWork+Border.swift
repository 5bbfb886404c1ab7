import CVips
import CropCore
import CropImaging
import CropKernels

extension CropWork {
  /// The area inside the image's uniform border; nil for an image of one color.
  mutating func insideBorder(tolerance: Int) throws(CropError) -> ImageRect? {
    try reading { work, reader in try work.insideBorder(in: reader, tolerance) }
  }

  private mutating func insideBorder(
    in reader: SourceReader, _ tolerance: Int
  ) throws -> ImageRect? {
    guard options.animates(info) else {
      let stored = try stored(from: reader)
      try checkMemory(stored)
      if info.format == .tiff {
        _ = try source.checkTIFFJPEGs(
          page: stored.page, part: stored.storedPart(of: crop), limits: limits,
          isLenient: options.isLenient)
      }
      return try insideBorder(stored, tolerance)
    }
    var first = options
    first.page = .only(1)
    let stored = try DecodedPicture(
      reader, source: source, info: info, options: first, limits: limits)
    try checkMemory(stored)
    var frames = try AnimationFrames(
      reader, source: source, info: info, isLenient: options.isLenient)
    var all: ImageRect?
    for _ in 0..<frames.count {
      try deadline.check(source)
      let frame = try stored.showing(try frames.advance(), of: info)
      guard let inside = try insideBorder(frame, tolerance) else { continue }
      all = all?.union(inside) ?? inside
    }
    return all
  }

  private func insideBorder(_ stored: DecodedPicture, _ tolerance: Int) throws -> ImageRect? {
    let picture = try stored.part(of: crop).eightBits()
    deadline.watch(picture)
    let (width, height, bands) = (picture.width, picture.height, picture.bands)
    return try picture.withSamples { samples in
      BorderedPixels(samples, width: width, height: height, bands: bands)?
        .inside(tolerance: tolerance)
    }
  }

  private func checkMemory(_ stored: DecodedPicture) throws(CropError) {
    let pixels = crop.output.width * crop.output.height
    let roll = options.animates(info) ? info.pixelsOfRoll : 0
    let held = (stored.keepsRowOrder(with: crop.orientation) ? pixels : 2 * pixels) + roll
    try stored.checkMemory(info: info, file: source.name, held: held, limits: limits)
  }
}

extension Picture {
  /// The image as gray or RGB of 8 bits, with or without alpha. The colors are not converted from
  /// their profile.
  fileprivate func eightBits() throws(VipsFailure) -> Picture {
    switch interpretation {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16, VIPS_INTERPRETATION_sRGB,
      VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_RGB:
      if format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT {
        return try withoutFurtherChannels().narrowed()
      }
    default: break
    }
    return try inSRGB().narrowed()
  }
}

extension PixelRect {
  /// The smallest rectangle that contains both.
  fileprivate func union(_ other: Self) -> Self {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Self(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }
}
