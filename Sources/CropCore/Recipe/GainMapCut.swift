/// What becomes of a picture's gain map when the picture is cropped.
///
/// A gain map is a second, smaller picture that says how much brighter each part of the first, the base, is
/// on an HDR screen. It covers the whole base, whatever its own size; the map of a crop covers exactly the
/// crop. So the crop applies to it in shares of the picture:
///
///     base          map           scale s = 4
///     ┌──────────┐  ┌──┐
///     │   ┌────┐ │  │┌┐│          The crop's edges in base pixels, divided by s,
///     │   └────┘ │  │└┘│          are its edges in samples of the map.
///     └──────────┘  └──┘
///
/// Where all edges fall on edges of samples, samples are cut. Elsewhere the map is sampled anew over
/// exactly that area: moving an edge to the next sample would shift the light against the picture.
public struct GainMapCut: Hashable, Sendable {
  /// The size of the whole map, in its samples.
  public let map: BitmapSize
  /// The size of the crop's map, in samples.
  public let size: BitmapSize
  /// The samples that are cut, turned by ``turn`` and nothing else; nil where the map is sampled anew.
  public let exact: BitmapRect?
  /// How the stored samples of the map are turned into those of the crop's map.
  public let turn: Orientation
  /// Where a point of the crop's map lies in the whole map. Sample (0, 0) covers [0, 1) × [0, 1) in both.
  public let place: Affine<BitmapSpace, BitmapSpace>

  /// The cut with the given numbers, as they were computed elsewhere.
  ///
  /// Nil where no such cut can be: an empty size, samples outside of the map, numbers that are not finite.
  public init?(
    map: BitmapSize, size: BitmapSize, exact: BitmapRect?, turn: Orientation,
    place: Affine<BitmapSpace, BitmapSpace>
  ) {
    let limit = Double(Int32.max)
    guard !map.isEmpty, !size.isEmpty,
      [place.a, place.b, place.c, place.d, place.tx, place.ty].allSatisfy({ abs($0) < limit })
    else { return nil }
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

  /// The cut of a map for the crop of its base; nil where one of the sizes is empty, and of four corners.
  ///
  /// - Parameters:
  ///   - crop: what was cut from the upright base.
  ///   - map: the map's size, in samples.
  ///   - base: the base's size as it is stored, in pixels.
  ///   - orientation: how the stored base is oriented; the map is stored like the base.
  ///   - flag: how the stored pixels of the result are oriented. The result's map is stored like them.
  public init?(
    _ crop: ResolvedCrop, map: BitmapSize, base: BitmapSize, orientation: Orientation,
    flag: Orientation = .up
  ) {
    guard !map.isEmpty, !base.isEmpty, !crop.output.isEmpty, crop.quad == nil else { return nil }
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

  /// How many pixels of the base a sample of its map covers along a side, to the nearest whole number;
  /// at least 1. Where the axes differ, the finer one's.
  public static func scale(map: BitmapSize, base: BitmapSize) -> Int {
    guard !map.isEmpty, !base.isEmpty else { return 1 }
    func rounded(_ base: Int, _ map: Int) -> Int {
      max(1, base / map + (base % map >= (map + 1) / 2 ? 1 : 0))
    }
    return min(rounded(base.width, map.width), rounded(base.height, map.height))
  }

  /// The largest of `scale`, 2 and 1 that is no more than `scale` and divides both sides: so every
  /// renderer finds one whole scale on both axes.
  static func step(scale: Int, of output: BitmapSize) -> Int {
    for step in [scale, 2] where step <= scale {
      if output.width % step == 0, output.height % step == 0 { return step }
    }
    return 1
  }
}

extension GainMapCut {
  /// The whole samples under `rect`; nil where one of its edges falls inside of a sample.
  private static func samples(
    under rect: BitmapRect, map: BitmapSize, base: BitmapSize
  ) -> BitmapRect? {
    // Sides of pictures have at most 31 bits, so products fit in 64.
    func share(_ length: Int, _ map: Int, _ base: Int) -> Int? {
      let product = Int64(length) * Int64(map)
      return product % Int64(base) == 0 ? Int(product / Int64(base)) : nil
    }
    guard let x = share(rect.x, map.width, base.width),
      let y = share(rect.y, map.height, base.height),
      let width = share(rect.width, map.width, base.width), width > 0,
      let height = share(rect.height, map.height, base.height), height > 0
    else { return nil }
    return BitmapRect(x: x, y: y, width: width, height: height)
  }

  /// Where the points of a result of `size` samples lie in the whole map.
  private static func place(
    _ crop: ResolvedCrop, map: BitmapSize, toImage: OrientationMap<BitmapSpace, ImageSpace>,
    flag: Orientation, size: BitmapSize
  ) -> Affine<BitmapSpace, BitmapSpace> {
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(crop.orientation, of: crop.image)
    let shown = OrientationMap<BitmapSpace, FrameSpace>(flag, of: size)
    let picture = TiltedPicture(frame: crop.frame, tilt: crop.tilt)
    let base = toImage.source
    func place(_ x: Int, _ y: Int) -> BitmapPoint {
      let point = shown(BitmapPoint(x: Double(x), y: Double(y)))
      let inFrame = FramePoint(
        x: crop.rect.x + point.x * crop.rect.width / Double(shown.target.width),
        y: crop.rect.y + point.y * crop.rect.height / Double(shown.target.height))
      let stored = toImage.inverse(toFrame.inverse(picture.turnedBack(inFrame)))
      return BitmapPoint(
        x: stored.x * Double(map.width) / Double(base.width),
        y: stored.y * Double(map.height) / Double(base.height))
    }
    // Steps over the whole side, so that rounding does not add up along it.
    let (origin, right, down) = (place(0, 0), place(size.width, 0), place(0, size.height))
    let (width, height) = (Double(size.width), Double(size.height))
    return Affine(
      a: (right.x - origin.x) / width, b: (right.y - origin.y) / width,
      c: (down.x - origin.x) / height, d: (down.y - origin.y) / height,
      tx: origin.x, ty: origin.y)
  }

  /// The samples of the whole map that the crop's are made of, with one more on each side where there is
  /// one: none for a crop that does not touch the map.
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
