import CVips
import CropCore
import CropImaging
import FoundationEssentials

extension CropWork {
  /// Crops every frame, and returns one file.
  mutating func animated(from reader: SourceReader) throws -> CropResult {
    // A palette is tried first; only the last frame shows whether the colors fit.
    do {
      return try animated(from: reader, mayNumberColors: true)
    } catch is TooManyColors {
      return try animated(from: reader, mayNumberColors: false)
    }
  }

  private mutating func animated(
    from reader: SourceReader, mayNumberColors: Bool
  ) throws -> CropResult {
    var first = options
    first.page = .only(1)
    let stored = try DecodedPicture(
      reader, source: source, info: info, options: first, limits: limits)
    let metadata = keptMetadata(ofPage: 1)
    try checkMemory(stored)
    var frames = try AnimationFrames(
      reader, source: source, info: info, isLenient: options.isLenient)
    try frames.keep(options.page.pages(of: info.frameCount))
    var coder: (any AnimationCoder)?
    var output: PictureOutput?
    var kept: EditedMetadata?
    var colors: (profile: [UInt8]?, coding: ColorCoding?) = (nil, nil)
    var isExact = true
    for _ in 0..<frames.count {
      try deadline.check(source)
      let (picture, isMoved) = try shaped(
        stored.showing(try frames.advance(), of: info))
      var frame = PictureOutput(picture, of: self, metadata: metadata, isExact: isMoved)
      let fitted = try frame.fitted()
      isExact = isExact && frame.isExact
      if coder == nil {
        kept = frame.keptMetadata(of: fitted)
        colors = frame.keptColors(of: fitted)
        coder = self.coder(
          frame, size: fitted.size, profile: colors.profile, timing: frames.timing,
          mayNumberColors)
        output = frame
      }
      deadline.watch(fitted)
      try coder?.add(FrameRaster(fitted))
      guard let coder, coder.byteCount <= limits.memory / 4 else {
        throw CropError.outOfMemory(file: source.name, allowed: limits.memory)
      }
    }
    guard var coder, let kept, let output else { throw VipsFailure(words: "no frame") }
    var file = try coder.finish()
    if format == .png {
      file = PNGChunks.written(into: file, palette: nil, profile: nil, coding: colors.coding)
    } else if format == .gif {
      file = GIFFile.written(colors.profile, into: file)
    }
    file = kept.written(into: file, format: format, density: output.density)
    try checkVipsWarnings()
    let isSame = isExact && layout == nil && format == info.format && coder.isExact
    return CropResult(
      bytes: file, format: format, size: size, warnings: warnings + output.warnings,
      isLossless: isSame)
  }

  private func coder(
    _ output: PictureOutput, size: (width: Int, height: Int), profile: [UInt8]?,
    timing: AnimationTiming, _ mayNumberColors: Bool
  ) -> any AnimationCoder {
    switch format {
    case .gif:
      return AnimatedGIF(width: size.width, height: size.height, timing: timing)
    case .webp:
      return AnimatedWebP(timing: timing, encoding: output.encoding, profile: profile)
    default:
      return AnimatedPNG(
        timing: timing, encoding: output.encoding, profile: profile,
        isPaletted: mayNumberColors && output.isPaletted)
    }
  }

  /// Checks the memory for an animation: decoders keep the canvas and the frame before it, and the
  /// results of two frames are compared.
  private func checkMemory(_ stored: DecodedPicture) throws(CropError) {
    let part = crop.neededPart
    let held =
      part.width * part.height + 4 * size.width * size.height + heldCrop + info.pixelsOfRoll
    try stored.checkMemory(info: info, file: source.name, held: held, limits: limits)
  }
}
