/// How to crop an image's gain map together with the image.
///
/// A gain map is a second, smaller image that states how much brighter each part of the first, the base, is
/// on an HDR screen. It covers the complete base, whatever its size; the map of a crop covers exactly the
/// crop. So the crop is applied to it in proportion:
///
///     base          map           scale s = 4
///     ┌──────────┐  ┌──┐
///     │   ┌────┐ │  │┌┐│          The crop's edges in base pixels, divided by s,
///     │   └────┘ │  │└┘│          are its edges in samples of the map.
///     └──────────┘  └──┘
///
/// If all edges fall on sample edges, samples are copied. Otherwise the map is resampled over
/// exactly that area: moving an edge to the next sample would shift the light relative to the
/// image. Straightened corners are at the same fractions of the map, and are straightened there.
public struct GainMapCut: Hashable, Sendable {
  /// The size of the complete map, in samples.
  public let map: BitmapSize
  /// The size of the crop's map, in samples.
  public let size: BitmapSize
  /// The samples to copy, turned only by ``turn``; nil if the map is resampled.
  public let exact: BitmapRect?
  /// The orientation that is applied to the map's stored samples.
  public let turn: Orientation
  /// Maps a point of the crop's map to the complete map. Sample (0, 0) covers [0, 1) × [0, 1) in
  /// both.
  public let place: Homography<BitmapSpace, BitmapSpace>

  /// A cut with the given numbers, which were computed elsewhere.
  ///
  /// Nil for invalid numbers: an empty size, samples outside the map, a number that is not finite,
  /// or a sample that is mapped to infinity.
  public init?(
    map: BitmapSize, size: BitmapSize, exact: BitmapRect?, turn: Orientation,
    place: Homography<BitmapSpace, BitmapSpace>
  ) {
    guard !map.isEmpty, !size.isEmpty, Self.isFinite(place, over: size) else { return nil }
    if let exact {
      guard exact.x >= 0, exact.y >= 0, exact.width > 0, exact.height > 0,
        exact.x < map.width, exact.y < map.height, exact.width <= map.width - exact.x,
        exact.height <= map.height - exact.y,
        (turn.isTransposing ? exact.size.transposed : exact.size) == size
      else { return nil }
    }
    self.map = map
    self.size = size
    self.exact = exact
    self.turn = turn
    self.place = place
  }

  /// The cut of a map for the crop of its base; nil if one of the sizes is empty.
  ///
  /// - Parameters:
  ///   - crop: the crop of the upright base.
  ///   - map: the map's size, in samples.
  ///   - base: the size of the stored base, in pixels.
  ///   - orientation: the orientation of the stored base; the map is stored like the base.
  ///   - flag: the orientation of the result's stored pixels; the result's map is stored like them.
  public init?(
    _ crop: ResolvedCrop, map: BitmapSize, base: BitmapSize, orientation: Orientation,
    flag: Orientation = .up
  ) {
    guard !map.isEmpty, !base.isEmpty, !crop.output.isEmpty else { return nil }
    let whole = orientation.followed(by: crop.orientation)
    let turn = whole.followed(by: flag.inverse)
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: base)
    let exact =
      crop.output == crop.rectSize
      ? crop.imageRect.flatMap { Self.samples(under: toImage.inverse($0), map: map, base: base) }
      : nil
    let size: BitmapSize
    if let exact {
      size = turn.isTransposing ? exact.size.transposed : exact.size
    } else {
      let output = OrientationMap<FrameSpace, BitmapSpace>(flag.inverse, of: crop.output).target
      let step = Self.step(scale: Self.scale(map: map, base: base), of: output)
      size = BitmapSize(width: output.width / step, height: output.height / step)
    }
    self.init(
      map: map, size: size, exact: exact, turn: turn,
      place: Self.place(crop, map: map, toImage: toImage, flag: flag, size: size))
  }

  /// The number of base pixels that a sample of the map covers along a side, rounded, at least 1.
  /// If the axes differ, it is that of the finer one.
  public static func scale(map: BitmapSize, base: BitmapSize) -> Int {
    guard !map.isEmpty, !base.isEmpty else { return 1 }
    func rounded(_ base: Int, _ map: Int) -> Int {
      max(1, base / map + (base % map >= (map + 1) / 2 ? 1 : 0))
    }
    return min(rounded(base.width, map.width), rounded(base.height, map.height))
  }

  /// The largest of `scale`, 2 and 1 that does not exceed `scale` and divides both sides, so that
  /// every renderer finds one integer scale on both axes.
  static func step(scale: Int, of output: BitmapSize) -> Int {
    for step in [scale, 2] where step <= scale {
      if output.width % step == 0, output.height % step == 0 { return step }
    }
    return 1
  }
}

extension GainMapCut {
  /// The samples under `rect`; nil if one of its edges is inside a sample.
  private static func samples(
    under rect: BitmapRect, map: BitmapSize, base: BitmapSize
  ) -> BitmapRect? {
    // Sides of images have at most 31 bits, so products fit in 64.
    func share(_ length: Int, _ map: Int, _ base: Int) -> Int? {
      let product = Int64(length) &* Int64(map)
      return product % Int64(base) == 0 ? Int(product / Int64(base)) : nil
    }
    guard let x = share(rect.x, map.width, base.width),
      let y = share(rect.y, map.height, base.height),
      let width = share(rect.width, map.width, base.width), width > 0,
      let height = share(rect.height, map.height, base.height), height > 0
    else { return nil }
    return BitmapRect(x: x, y: y, width: width, height: height)
  }

  /// Whether the numbers of `place` are small enough for the computation, and no point of a map of
  /// `size` samples is mapped to infinity.
  private static func isFinite(
    _ place: Homography<BitmapSpace, BitmapSpace>, over size: BitmapSize
  ) -> Bool {
    let limit = Double(Int32.max)
    let (width, height) = (Double(size.width) * place.g, Double(size.height) * place.h)
    // The denominator is least and most at corners.
    return [place.a, place.b, place.c, place.d, place.e, place.f, place.g, place.h]
      .allSatisfy { abs($0) < limit }
      && [0, width, height, width + height].allSatisfy { (1e-6...limit).contains($0 + place.i) }
  }

  /// Maps points of a result of `size` samples to the complete map.
  private static func place(
    _ crop: ResolvedCrop, map: BitmapSize, toImage: OrientationMap<BitmapSpace, ImageSpace>,
    flag: Orientation, size: BitmapSize
  ) -> Homography<BitmapSpace, BitmapSpace> {
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(crop.orientation, of: crop.image)
    let shown = OrientationMap<BitmapSpace, FrameSpace>(flag, of: size)
    let picture = TiltedPicture(frame: crop.frame, tilt: crop.tilt)
    let toQuad = crop.quad.map { Homography<FrameSpace, FrameSpace>(from: shown.target, to: $0) }
    let base = toImage.source
    func place(_ x: Int, _ y: Int) -> BitmapPoint {
      let point = shown(BitmapPoint(x: Double(x), y: Double(y)))
      let inFrame =
        toQuad?(point)
        ?? picture.turnedBack(
          FramePoint(
            x: crop.rect.x + point.x * crop.rect.width / Double(shown.target.width),
            y: crop.rect.y + point.y * crop.rect.height / Double(shown.target.height)))
      let stored = toImage.inverse(toFrame.inverse(inFrame))
      return BitmapPoint(
        x: stored.x * Double(map.width) / Double(base.width),
        y: stored.y * Double(map.height) / Double(base.height))
    }
    // Steps over the complete side, so that rounding does not accumulate.
    let (origin, right, down) = (place(0, 0), place(size.width, 0), place(0, size.height))
    if toQuad != nil {
      return Homography(from: size, to: origin, right, place(size.width, size.height), down)
    }
    let (width, height) = (Double(size.width), Double(size.height))
    return Homography(
      a: (right.x - origin.x) / width, b: (down.x - origin.x) / height, c: origin.x,
      d: (right.y - origin.y) / width, e: (down.y - origin.y) / height, f: origin.y,
      g: 0, h: 0, i: 1)
  }

  /// The samples of the complete map that the crop needs, plus one more on each side if available;
  /// empty for a crop that does not touch the map.
  public var needed: BitmapRect? {
    if let exact { return exact }
    let corners = [(0, 0), (size.width, 0), (0, size.height), (size.width, size.height)].map {
      place(BitmapPoint(x: Double($0.0), y: Double($0.1)))
    }
    var (minX, minY) = (corners[0].x, corners[0].y)
    var (maxX, maxY) = (minX, minY)
    for corner in corners {
      (minX, minY) = (min(minX, corner.x), min(minY, corner.y))
      (maxX, maxY) = (max(maxX, corner.x), max(maxY, corner.y))
    }
    func range(_ low: Double, _ high: Double, _ count: Int) -> (Int, Int) {
      let most = Double(count)
      let from = min(max((low - 1).rounded(.down), 0), most - 1)
      let to = min(max((high + 1).rounded(.up), from + 1), most)
      return (Int(from), Int(to))
    }
    let (left, right) = range(minX, maxX, map.width)
    let (top, bottom) = range(minY, maxY, map.height)
    return BitmapRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
