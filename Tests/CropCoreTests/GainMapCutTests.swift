import CropCore
import CropKernels
import TestMaterial
import Testing

@Suite struct `Gain maps cut with the picture` {
  private func cut(
    _ recipe: CropRecipe, base: BitmapSize, map: BitmapSize, orientation: Orientation = .up,
    flag: Orientation = .up
  ) throws -> GainMapCut {
    let image = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: base).target
    return try #require(
      GainMapCut(
        try recipe.resolved(for: image), map: map, base: base, orientation: orientation, flag: flag)
    )
  }

  private let base = BitmapSize(width: 400, height: 200)
  private let quarter = BitmapSize(width: 100, height: 50)

  @Test func `edges on samples cut samples`() throws {
    let rect = FrameRect(x: 40, y: 8, width: 120, height: 60)
    let cut = try cut(CropRecipe(rect: rect), base: base, map: quarter)
    #expect(cut.exact == BitmapRect(x: 10, y: 2, width: 30, height: 15))
    #expect(cut.size == BitmapSize(width: 30, height: 15))
    #expect(cut.turn == .up)
    #expect(cut.place(BitmapPoint(x: 0, y: 0)) == BitmapPoint(x: 10, y: 2))
    #expect(cut.place(BitmapPoint(x: 30, y: 15)) == BitmapPoint(x: 40, y: 17))
  }

  @Test(arguments: [
    // One edge next to a sample's: the scale stays if 4 divides the sides; otherwise it is 2 or 1.
    (FrameRect(x: 41, y: 8, width: 120, height: 60), 30, 15),
    (FrameRect(x: 40, y: 8, width: 122, height: 60), 61, 30),
    (FrameRect(x: 40, y: 8, width: 121, height: 60), 121, 60),
    (FrameRect(x: 0, y: 1, width: 400, height: 199), 400, 199),
  ])
  func `an edge inside a sample resamples exactly the area`(
    rect: FrameRect, width: Int, height: Int
  ) throws {
    let cut = try cut(CropRecipe(rect: rect), base: base, map: quarter)
    #expect(cut.exact == nil)
    #expect(cut.size == BitmapSize(width: width, height: height))
    #expect(cut.place(BitmapPoint(x: 0, y: 0)) == BitmapPoint(x: rect.x / 4, y: rect.y / 4))
    let end = cut.place(BitmapPoint(x: Double(width), y: Double(height)))
    #expect(abs(end.x - rect.maxX / 4) < 1e-9 && abs(end.y - rect.maxY / 4) < 1e-9)
  }

  @Test func `a map of the base's own size never gets coarser`() throws {
    let rect = FrameRect(x: 3, y: 5, width: 100, height: 50)
    let same = try cut(CropRecipe(rect: rect), base: base, map: base)
    #expect(same.exact == BitmapRect(x: 3, y: 5, width: 100, height: 50))
    let tilted = try cut(
      CropRecipe(
        rect: FrameRect(x: 150, y: 75, width: 100, height: 50), tilt: CropAngle(degrees: 5)),
      base: base, map: base)
    #expect(tilted.size == BitmapSize(width: 100, height: 50))
  }

  @Test func `a map whose sides don't divide the base's is kept whole, and sampled for a part`()
    throws
  {
    let (base, map) = (BitmapSize(width: 227, height: 149), BitmapSize(width: 113, height: 74))
    let whole = try cut(CropRecipe(), base: base, map: map)
    #expect(whole.exact == BitmapRect(x: 0, y: 0, width: 113, height: 74))
    let rect = FrameRect(x: 2, y: 2, width: 100, height: 50)
    let part = try cut(CropRecipe(rect: rect), base: base, map: map)
    #expect(part.exact == nil && part.size == BitmapSize(width: 50, height: 25))
    #expect(part.place(BitmapPoint(x: 0, y: 0)).x == 2 * 113 / 227.0)
  }

  @Test func `a smaller result has a smaller map`() throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 0, y: 0, width: 200, height: 100), output: .maxSide(100))
    let cut = try cut(recipe, base: base, map: quarter)
    #expect(cut.exact == nil && cut.size == BitmapSize(width: 50, height: 25))
    #expect(cut.place(BitmapPoint(x: 50, y: 25)) == BitmapPoint(x: 50, y: 25))
  }

  @Test func `the map has the orientation of the stored result`() throws {
    // The camera was turned: upright, the image is 200 wide and 400 high.
    let rect = FrameRect(x: 16, y: 40, width: 80, height: 120)
    let kept = try cut(
      CropRecipe(rect: rect), base: base, map: quarter, orientation: .right, flag: .right)
    // Upright x is measured from the stored bottom: 200 − 16 − 80 = 104.
    #expect(kept.exact == BitmapRect(x: 10, y: 26, width: 30, height: 20))
    #expect(kept.turn == .up && kept.size == BitmapSize(width: 30, height: 20))
    let upright = try cut(CropRecipe(rect: rect), base: base, map: quarter, orientation: .right)
    #expect(upright.exact == kept.exact)
    #expect(upright.turn == .right && upright.size == BitmapSize(width: 20, height: 30))
    // The upright top left is the stored bottom left.
    #expect(upright.place(BitmapPoint(x: 0, y: 0)) == BitmapPoint(x: 10, y: 46))
  }

  @Test func `points of the result and its map show the same place`() throws {
    var random = Seeded(seed: 27)
    for _ in 0..<3000 {
      let orientation = try #require(Orientation(rawValue: random.int(1...8)))
      let flag = try #require(Orientation(rawValue: random.int(1...8)))
      let base = BitmapSize(width: random.int(30...400), height: random.int(30...400))
      let map = BitmapSize(
        width: max(1, base.width / random.int(1...4)),
        height: max(1, base.height / random.int(1...4)))
      let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: base)
      let turns = random.int(0...3)
      let frame = turns % 2 == 0 ? toImage.target : toImage.target.transposed
      let tilt = random.chance(0.3) ? CropAngle(degrees: random.double(-20...20)) : .zero
      var rect: FrameRect?
      if tilt.degrees == 0 {
        let (x, y) = (random.int(0...frame.width - 1), random.int(0...frame.height - 1))
        rect = FrameRect(
          x: Double(x), y: Double(y), width: Double(random.int(1...frame.width - x)),
          height: Double(random.int(1...frame.height - y)))
      }
      let recipe = CropRecipe(
        rect: rect, quarterTurns: turns, isMirrored: random.chance(0.5), tilt: tilt,
        output: random.chance(0.3) ? .maxSide(random.int(1...200)) : nil)
      let crop = try recipe.resolved(for: toImage.target)
      let cut = try #require(
        GainMapCut(crop, map: map, base: base, orientation: orientation, flag: flag))
      // Maps a point through the image itself.
      let shown = OrientationMap<BitmapSpace, FrameSpace>(flag, of: cut.size)
      let toFrame = OrientationMap<ImageSpace, FrameSpace>(crop.orientation, of: crop.image)
      let picture = TiltedPicture(frame: crop.frame, tilt: crop.tilt)
      let point = BitmapPoint(
        x: random.double(0...Double(cut.size.width)), y: random.double(0...Double(cut.size.height)))
      let seen = shown(point)
      let back = toImage.inverse(
        toFrame.inverse(
          picture.turnedBack(
            FramePoint(
              x: crop.rect.x + seen.x / Double(shown.target.width) * crop.rect.width,
              y: crop.rect.y + seen.y / Double(shown.target.height) * crop.rect.height))))
      let found = cut.place(point)
      #expect(abs(found.x / Double(map.width) - back.x / Double(base.width)) < 1e-9, "\(crop)")
      #expect(abs(found.y / Double(map.height) - back.y / Double(base.height)) < 1e-9, "\(crop)")
      // Integer scales, the same on both axes, if pixels are resampled.
      if cut.exact == nil {
        let stored = OrientationMap<FrameSpace, BitmapSpace>(flag.inverse, of: crop.output).target
        #expect(stored.width % cut.size.width == 0 && stored.height % cut.size.height == 0)
        #expect(stored.width / cut.size.width == stored.height / cut.size.height)
      }
      let needed = try #require(cut.needed)
      #expect(
        needed.x >= 0 && needed.y >= 0 && needed.x + needed.width <= map.width
          && needed.y + needed.height <= map.height && !needed.size.isEmpty)
    }
  }

  @Test func `four corners are at the same fractions of the map as of the image`() throws {
    let quad = Quad(
      topLeft: FramePoint(x: 40, y: 20), topRight: FramePoint(x: 300, y: 8),
      bottomRight: FramePoint(x: 320, y: 180), bottomLeft: FramePoint(x: 60, y: 160))
    let recipe = CropRecipe(output: .exact(width: 264, height: 176), quad: quad)
    let straight = try cut(recipe, base: base, map: quarter)
    #expect(straight.exact == nil && straight.turn == .up)
    #expect(straight.size == BitmapSize(width: 66, height: 44))
    let corners = [(0, 0), (66, 0), (66, 44), (0, 44)]
    for (index, (x, y)) in corners.enumerated() {
      let place = straight.place(BitmapPoint(x: Double(x), y: Double(y)))
      #expect(abs(place.x - quad[index].x / 4) < 1e-9 && abs(place.y - quad[index].y / 4) < 1e-9)
    }
    // The middle of an edge of the result is not the middle between its corners in the image: it is
    // where the image's homography maps it.
    let toFrame = Homography<FrameSpace, FrameSpace>(
      from: FrameSize(width: 264, height: 176), to: quad)
    let middle = toFrame(FramePoint(x: 132, y: 88))
    let found = straight.place(BitmapPoint(x: 33, y: 22))
    #expect(abs(found.x - middle.x / 4) < 1e-9 && abs(found.y - middle.y / 4) < 1e-9)
    // Corners at (10, 2) to (80, 45), one more sample on each side, and one more where rounding
    // requires it.
    let needed = try #require(straight.needed)
    #expect((8...9).contains(needed.x) && (0...1).contains(needed.y))
    #expect((81...82).contains(needed.x + needed.width))
    #expect((46...47).contains(needed.y + needed.height))
  }

  @Test func `a constant map stays so between four corners, whatever its size becomes`() throws {
    let quad = Quad(
      topLeft: FramePoint(x: 180, y: 10), topRight: FramePoint(x: 220, y: 10),
      bottomRight: FramePoint(x: 400, y: 200), bottomLeft: FramePoint(x: 0, y: 200))
    for size in [(8, 8), (50, 3), (640, 400)] {
      let recipe = CropRecipe(output: .exact(width: size.0, height: size.1), quad: quad)
      let cut = try cut(recipe, base: base, map: quarter)
      let needed = try #require(cut.needed)
      let samples = [UInt8](repeating: 77, count: needed.width * needed.height)
      var row = [UInt8](repeating: 0, count: cut.size.width)
      samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return }
        let rows = GainMapRows(start, of: needed, channels: 1, cut: cut)
        for y in 0..<cut.size.height {
          row.withUnsafeMutableBufferPointer { row in
            if let start = row.baseAddress { rows.write(row: y, to: start) }
          }
          #expect(row.allSatisfy { $0 == 77 })
        }
      }
    }
  }

  @Test func `an upright map is sampled like one with a zero turn`() throws {
    var random = Seeded(seed: 72)
    for _ in 0..<200 {
      let channels = random.chance(0.5) ? 1 : 3
      let map = BitmapSize(width: random.int(1...30), height: random.int(1...30))
      let samples = (0..<map.width * map.height * channels).map { _ in UInt8(random.int(0...255)) }
      let size = BitmapSize(width: random.int(1...40), height: random.int(1...40))
      let (a, e) = (
        Double(map.width) / Double(size.width), Double(map.height) / Double(size.height)
      )
      func rows(_ slant: Double) throws -> [UInt8] {
        let cut = try #require(
          GainMapCut(
            map: map, size: size, exact: nil, turn: .up,
            place: Homography(a: a, b: slant, c: 0, d: 0, e: e, f: 0, g: 0, h: 0, i: 1)))
        let all = BitmapRect(x: 0, y: 0, width: map.width, height: map.height)
        var made = [UInt8](repeating: 0, count: size.width * size.height * channels)
        try samples.withUnsafeBufferPointer { samples in
          let rows = GainMapRows(
            try #require(samples.baseAddress), of: all, channels: channels, cut: cut)
          try made.withUnsafeMutableBufferPointer { made in
            let start = try #require(made.baseAddress)
            for y in 0..<size.height {
              rows.write(row: y, to: start + y * size.width * channels)
            }
          }
        }
        return made
      }
      // The smallest slant uses the general code path.
      for (straight, general) in zip(try rows(0), try rows(1e-12)) {
        #expect(abs(Int(straight) - Int(general)) <= 1)
      }
    }
  }

  @Test func `untrusted numbers are checked`() {
    let (map, size) = (BitmapSize(width: 10, height: 10), BitmapSize(width: 4, height: 2))
    typealias Place = Homography<BitmapSpace, BitmapSpace>
    let place = Place(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0, g: 0, h: 0, i: 1)
    func made(
      _ exact: BitmapRect?, _ size: BitmapSize = BitmapSize(width: 4, height: 2),
      _ other: Place? = nil, turn: Orientation = .up
    ) -> GainMapCut? {
      GainMapCut(
        map: map, size: size, exact: exact, turn: turn, place: other ?? place)
    }
    #expect(made(BitmapRect(x: 6, y: 8, width: 4, height: 2)) != nil)
    #expect(made(BitmapRect(x: 6, y: 8, width: 2, height: 4)) == nil)
    #expect(made(BitmapRect(x: 6, y: 6, width: 2, height: 4), turn: .right) != nil)
    #expect(made(BitmapRect(x: 7, y: 8, width: 4, height: 2)) == nil)
    #expect(made(BitmapRect(x: .max, y: 8, width: 4, height: 2)) == nil)
    #expect(made(nil, BitmapSize(width: 0, height: 2)) == nil)
    var wrong = place
    wrong.c = .nan
    #expect(made(nil, size, wrong) == nil)
    wrong.c = 1e300
    #expect(made(nil, size, wrong) == nil)
    // The right edge is at infinity, or behind it.
    for g in [-0.25, -1] {
      wrong = place
      wrong.g = g
      #expect(made(nil, size, wrong) == nil)
    }
  }
}
