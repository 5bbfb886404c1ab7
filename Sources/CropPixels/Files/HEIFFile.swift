import CVips
import CropImaging
import FoundationEssentials
import Glibc

/// Encodes HEIC and AVIF with libheif directly, because libvips' saver uses a setting of the HEVC
/// encoder that takes eight times as long for the same image.
struct HEIFFile {
  /// The file for `picture`, of 8 or 16 bits per channel, with the profile in its fields.
  static func coded(_ picture: Picture, _ encoding: Encoding) throws(VipsFailure) -> Data {
    let isMonochrome = encoding.isMonochrome && picture.bands == 1
    let color = try picture.bands < 3 && !isMonochrome ? picture.inColor() : picture
    guard (3...4).contains(color.bands) || isMonochrome,
      color.format == VIPS_FORMAT_UCHAR || color.format == VIPS_FORMAT_USHORT
    else { throw VipsFailure(words: "its samples are not supported") }
    let file = try HEIFFile(encoding, pixels: color.width * color.height)
    defer { file.free() }
    let image = try Image(color, depth: encoding.bitDepth ?? 8)
    try file.encode(image)
    return try file.bytes()
  }

  /// The quality whose results are about as large as an image with this quantizer, from 1 to the
  /// default quality; nil for other formats.
  ///
  /// libheif 1.15 maps a quality to the rate factor (100 − quality) / 2 of x265, whose first slice
  /// has a QP that is 3 less, and to the level (100 − quality) · 0.63 of libaom, a quarter of the
  /// index. The numbers below follow from that and are not fitted to file sizes.
  static func quality(ofQuantizer quantizer: Int, in format: ImageFormat) -> Int? {
    let quality: Int
    switch format {
    case .heic: quality = 92 - 2 * quantizer
    case .avif: quality = 100 - quantizer * 80 / 255
    default: return nil
    }
    return min(max(quality, 1), ResultOptions.defaultQuality)
  }

  private let context: OpaquePointer
  private let encoder: OpaquePointer
  private let points: ColorCodePoints?

  private init(_ encoding: Encoding, pixels: Int) throws(VipsFailure) {
    guard let context = heif_context_alloc() else { throw VipsFailure(words: "out of memory") }
    let isHEVC = encoding.format == .heic
    var encoder: OpaquePointer?
    let error = heif_context_get_encoder_for_format(
      context, isHEVC ? heif_compression_HEVC : heif_compression_AV1, &encoder)
    guard error.code == heif_error_Ok, let encoder else {
      heif_context_free(context)
      throw VipsFailure(words: "no encoder for \(encoding.format.displayName)")
    }
    self.context = context
    self.encoder = encoder
    points = encoding.codePoints
    _ = heif_encoder_set_lossy_quality(encoder, Int32(encoding.quality))
    // Measured at 12 megapixels and quality 90: a tenth of the time of libheif's default ("slow"),
    // with 0.7 dB less in a ninth fewer bytes; for AV1, a third of the time of speed 5 with 1.5 dB
    // less. Speed 6 takes up to 4 s of processor time per megapixel, 7 takes 1 s, 9 takes 0.2 s, all
    // with about as many bytes.
    if isHEVC {
      _ = heif_encoder_set_parameter_string(encoder, "preset", "ultrafast")
      // In a sandbox, x265 can't read which processors there are, and would use one of them. As for
      // AV1, threads need address space.
      let threads = pixels > 24_000_000 ? 1 : min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
      _ = heif_encoder_set_parameter_string(encoder, "x265:pools", "\(threads)")
    } else {
      let speed = pixels > Encoding.huge ? 9 : pixels > 4_000_000 ? 7 : 6
      _ = heif_encoder_set_parameter_integer(encoder, "speed", Int32(speed))
      // Each thread reserves address space, which counts towards a worker's memory limit.
      if pixels > 24_000_000 { _ = heif_encoder_set_parameter_integer(encoder, "threads", 1) }
    }
    _ = heif_encoder_set_parameter_string(encoder, "chroma", encoding.heifChroma)
  }

  private func free() {
    heif_encoder_release(encoder)
    heif_context_free(context)
  }

  private func encode(_ image: Image) throws(VipsFailure) {
    guard let options = heif_encoding_options_alloc() else {
      throw VipsFailure(words: "out of memory")
    }
    defer { heif_encoding_options_free(options) }
    options.pointee.save_alpha_channel = image.hasAlpha ? 1 : 0
    guard let points else {
      try Self.check(heif_context_encode_image(context, image.raw, encoder, options, nil))
      return
    }
    guard let colors = heif_nclx_color_profile_alloc() else {
      throw VipsFailure(words: "out of memory")
    }
    defer { heif_nclx_color_profile_free(colors) }
    _ = heif_nclx_color_profile_set_color_primaries(colors, UInt16(clamping: points.primaries))
    _ = heif_nclx_color_profile_set_transfer_characteristics(
      colors, UInt16(clamping: points.transfer))
    _ = heif_nclx_color_profile_set_matrix_coefficients(colors, points.heifMatrix)
    colors.pointee.full_range_flag = 1
    try Self.check(heif_image_set_nclx_color_profile(image.raw, colors))
    options.pointee.output_nclx_profile = colors
    options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    options.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
    try Self.check(heif_context_encode_image(context, image.raw, encoder, options, nil))
  }

  private func bytes() throws(VipsFailure) -> Data {
    let box = Box()
    var writer = heif_writer()
    writer.writer_api_version = 1
    writer.write = { _, bytes, count, box in
      if let bytes, let box {
        Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().data.append(
          Data(bytes: bytes, count: count))
      }
      return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
    }
    try Self.check(
      heif_context_write(context, &writer, Unmanaged.passUnretained(box).toOpaque()))
    return box.data
  }

  private final class Box {
    var data = Data()
  }

  fileprivate static func check(_ error: heif_error) throws(VipsFailure) {
    guard error.code != heif_error_Ok else { return }
    throw VipsFailure(words: error.message.map { String(cString: $0) } ?? "libheif failed")
  }
}

/// An image in libheif's memory.
private final class Image {
  let raw: OpaquePointer
  let hasAlpha: Bool
  private let channel: heif_channel

  init(_ picture: Picture, depth: Int) throws(VipsFailure) {
    hasAlpha = picture.bands == 4
    let isWide = depth > 8
    let chroma =
      isWide
      ? hasAlpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE
      : hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
    let isMonochrome = picture.bands == 1
    channel = isMonochrome ? heif_channel_Y : heif_channel_interleaved
    let (width, height) = (Int32(clamping: picture.width), Int32(clamping: picture.height))
    var image: OpaquePointer?
    try HEIFFile.check(
      heif_image_create(
        width, height, isMonochrome ? heif_colorspace_monochrome : heif_colorspace_RGB,
        isMonochrome ? ckc_heif_monochrome : chroma, &image))
    guard let image else { throw VipsFailure(words: "out of memory") }
    raw = image
    try HEIFFile.check(heif_image_add_plane(image, channel, width, height, Int32(depth)))
    try fill(from: picture, depth: depth)
    if let profile = picture.bytes(Field.profile) {
      try HEIFFile.check(
        heif_image_set_raw_color_profile(image, "prof", profile, profile.count))
    }
  }

  deinit { heif_image_release(raw) }

  /// Copies the rows as they are computed.
  private func fill(from picture: Picture, depth: Int) throws(VipsFailure) {
    var stride: Int32 = 0
    guard let plane = heif_image_get_plane(raw, channel, &stride) else {
      throw VipsFailure(words: "out of memory")
    }
    let rows = 64
    // One region for all rows, since the source may be readable only once.
    guard let region = vips_region_new(picture.image) else { throw Messages.failure() }
    defer { g_object_unref(region) }
    for top in Swift.stride(from: 0, to: picture.height, by: rows) {
      let count = min(rows, picture.height - top)
      var size = 0
      let fetched = vips_region_fetch(
        region, 0, Int32(top), Int32(picture.width), Int32(count), &size)
      guard let fetched else { throw Messages.failure() }
      defer { g_free(fetched) }
      copy(
        UnsafeRawBufferPointer(start: fetched, count: size), of: picture, depth: depth,
        to: UnsafeMutableRawPointer(plane) + top * Int(stride), stride: Int(stride))
    }
  }

  /// Copies complete rows of samples, from 8 or 16 bits to `depth`.
  private func copy(
    _ all: UnsafeRawBufferPointer, of picture: Picture, depth: Int,
    to plane: UnsafeMutableRawPointer, stride: Int
  ) {
    let isWide = picture.format == VIPS_FORMAT_USHORT
    let samples = picture.width * picture.bands
    let row = samples * (isWide ? 2 : 1)
    let most = 1 << UInt32(depth) - 1 as UInt32
    for y in 0..<all.count / row {
      let line = plane + y * stride
      let from = y * row
      guard isWide || depth > 8 else {
        UnsafeMutableRawBufferPointer(start: line, count: samples).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: all[from..<from + samples]))
        continue
      }
      for x in 0..<samples {
        let value =
          isWide
          ? all.loadUnaligned(fromByteOffset: from + 2 * x, as: UInt16.self)
          : UInt16(all[from + x]) * 257
        let kept = UInt16((UInt32(value) * most + 32_767) / 65_535)
        if depth > 8 {
          line.storeBytes(of: kept.littleEndian, toByteOffset: 2 * x, as: UInt16.self)
        } else {
          line.storeBytes(of: UInt8(kept), toByteOffset: x, as: UInt8.self)
        }
      }
    }
  }
}

extension ColorCodePoints {
  /// The matrix of the result: that of the source if libheif supports it, otherwise the usual one
  /// for the primaries.
  fileprivate var heifMatrix: UInt16 {
    switch matrix {
    case 1, 5, 6, 9: UInt16(matrix)
    default: primaries == 9 ? 9 : primaries == 1 && transfer == 1 ? 1 : 6
    }
  }
}

extension Encoding {
  /// The chroma subsampling by its name in libheif's encoders.
  fileprivate var heifChroma: String {
    switch subsampling {
    case .s444, .other: "444"
    case .s422: "422"
    case .s420, .s411, .s440: "420"
    }
  }
}

extension Picture {
  /// A gray image, with or without alpha, as RGB.
  fileprivate func inColor() throws(VipsFailure) -> Picture {
    let gray = try channels(from: 0)
    var result = try gray.joined(with: gray).joined(with: gray)
    if bands == 2 { result = try result.joined(with: channels(from: 1)) }
    return try result.relabeled(
      as: format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB)
  }
}
