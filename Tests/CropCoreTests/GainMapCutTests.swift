import CropCore
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
    // One edge beside a sample's: sides that 4 divides keep the scale, others take 2 or 1.
    (FrameRect(x: 41, y: 8, width: 120, height: 60), 30, 15),
    (FrameRect(x: 40, y: 8, width: 122, height: 60), 61, 30),
    (FrameRect(x: 40, y: 8, width: 121, height: 60), 121, 60),
    (FrameRect(x: 0, y: 1, width: 400, height: 199), 400, 199),
  ])
  func `an edge inside of a sample samples exactly the area anew`(
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
      CropRecipe(rect: FrameRect(x: 150, y: 75, width: 100, height: 50), tilt: Angle(degrees: 5)),
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

  @Test func `the map lies as the result is stored`() throws {
    // The camera was turned: upright, the picture is 200 wide and 400 high.
    let rect = FrameRect(x: 16, y: 40, width: 80, height: 120)
    let kept = try cut(
      CropRecipe(rect: rect), base: base, map: quarter, orientation: .right, flag: .right)
    // Upright x counts from the stored bottom: 200 − 16 − 80 = 104.
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
      let tilt = random.chance(0.3) ? Angle(degrees: random.double(-20...20)) : .zero
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
      // The way of a point through the picture itself.
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
      // Whole scales, the same on both axes, where pixels are sampled anew.
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

  @Test func `numbers from elsewhere are checked`() {
    let (map, size) = (BitmapSize(width: 10, height: 10), BitmapSize(width: 4, height: 2))
    let place = Affine<BitmapSpace, BitmapSpace>(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    func made(
      _ exact: BitmapRect?, _ size: BitmapSize = BitmapSize(width: 4, height: 2),
      _ place: Affine<BitmapSpace, BitmapSpace>? = nil, turn: Orientation = .up
    ) -> GainMapCut? {
      GainMapCut(
        map: map, size: size, exact: exact, turn: turn,
        place: place ?? Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0))
    }
    #expect(made(BitmapRect(x: 6, y: 8, width: 4, height: 2)) != nil)
    #expect(made(BitmapRect(x: 6, y: 8, width: 2, height: 4)) == nil)
    #expect(made(BitmapRect(x: 6, y: 6, width: 2, height: 4), turn: .right) != nil)
    #expect(made(BitmapRect(x: 7, y: 8, width: 4, height: 2)) == nil)
    #expect(made(BitmapRect(x: .max, y: 8, width: 4, height: 2)) == nil)
    #expect(made(nil, BitmapSize(width: 0, height: 2)) == nil)
    var wrong = place
    wrong.tx = .nan
    #expect(made(nil, size, wrong) == nil)
    wrong.tx = 1e300
    #expect(made(nil, size, wrong) == nil)
  }
}
