import CVips
import CropCore
import CropImaging
import FoundationEssentials

/// How to encode a finished image.
struct Encoding {
  var format: ImageFormat
  /// The quality, 1 to 100.
  var quality: Int
  /// The chroma subsampling of a lossy result.
  var subsampling: ChromaSubsampling
  var isProgressive: Bool
  /// Whether to encode losslessly, if the format supports both.
  var isExact = false
  /// Whether a HEIC stores gray as one channel, as gain maps do.
  var isMonochrome = false
  /// The bits per channel of a gray PNG, 1 to 16, or of an index in a GIF, 1 to 8; nil for those of
  /// the samples.
  var bitDepth: Int?
  var tiff = TIFFCompression.deflate
  /// The code points of the color space in a HEIC or AVIF; nil if a profile describes it, or
  /// nothing.
  var codePoints: ColorCodePoints?
  /// The width and height of a TIFF's tiles; nil for strips.
  var tile: (width: Int, height: Int)?
}

/// The TIFF compressions that libvips can write.
enum TIFFCompression {
  case none, lzw, deflate, packbits, jpeg, fax4, zstd, webp
}

extension Encoding {
  /// The file for `picture`, with the metadata in the image's fields.
  func file(of picture: Picture) throws(VipsFailure) -> Data {
    if format.isHEIF { return try HEIFFile.coded(picture, self) }
    if let sampled = try JPEGSampling(self, picture)?.file() { return sampled }
    guard let memory = vips_target_new_to_memory() else { throw Messages.failure() }
    let target = ObjectReference(owning: UnsafeMutableRawPointer(memory))
    let common: [(String, Argument)] = [
      ("in", .picture(picture)), ("target", .reference(target)),
    ]
    try Operation.run("\(format.operation)save_target", common + arguments(for: picture))
    // The saver has finished, so the target's blob holds the bytes.
    var value = GValue()
    g_value_init(&value, vips_blob_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(target.object, "blob", &value)
    var count = 0
    guard let blob = g_value_dup_boxed(&value)?.assumingMemoryBound(to: VipsBlob.self),
      let bytes = vips_blob_get(blob, &count), count > 0
    else { throw VipsFailure(words: "nothing was written") }
    let area = UnsafeMutableRawPointer(blob).assumingMemoryBound(to: VipsArea.self)
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: count,
      deallocator: .custom { _, _ in vips_area_unref(area) })
  }

  private func arguments(for picture: Picture) -> [(String, Argument)] {
    switch format {
    case .jpeg:
      return [
        ("Q", .int(quality)), ("interlace", .flag(isProgressive)),
        ("optimize-coding", .flag(isProgressive)), ("subsample-mode", subsampleMode),
      ]
    case .png:
      let depth = bitDepth.map { [("bitdepth", Argument.int($0))] } ?? []
      return depth + [
        ("interlace", .flag(isProgressive)), ("filter", .int(pngFilters(picture))),
        ("compression", .int(isMiddling(picture) ? 3 : 4)),
      ]
    case .webp:
      return [
        ("Q", .int(quality)), ("lossless", .flag(isExact)),
        ("effort", .int(isExact ? isHuge(picture) ? 1 : 4 : isLarge(picture) ? 2 : 4)),
      ]
    case .tiff:
      let level: [(String, Argument)] = isHuge(picture) ? [("level", .int(3))] : []
      let depth: [(String, Argument)] = bitDepth.map { [("bitdepth", .int($0))] } ?? []
      return [
        ("compression", .int(Int(tiff.vips.rawValue))), ("Q", .int(quality)),
        ("predictor", .int(Int(tiffPredictor(picture).rawValue))), ("lossless", .flag(true)),
      ] + level + tiling(of: picture) + depth
    case .jxl:
      // Measured: more effort takes longer and saves nothing in lossy files; in lossless ones, 2 %
      // in twice the time. With more effort, libjxl 0.7 also needs twice the memory for a large
      // image.
      return [
        ("Q", .int(quality)), ("lossless", .flag(isExact)),
        ("effort", .int(isExact ? isLarge(picture) ? 3 : 4 : isHuge(picture) ? 3 : 5)),
      ]
    case .gif:
      return bitDepth.map { [("bitdepth", .int($0))] } ?? []
    // For these, libheif is called directly.
    case .heic, .avif:
      return []
    }
  }

  private var subsampleMode: Argument {
    let mode =
      subsampling == .s420
      ? VIPS_FOREIGN_SUBSAMPLE_ON : VIPS_FOREIGN_SUBSAMPLE_OFF
    return .int(Int(mode.rawValue))
  }

  /// The PNG filters: prediction from adjacent pixels helps for true color, but not for indexes
  /// and samples of few bits.
  private func pngFilters(_ picture: Picture) -> Int {
    let filters: [VipsForeignPngFilter]
    if (bitDepth ?? 8) < 8 {
      filters = [VIPS_FOREIGN_PNG_FILTER_NONE]
    } else if isLarge(picture) {
      filters = [VIPS_FOREIGN_PNG_FILTER_SUB]
    } else if isMiddling(picture) {
      filters = [
        VIPS_FOREIGN_PNG_FILTER_SUB, VIPS_FOREIGN_PNG_FILTER_UP, VIPS_FOREIGN_PNG_FILTER_AVG,
      ]
    } else {
      filters = [VIPS_FOREIGN_PNG_FILTER_ALL]
    }
    return filters.reduce(0) { $0 | Int($1.rawValue) }
  }

  /// Whether an image is so large that speed is more important than the last bytes. Measured: a PNG
  /// of 12 megapixels takes 0.6 s instead of 1.6 s for 18 % more bytes, which are still 25 % less
  /// than with libvips' defaults; a WebP of 3 megapixels takes 0.12 s instead of 0.28 s for 0.2 dB
  /// at the same size.
  private func isLarge(_ picture: Picture) -> Bool {
    picture.width * picture.height > 1_000_000
  }

  /// Whether an image is so large that its encoding would take more of the time limit than anything
  /// else. Measured per megapixel: a JPEG XL takes 0.04 s instead of 0.14 s, a lossless WebP a fifth
  /// less.
  private func isHuge(_ picture: Picture) -> Bool {
    picture.width * picture.height > Self.huge
  }

  /// The number of pixels above which speed is most important.
  static let huge = 16_000_000

  /// Whether a PNG is larger than a typical drawing. Measured at a quarter of a megapixel: 13 ms
  /// instead of 29 for 13 % more bytes (photographs: 3 % less to 8 % more), 16 to 27 % less than
  /// with libvips' defaults.
  private func isMiddling(_ picture: Picture) -> Bool {
    picture.width * picture.height > 250_000
  }

  /// Uses the source's tiles, if the image fills one. They also take half the time: libtiff
  /// compresses a tile with a faster library than strips, which it compresses row by row.
  private func tiling(of picture: Picture) -> [(String, Argument)] {
    // libvips writes tiles whose sides are multiples of 16; huge tiles would waste memory.
    let sides = 16...1024
    guard let tile, sides.contains(tile.width), sides.contains(tile.height),
      tile.width % 16 == 0, tile.height % 16 == 0, (bitDepth ?? 8) >= 8,
      picture.width >= tile.width || picture.height >= tile.height
    else { return [] }
    return [
      ("tile", .flag(true)), ("tile-width", .int(tile.width)), ("tile-height", .int(tile.height)),
    ]
  }

  private func tiffPredictor(_ picture: Picture) -> VipsForeignTiffPredictor {
    // libtiff rejects the predictor for samples of fewer than 8 bits, and libvips doesn't report
    // it.
    if (bitDepth ?? 8) < 8 { return VIPS_FOREIGN_TIFF_PREDICTOR_NONE }
    switch picture.format {
    case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE, VIPS_FORMAT_COMPLEX, VIPS_FORMAT_DPCOMPLEX:
      return VIPS_FOREIGN_TIFF_PREDICTOR_NONE
    default: return VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL
    }
  }
}

extension TIFFCompression {
  fileprivate var vips: VipsForeignTiffCompression {
    switch self {
    case .none: VIPS_FOREIGN_TIFF_COMPRESSION_NONE
    case .lzw: VIPS_FOREIGN_TIFF_COMPRESSION_LZW
    case .deflate: VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE
    case .packbits: VIPS_FOREIGN_TIFF_COMPRESSION_PACKBITS
    case .jpeg: VIPS_FOREIGN_TIFF_COMPRESSION_JPEG
    case .fax4: VIPS_FOREIGN_TIFF_COMPRESSION_CCITTFAX4
    case .zstd: VIPS_FOREIGN_TIFF_COMPRESSION_ZSTD
    case .webp: VIPS_FOREIGN_TIFF_COMPRESSION_WEBP
    }
  }

  /// Whether the coding is lossless.
  var isExact: Bool { self != .jpeg }

  /// The compression with a TIFF number; deflate for those that libvips can't write.
  init(tag: Int) {
    switch tag {
    case 1: self = .none
    case 2, 3, 4: self = .fax4
    case 5: self = .lzw
    case 6, 7: self = .jpeg
    case 32_773: self = .packbits
    case 50_000: self = .zstd
    case 50_001, 34_927: self = .webp
    default: self = .deflate
    }
  }
}

/// Encodes a JPEG with a chroma subsampling that libvips can't write: 4:2:2, 4:4:0 or 4:1:1.
struct JPEGSampling {
  private let encoding: Encoding
  private let picture: Picture

  /// Nil if libvips can write the requested subsampling.
  init?(_ encoding: Encoding, _ picture: Picture) {
    guard encoding.format == .jpeg, [.s422, .s440, .s411].contains(encoding.subsampling),
      picture.bands == 3, picture.format == VIPS_FORMAT_UCHAR
    else { return nil }
    self.encoding = encoding
    self.picture = picture
  }

  /// The file, with the same first segments as in files of libvips.
  func file() throws(VipsFailure) -> Data {
    var plain = encoding
    plain.subsampling = .s444
    // Reads everything, since rows may be readable only once.
    let samples = try picture.samples()
    let pixel = try Picture(samples: [0, 0, 0], width: 1, height: 1, bands: 3).relabeled()
    if let profile = picture.bytes(Field.profile) { pixel.set(Field.profile, to: profile) }
    let head = JPEGSegments.applications(in: try plain.file(of: pixel))
    let coded = JPEGRows.coded(
      samples, size: FrameSize(width: picture.width, height: picture.height),
      subsampling: encoding.subsampling, quality: encoding.quality,
      isProgressive: encoding.isProgressive, segments: head)
    guard let coded else { throw VipsFailure(words: "out of memory while a JPEG was coded") }
    return coded
  }
}
