import CVips
import CropCore
import CropKernels

/// Straightens the area between four corners of a libvips image with ``QuadSampler``.
struct StraightenedQuad {
  private let sampler: QuadSampler

  /// Nil for a crop without four corners.
  init?(_ crop: ResolvedCrop) {
    guard let sampler = QuadSampler(crop) else { return nil }
    self.sampler = sampler
  }

  /// The result for `picture`, which must be the needed part of the frame. It is kept in memory
  /// unless it is averaged first.
  func straightened(_ picture: Picture, isLinear: Bool) throws(VipsFailure) -> Picture {
    // Samples of 8 and 16 bits are mixed without conversion.
    if picture.hasPlainSamples, !picture.isLab, !isLinear {
      return try sampled(picture)
    }
    return try picture.resampled(isLinear: isLinear) { picture throws(VipsFailure) in
      try sampled(try picture.cast(to: VIPS_FORMAT_FLOAT))
    }
  }

  /// The result, computed strip by strip on demand.
  private func sampled(_ picture: Picture) throws(VipsFailure) -> Picture {
    let layout = picture.layout
    let source = sampler.shrink == 1 ? try picture.inMemory() : try averaged(picture, layout)
    guard let pixels = source.image.pointee.data else { throw Messages.failure() }
    let rows = SampleRows(
      UnsafeRawPointer(pixels), rowBytes: source.width * layout.pixelBytes, layout)
    return try source.computed(
      sampler.size, by: Strips(sampler, rows, of: source), Strips.fill)
  }

  /// Averages squares of pixels while the image is decoded, and keeps the averages in memory.
  private func averaged(
    _ picture: Picture, _ layout: SampleLayout
  ) throws(VipsFailure) -> Picture {
    let (width, height) = (sampler.samples.width, sampler.samples.height)
    guard
      let image = vips_image_new_memory(), let region = vips_region_new(picture.image)
    else { throw Messages.failure() }
    defer { g_object_unref(region) }
    let made = Picture(owning: UnsafeMutableRawPointer(image))
    var inputs: [UnsafeMutablePointer<VipsImage>?] = [picture.image, nil]
    guard vips_image_pipeline_array(image, VIPS_DEMAND_STYLE_ANY, &inputs) == 0 else {
      throw Messages.failure()
    }
    (image.pointee.Xsize, image.pointee.Ysize) = (Int32(width), Int32(height))
    guard vips_image_write_prepare(image) == 0, let pixels = image.pointee.data else {
      throw Messages.failure()
    }
    for row in 0..<height {
      let rows = sampler.rows(of: row)
      var strip = VipsRect(
        left: 0, top: Int32(rows.lowerBound), width: Int32(picture.width), height: Int32(rows.count)
      )
      guard vips_region_prepare(region, &strip) == 0,
        let address = region.pointee.data
      else { throw Messages.failure() }
      let valid = region.pointee.valid
      let held = SampleRows(
        UnsafeRawPointer(address) - Int(valid.left) * layout.pixelBytes,
        rowBytes: Int(region.pointee.bpl), layout)
      sampler.average(
        row, of: held, from: Int(valid.top),
        into: UnsafeMutableRawPointer(pixels) + row * width * layout.pixelBytes)
    }
    return made
  }
}

/// A sampler and the image that it reads.
private final class Strips: Sendable {
  private let sampler: QuadSampler
  nonisolated(unsafe) private let rows: SampleRows
  // Only its memory is used during its lifetime.
  nonisolated(unsafe) private let source: Picture

  init(_ sampler: QuadSampler, _ rows: SampleRows, of source: Picture) {
    (self.sampler, self.rows, self.source) = (sampler, rows, source)
  }

  /// Fills a region of the result; libvips calls it from several threads.
  static let fill: VipsGenerateFn = { region, _, _, strips, _ in
    guard let region, let strips, let data = region.pointee.data else { return -1 }
    let work = Unmanaged<Strips>.fromOpaque(strips).takeUnretainedValue()
    let (valid, rowBytes) = (region.pointee.valid, Int(region.pointee.bpl))
    let columns = Int(valid.left)..<Int(valid.left) + Int(valid.width)
    for row in 0..<Int(valid.height) {
      work.sampler.fill(
        row: Int(valid.top) + row, columns: columns, from: work.rows,
        into: UnsafeMutableRawPointer(data + row * rowBytes))
    }
    return 0
  }
}

extension Picture {
  /// How its samples are stored: 8 or 16 bits, or floating point.
  fileprivate var layout: SampleLayout {
    switch format {
    case VIPS_FORMAT_UCHAR: SampleLayout(depth: .eight, channels: bands, hasAlpha: hasAlpha)
    case VIPS_FORMAT_USHORT: SampleLayout(depth: .sixteen, channels: bands, hasAlpha: hasAlpha)
    default: SampleLayout(depth: .real, channels: bands)
    }
  }
}
