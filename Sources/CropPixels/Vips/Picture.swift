import CVips
import CropCore

/// A libvips image: pixels in memory, or computed on demand.
///
/// Images are used as values: every step returns a new one and leaves its input unchanged.
final class Picture {
  private let reference: ObjectReference

  /// Takes ownership of one count of an image.
  init(owning image: UnsafeMutableRawPointer) { reference = ObjectReference(owning: image) }

  /// The image; valid while this object exists.
  var image: UnsafeMutablePointer<VipsImage> {
    reference.raw.assumingMemoryBound(to: VipsImage.self)
  }

  /// The number of columns.
  var width: Int { Int(vips_image_get_width(image)) }
  /// The number of rows.
  var height: Int { Int(vips_image_get_height(image)) }
  /// The number of channels, including alpha.
  var bands: Int { Int(vips_image_get_bands(image)) }
  /// The type of a sample.
  var format: VipsBandFormat { vips_image_get_format(image) }
  /// The color space of the channels.
  var interpretation: VipsInterpretation { vips_image_guess_interpretation(image) }
  /// The number of color channels.
  var colorBands: Int {
    switch interpretation {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: 1
    case VIPS_INTERPRETATION_CMYK: 4
    default: min(bands, 3)
    }
  }
  /// Whether the samples have 8 or 16 bits, of which the largest value is white.
  var hasPlainSamples: Bool { format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT }
  /// Whether the colors are L*a*b*.
  var isLab: Bool {
    switch interpretation {
    case VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABQ, VIPS_INTERPRETATION_LABS: true
    default: false
    }
  }
  /// Whether the channel after the colors is alpha.
  var hasAlpha: Bool {
    // L*a*b* of 8 bits is packed: the fourth byte holds more bits of the others.
    vips_image_get_coding(image) == VIPS_CODING_NONE && vips_image_hasalpha(image) != 0
  }
  /// The number of columns and rows.
  var size: (width: Int, height: Int) { (width, height) }
  var bytesPerPixel: Int { bands * Int(vips_format_sizeof(format)) }

  /// The alpha value of an opaque pixel.
  var opaque: Double {
    switch format {
    case VIPS_FORMAT_USHORT, VIPS_FORMAT_SHORT: 65_535
    case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE:
      interpretation == VIPS_INTERPRETATION_scRGB ? 1 : 255
    default: 255
    }
  }
}

extension Picture {
  /// All pixels, row by row without padding.
  func samples() throws(VipsFailure) -> [UInt8] { try withSamples { [UInt8]($0) } }

  /// Calls `body` with the bytes of all pixels, row by row without padding; they are valid only
  /// during the call.
  func withSamples<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) throws(VipsFailure) -> Value {
    var count = 0
    guard let memory = vips_image_write_to_memory(image, &count) else { throw Messages.failure() }
    defer { g_free(memory) }
    return body(
      UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count))
  }

  /// The image, computed and kept in memory, so that it can be read in any order.
  func inMemory() throws(VipsFailure) -> Picture {
    guard let copy = vips_image_copy_memory(image) else { throw Messages.failure() }
    return Picture(owning: copy)
  }

  /// An image with the sample format and metadata of this one, of this or another size, which `fill`
  /// computes on demand. It gets `work`, which stays alive as long as the image, and, if it reads
  /// this image by region, a region of it.
  func computed(
    _ size: FrameSize? = nil, by work: AnyObject, readsRegions: Bool = false,
    _ fill: VipsGenerateFn
  ) throws(VipsFailure) -> Picture {
    guard let made = vips_image_new() else { throw Messages.failure() }
    let picture = Picture(owning: UnsafeMutableRawPointer(made))
    var inputs: [UnsafeMutablePointer<VipsImage>?] = [image, nil]
    guard vips_image_pipeline_array(made, VIPS_DEMAND_STYLE_THINSTRIP, &inputs) == 0 else {
      throw Messages.failure()
    }
    if let size {
      (made.pointee.Xsize, made.pointee.Ysize) = (Int32(size.width), Int32(size.height))
    }
    let work = Unmanaged.passRetained(work).toOpaque()
    g_object_set_data_full(
      UnsafeMutableRawPointer(made).assumingMemoryBound(to: GObject.self), "cropkit-work", work
    ) { work in
      if let work { Unmanaged<AnyObject>.fromOpaque(work).release() }
    }
    let (start, stop): (VipsStartFn?, VipsStopFn?) =
      readsRegions ? (vips_start_one, vips_stop_one) : (nil, nil)
    guard vips_image_generate(made, start, fill, stop, image, work) == 0 else {
      throw Messages.failure()
    }
    return picture
  }

  /// The result of a libvips operation whose first argument is this image.
  func applying(
    _ operation: String, _ arguments: (String, Argument)...
  ) throws(VipsFailure) -> Picture {
    try Operation.picture(operation, [("in", .picture(self))] + arguments)
  }

  /// A copy that shares the pixels but not the metadata.
  func relabeled(as interpretation: VipsInterpretation? = nil) throws(VipsFailure) -> Picture {
    guard let interpretation else { return try applying("copy") }
    return try applying("copy", ("interpretation", .int(Int(interpretation.rawValue))))
  }

  /// The samples rounded to the nearest number that `format` can store.
  func rounded(to format: VipsBandFormat) throws(VipsFailure) -> Picture {
    if self.format == format { return self }
    let isExact =
      vips_band_format_isint(self.format) != 0 || vips_band_format_isint(format) == 0
    let wholes =
      isExact
      ? self : try applying("round", ("round", .int(Int(VIPS_OPERATION_ROUND_RINT.rawValue))))
    return try wholes.cast(to: format)
  }

  /// The samples in another format, which are cut off, not rounded.
  func cast(to format: VipsBandFormat) throws(VipsFailure) -> Picture {
    try applying("cast", ("format", .int(Int(format.rawValue))))
  }

  /// `count` channels, starting with `first`.
  func channels(from first: Int, count: Int = 1) throws(VipsFailure) -> Picture {
    try applying("extract_band", ("band", .int(first)), ("n", .int(count)))
  }

  /// The channels of this image, followed by those of the other.
  func joined(with other: Picture) throws(VipsFailure) -> Picture {
    try Operation.picture("bandjoin", [("in", .pictures([self, other]))])
  }
}
