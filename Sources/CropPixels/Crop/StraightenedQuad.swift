import CVips
import CropCore

/// What lies between four corners, made a rectangle.
///
///     frame ┌────────────────┐    A pixel's centre in the result, taken to the frame by the homography,
///           │ area ┌───────┐ │    is where the picture is sampled: bicubic, after squares of pixels were
///           │      │ ╱quad╲│ │    averaged where the result is smaller than half. Beyond the frame its
///           │      └───────┘ │    edge pixels go on.
///           └────────────────┘
struct StraightenedQuad {
  private let map: Homography<ResultSpace, FrameSpace>
  private let size: FrameSize
  /// The pixels that are sampled, and those of them that there are.
  private let area: PixelRect<FrameSpace>
  private let part: PixelRect<FrameSpace>
  private let shrink: Int

  /// Nil for a crop without four corners.
  init?(_ crop: ResolvedCrop) {
    guard let map = crop.homography, let area = crop.sampledArea else { return nil }
    (self.map, self.area, part) = (map, area, crop.neededPart)
    (size, shrink) = (crop.output, crop.shrink)
  }

  /// The result, of `picture`, which is the needed part of the frame. That is held in memory unless it is
  /// shrunk first.
  func straightened(_ picture: Picture, isLinear: Bool) throws(VipsFailure) -> Picture {
    // Before transparency is multiplied in, which would hold numbers four times as large.
    let source = shrink == 1 ? try picture.inMemory() : picture
    return try source.resampled(isLinear: isLinear) { picture throws(VipsFailure) in
      try sampled(try shrunk(try extended(picture)))
    }
  }

  /// The part with edge pixels that go on to the whole area.
  private func extended(_ picture: Picture) throws(VipsFailure) -> Picture {
    if area == part { return picture }
    return try (shrink == 1 ? picture : picture.inMemory()).applying(
      "embed", ("x", .int(part.x - area.x)), ("y", .int(part.y - area.y)),
      ("width", .int(area.width)), ("height", .int(area.height)),
      ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))))
  }

  /// The area with every square averaged, in memory.
  private func shrunk(_ picture: Picture) throws(VipsFailure) -> Picture {
    if shrink == 1 { return picture }
    return try picture.applying(
      "shrink", ("hshrink", .double(Double(shrink))), ("vshrink", .double(Double(shrink)))
    ).inMemory()
  }

  private func sampled(_ picture: Picture) throws(VipsFailure) -> Picture {
    guard let bicubic = vips_interpolate_new("bicubic") else { throw Messages.failure() }
    return try picture.applying(
      "mapim", ("index", .picture(try coordinates())),
      ("interpolate", .reference(ObjectReference(owning: UnsafeMutableRawPointer(bicubic)))),
      ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))), ("premultiplied", .flag(true)))
  }

  /// The sample under each pixel of the result: two channels, counted from the centre of the first sample.
  ///
  /// They are computed strip by strip, when they are asked for.
  private func coordinates() throws(VipsFailure) -> Picture {
    guard let image = vips_image_new() else { throw Messages.failure() }
    let picture = Picture(owning: UnsafeMutableRawPointer(image))
    vips_image_init_fields(
      image, Int32(size.width), Int32(size.height), 2, VIPS_FORMAT_FLOAT, VIPS_CODING_NONE,
      VIPS_INTERPRETATION_MULTIBAND, 1, 1)
    // The numbers live as long as the image.
    guard
      let memory = vips_malloc(
        UnsafeMutableRawPointer(image).assumingMemoryBound(to: VipsObject.self),
        MemoryLayout<SampleMap>.size)
    else { throw Messages.failure() }
    memory.bindMemory(to: SampleMap.self, capacity: 1).initialize(
      to: SampleMap(map: map, x: Double(area.x), y: Double(area.y), scale: 1 / Double(shrink)))
    var inputs: [UnsafeMutablePointer<VipsImage>?] = [nil]
    guard vips_image_pipeline_array(image, VIPS_DEMAND_STYLE_ANY, &inputs) == 0,
      vips_image_generate(image, nil, SampleMap.fill, nil, memory, nil) == 0
    else { throw Messages.failure() }
    return picture
  }
}

/// Where the samples for a result lie.
private struct SampleMap {
  let map: Homography<ResultSpace, FrameSpace>
  /// The frame pixel at which the samples start, and how many samples a pixel has.
  let x: Double
  let y: Double
  let scale: Double

  /// Fills a region of an image of coordinates; libvips calls it from several threads.
  static let fill: VipsGenerateFn = { region, _, numbers, _, _ in
    guard let region, let numbers else { return -1 }
    let map = numbers.assumingMemoryBound(to: SampleMap.self).pointee
    let (valid, rowBytes) = (region.pointee.valid, Int(region.pointee.bpl))
    guard let data = region.pointee.data else { return -1 }
    for row in 0..<Int(valid.height) {
      let start = UnsafeMutableRawPointer(data + row * rowBytes)
      let values = start.assumingMemoryBound(to: Float.self)
      map.fillRow(
        values, from: Int(valid.left), count: Int(valid.width),
        y: Double(Int(valid.top) + row) + 0.5)
    }
    return 0
  }

  private func fillRow(
    _ values: UnsafeMutablePointer<Float>, from left: Int, count: Int, y: Double
  ) {
    let across = map.b * y + map.c
    let down = map.e * y + map.f
    let depth = map.h * y + map.i
    for index in 0..<count {
      let x = Double(left + index) + 0.5
      let w = 1 / (map.g * x + depth)
      values[2 * index] = Float(((map.a * x + across) * w - self.x) * scale - 0.5)
      values[2 * index + 1] = Float(((map.d * x + down) * w - self.y) * scale - 0.5)
    }
  }
}
