import CVips
import CropImaging
import FoundationEssentials

/// How a finished picture is coded.
struct Encoding {
  var format: PictureFormat
  /// 1 to 100.
  var quality: Int
  /// What the chroma planes of a result coded with loss are like.
  var subsampling: ChromaSubsampling
  var isProgressive: Bool
  /// Whether WebP keeps every pixel.
  var isExactWebP = false
  /// The bits a channel of a gray PNG, 1 to 16; nil is what the samples hold.
  var bitDepth: Int?
  /// The compression of a TIFF.
  var tiff = TIFFCompression.deflate
  /// How a HEIC or AVIF says that its colours are coded; nil where a profile says it, or nothing.
  var codePoints: ColorCodePoints?
  /// The columns and rows of a TIFF's tiles; nil is strips.
  var tile: (width: Int, height: Int)?
}

/// The compressions of TIFF that libvips writes.
enum TIFFCompression {
  case none, lzw, deflate, packbits, jpeg, fax4, zstd, webp
}

extension Encoding {
  /// The file for `picture`, with the metadata that is left in the picture's fields.
  func file(of picture: Picture) throws(VipsFailure) -> Data {
    if format.isHEIF { return try HEIFFile.coded(picture, self) }
    if let sampled = try JPEGSampling(self, picture)?.file() { return sampled }
    guard let memory = vips_target_new_to_memory() else { throw Messages.failure() }
    let target = ObjectReference(owning: UnsafeMutableRawPointer(memory))
    let common: [(String, Argument)] = [
      ("in", .picture(picture)), ("target", .reference(target)),
    ]
    try Operation.run(saver, common + arguments(for: picture))
    // The saver has ended the target, which then holds its bytes in a counted area.
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

  private var saver: String {
    switch format {
    case .jpeg: "jpegsave_target"
    case .png: "pngsave_target"
    case .webp: "webpsave_target"
    case .gif: "gifsave_target"
    case .tiff: "tiffsave_target"
    // libheif is called without libvips.
    case .heic, .avif: "heifsave_target"
    }
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
        ("Q", .int(quality)), ("lossless", .flag(isExactWebP)),
        ("effort", .int(isLarge(picture) && !isExactWebP ? 2 : 4)),
      ]
    case .gif:
      return []
    case .tiff:
      return [
        ("compression", .int(Int(tiff.vips.rawValue))), ("Q", .int(quality)),
        ("predictor", .int(Int(tiffPredictor(picture).rawValue))), ("lossless", .flag(true)),
      ] + tiling(of: picture) + (bitDepth.map { [("bitdepth", .int($0))] } ?? [])
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

  /// Neighbours predict true colour; in indexes and few-bit samples they predict nothing.
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

  /// Whether a picture is so large that time counts more than the last bytes. Measured: a PNG of 12
  /// megapixels 0.6 s instead of 1.6 s for 18 % more bytes, which are still 25 % less than libvips' defaults
  /// give; a WebP of 3 megapixels 0.12 s instead of 0.28 s for 0.2 dB at the same size.
  private func isLarge(_ picture: Picture) -> Bool {
    picture.width * picture.height > 1_000_000
  }

  /// Whether a PNG is past the size of a drawing. Measured at a quarter of a megapixel: 13 ms instead of 29
  /// for 13 % more bytes (photographs: 3 % less to 8 % more), 16 to 27 % less than libvips' defaults give.
  private func isMiddling(_ picture: Picture) -> Bool {
    picture.width * picture.height > 250_000
  }

  /// Tiles as the source has them, where the picture fills one. They also take half the time: libtiff packs
  /// a tile at once by a quicker library than it packs strips by row for row.
  private func tiling(of picture: Picture) -> [(String, Argument)] {
    // libvips writes sides of whole sixteens; huge tiles would be memory for nothing.
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
    // Neighbours are bytes: samples of fewer bits libtiff refuses to predict, and libvips doesn't say so.
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

  /// Whether every sample comes back as it was.
  var isExact: Bool { self != .jpeg }

  /// The compression that the number in a TIFF stands for; what libvips can't write becomes deflate.
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
