import CropCore
import TestMaterial
import Testing

/// The definition of crops that the program chooses, by testing every position.
private struct BruteForce {
  let image: ImageSize
  let transform: PictureTransform
  let jpeg: StoredJPEG

  private var frame: FrameSize {
    OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image).target
  }

  /// Whether a crop is made by copying blocks.
  func isLossless(_ rect: FrameRect) -> Bool {
    let recipe = CropRecipe(
      rect: rect, quarterTurns: transform.orientation.quarterTurns,
      isMirrored: transform.orientation.isMirrored)
    guard let crop = try? recipe.resolved(for: image),
      let plan = JPEGPlan(
        crop, grid: jpeg.grid, orientation: jpeg.orientation, mode: .exact)
    else { return false }
    return plan.way == .lossless
  }

  /// The positions of a size that contain the focus, or all positions if none does.
  func places(_ width: Int, _ height: Int, holding focus: FrameRect?) -> [FrameRect] {
    var all: [FrameRect] = []
    for y in 0...(frame.height - height) {
      for x in 0...(frame.width - width) {
        all.append(
          FrameRect(
            x: Double(x), y: Double(y), width: Double(width), height: Double(height)))
      }
    }
    guard let focus else { return all }
    let holding = all.filter { $0.contains(focus, tolerance: CropRecipe.cornerTolerance) }
    return holding.isEmpty ? all : holding
  }

  /// Of these, the nearest lossless one, otherwise the nearest.
  func best(_ places: [FrameRect], near middle: FramePoint) -> FrameRect? {
    func nearest(_ rects: [FrameRect]) -> FrameRect? {
      var best: (rect: FrameRect, distance: Double)?
      for rect in rects {
        let (dx, dy) = (rect.center.x - middle.x, rect.center.y - middle.y)
        let distance = dx * dx + dy * dy
        if best.map({ distance < $0.distance - 1e-9 }) ?? true { best = (rect, distance) }
      }
      return best?.rect
    }
    return nearest(places.filter(isLossless)) ?? nearest(places)
  }
}

/// Generated images of all orientations, grids and transforms.
private struct Cases {
  var random: Seeded

  mutating func next() -> (BruteForce, AspectRatio, FocusBox?)? {
    let cells = [(8, 8), (16, 8), (16, 16), (8, 16), (32, 8)]
    let cell = random.element(cells)
    let stored = BitmapSize(width: 9 + random.int(0...79), height: 9 + random.int(0...79))
    guard let orientation = Orientation(rawValue: 1 + random.int(0...7)),
      let ratio = AspectRatio(1 + random.int(0...8), 1 + random.int(0...8))
    else { return nil }
    let jpeg = StoredJPEG(
      grid: JPEGGrid(size: stored, cellWidth: cell.0, cellHeight: cell.1),
      orientation: orientation)
    let transform = PictureTransform(
      orientation: Orientation(
        isMirrored: random.chance(0.5), quarterTurns: random.int(0...3)))
    let box: FocusBox?
    if random.int(0...2) == 0 {
      box = nil
    } else {
      let (x, y) = (random.double(0...1), random.double(0...1))
      box = FocusBox(
        x: x, y: y, width: (1 - x) * random.double(0...1) * 0.6,
        height: (1 - y) * random.double(0...1) * 0.6)
    }
    return (BruteForce(image: jpeg.imageSize, transform: transform, jpeg: jpeg), ratio, box)
  }
}

@Suite struct `Frames on the grid` {
  /// An upright JPEG of a size, with cells of 16 pixels.
  private func jpeg(_ width: Int, _ height: Int) -> StoredJPEG {
    StoredJPEG(
      grid: JPEGGrid(
        size: BitmapSize(width: width, height: height), cellWidth: 16, cellHeight: 16),
      orientation: .up)
  }

  /// A session over a JPEG's picture, before it is known to be one.
  private func session(over jpeg: StoredJPEG) -> CropSession {
    var session = CropSession(style: .viewfinder)
    _ = session.handle(.resize(ViewSize(width: 500, height: 500)))
    _ = session.open(jpeg.imageSize)
    return session
  }

  @Test
  func `a square on 4000 by 3000 is at the grid position nearest to the middle, in full size`() {
    let jpeg = jpeg(4000, 3000)
    let transform = PictureTransform()
    let crop = DerivedCrop(.square, of: jpeg.imageSize, transform, focus: nil, jpeg: jpeg)
    // 500 is 4 beyond 496 and 12 before 512.
    #expect(crop?.rect == FrameRect(x: 496, y: 0, width: 3000, height: 3000))
    let exact = DerivedCrop(.square, of: jpeg.imageSize, transform, focus: nil)
    #expect(exact?.rect == FrameRect(x: 500, y: 0, width: 3000, height: 3000))
    // The focus reaches to 3498 and would be cut off at 3496.
    let focus = FocusBox(x: 0.125, y: 0.1, width: 0.7495, height: 0.1)
    let kept = DerivedCrop(.square, of: jpeg.imageSize, transform, focus: focus, jpeg: jpeg)
    #expect(kept?.rect == FrameRect(x: 499, y: 0, width: 3000, height: 3000))
    #expect(kept?.cutsFocus == false)
  }

  @Test func `a gravity that names an edge keeps to it`() {
    let jpeg = jpeg(4000, 3001)
    func rect(_ gravity: Gravity) -> FrameRect {
      CropArea.ratio(.square, gravity).rect(
        of: jpeg.imageSize, PictureTransform(), jpeg: jpeg)
    }
    #expect(rect(.west) == FrameRect(x: 0, y: 0, width: 3001, height: 3001))
    #expect(rect(.east) == FrameRect(x: 999, y: 0, width: 3001, height: 3001))
    #expect(rect(.center) == FrameRect(x: 496, y: 0, width: 3001, height: 3001))
  }

  @Test func `every choice is the best of all places`() throws {
    var cases = Cases(random: Seeded(seed: 28))
    for index in 0..<600 {
      guard let (force, ratio, focus) = cases.next() else { continue }
      let crop = try #require(
        DerivedCrop(ratio, of: force.image, force.transform, focus: focus, jpeg: force.jpeg))
      let plain = try #require(
        DerivedCrop(ratio, of: force.image, force.transform, focus: focus))
      #expect(crop.rect.width == plain.rect.width && crop.rect.height == plain.rect.height)
      #expect(crop.cutsFocus == plain.cutsFocus)
      let kept = focus?.rect(of: force.image, force.transform.orientation)
      let frame = OrientationMap<ImageSpace, FrameSpace>(
        force.transform.orientation, of: force.image
      ).target
      let middle =
        kept?.center ?? FramePoint(x: Double(frame.width) / 2, y: Double(frame.height) / 2)
      let places = force.places(Int(crop.rect.width), Int(crop.rect.height), holding: kept)
      let best = try #require(force.best(places, near: middle))
      #expect(crop.rect == best, "case \(index): \(force), \(ratio), \(String(describing: focus))")
      guard focus == nil else { continue }
      let area = CropArea.ratio(ratio, .center).rect(
        of: force.image, force.transform, jpeg: force.jpeg)
      #expect(area == best, "case \(index): \(force), \(ratio)")
    }
  }

  @Test func `in a part of the picture, every choice is the best of all places in it`() throws {
    var cases = Cases(random: Seeded(seed: 29))
    for index in 0..<300 {
      guard let (force, ratio, focus) = cases.next() else { continue }
      let frame = OrientationMap<ImageSpace, FrameSpace>(
        force.transform.orientation, of: force.image
      ).target
      let (x, y) = (cases.random.int(0...4), cases.random.int(0...4))
      let part = FrameRect(
        x: Double(x), y: Double(y),
        width: Double(frame.width - x - cases.random.int(0...4)),
        height: Double(frame.height - y - cases.random.int(0...4)))
      let rect = CropArea.ratio(ratio, .center).rect(
        of: force.image, force.transform, focus: focus, jpeg: force.jpeg, inside: part)
      let kept = focus?.rect(of: force.image, force.transform.orientation).cut(to: part)
      let all = force.places(Int(rect.width), Int(rect.height), holding: nil).filter {
        part.contains($0)
      }
      let holding = all.filter { place in
        kept.map { place.contains($0, tolerance: CropRecipe.cornerTolerance) } ?? true
      }
      let best = try #require(
        force.best(holding.isEmpty ? all : holding, near: kept?.center ?? part.center))
      #expect(rect == best, "case \(index): \(force), \(ratio), \(part)")
    }
  }

  @Test func `a size is placed around the focus, and on the grid unless that cuts it`() {
    let jpeg = jpeg(400, 300)
    func rect(_ focus: FocusBox?) -> FrameRect {
      CropArea.sized(width: .pixels(100), height: .percent(20), .center).rect(
        of: jpeg.imageSize, PictureTransform(), focus: focus, jpeg: jpeg)
    }
    #expect(rect(nil) == FrameRect(x: 144, y: 112, width: 100, height: 60))
    #expect(rect(FocusBox(x: 0.75, y: 1)) == FrameRect(x: 256, y: 240, width: 100, height: 60))
    #expect(rect(FocusBox(x: 0, y: 0)) == FrameRect(x: 0, y: 0, width: 100, height: 60))
  }

  @Test func `chosen ratios and first frames are on the grid; manual frames are never corrected`()
    throws
  {
    let jpeg = jpeg(1000, 600)
    var session = session(over: jpeg)
    #expect(session.recipe?.rect == FrameRect(x: 200, y: 0, width: 600, height: 600))
    let changes = session.setJPEG(jpeg)
    #expect(changes.contains(.recipe))
    #expect(session.recipe?.rect == FrameRect(x: 192, y: 0, width: 600, height: 600))
    #expect(!session.canUndo && !session.canReset)
    _ = session.handle(.command(.ratio(.fixed(try #require(AspectRatio(4, 3))))))
    let pressed = try #require(session.recipe?.rect)
    #expect(session.jpegPlan?.way == .lossless && pressed.width * 3 == pressed.height * 4)
    _ = session.handle(.command(.set(.x, pressed.x + 3)))
    let moved = try #require(session.recipe?.rect)
    #expect(moved.x == pressed.x + 3 && session.jpegPlan?.way == .reencoded)
    _ = session.handle(.command(.ratio(.fixed(try #require(AspectRatio(4, 3))))))
    #expect(session.recipe?.rect == moved)
    _ = session.handle(.command(.snapToGrid))
    #expect(session.recipe?.rect == pressed && session.jpegPlan?.way == .lossless)
    _ = session.handle(.command(.undo))
    #expect(session.recipe?.rect == moved)
  }

  @Test func `a recipe that is shown before its JPEG is known stays`() throws {
    let jpeg = jpeg(1000, 600)
    var session = session(over: jpeg)
    let rect = FrameRect(x: 200, y: 0, width: 600, height: 600)
    _ = try session.restore(CropRecipe(rect: rect))
    session.setJPEG(jpeg)
    #expect(session.recipe?.rect == rect)
  }

  @Test func `the same frame on another picture is its part or its pixels, or nothing`() throws {
    let recipe = CropRecipe(
      rect: FrameRect(x: 100, y: 50, width: 300, height: 200), quarterTurns: 1)
    let image = ImageSize(width: 400, height: 600)
    let double = ImageSize(width: 800, height: 1200)
    let part = recipe.carried(from: image, to: double, isShare: true)
    #expect(part?.rect == FrameRect(x: 200, y: 100, width: 600, height: 400))
    #expect(part?.quarterTurns == 1)
    let pixels = recipe.carried(from: image, to: double, isShare: false)
    #expect(pixels?.rect == recipe.rect)
    #expect(recipe.carried(from: image, to: image, isShare: true) == recipe)
    #expect(
      recipe.carried(from: image, to: ImageSize(width: 249, height: 600), isShare: false) == nil)
    #expect(recipe.carried(from: ImageSize(width: 9, height: 9), to: image, isShare: true) == nil)
  }
}
