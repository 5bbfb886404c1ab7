import Foundation
import TestMaterial
import Testing

@testable import CropCore

/// The crops that are derived from the focus.
struct TargetTests {
  /// An image, a ratio and a focus from a seed.
  private struct Case {
    let image: ImageSize
    let ratio: AspectRatio
    let document: TargetDocument
    let crop: TargetCrop
    let picture: TiltedPicture
    /// The smallest upright rectangle around the focus, in frame pixels.
    let kept: FrameRect

    /// Nil if the tilted image has no space for a pixel.
    init?(_ random: inout SplitMix, tilted: Bool, longest: Int) throws {
      image = ImageSize(width: random.whole(1...longest), height: random.whole(1...longest))
      ratio = try #require(AspectRatio(random.whole(1...21), random.whole(1...21)))
      let (x, y) = (random.unit(), random.unit())
      let isPoint = random.whole(0...4) == 0
      let focus = try #require(
        FocusBox(
          x: x, y: y, width: isPoint ? 0 : (1 - x) * random.unit() * random.unit(),
          height: isPoint ? 0 : (1 - y) * random.unit() * random.unit()))
      let transform = PictureTransform(
        orientation: Orientation(
          isMirrored: random.whole(0...1) == 1, quarterTurns: random.whole(0...3)),
        tilt: CropAngle(degrees: tilted ? Double(random.whole(-450...450)) / 10 : 0))
      document = TargetDocument(picture: transform, focus: focus)
      let frame = OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image).target
      picture = TiltedPicture(frame: frame, tilt: transform.tilt)
      guard picture.hasRoom else { return nil }
      crop = try document.crop(of: PhotoTarget(name: "a", requirement: .ratio(ratio)), on: image)
      kept = focus.bounds(in: picture, of: image, transform.orientation)
    }

    func rect() throws -> FrameRect { try #require(crop.recipe.rect) }

    func contains(_ rect: FrameRect) -> Bool { rect.contains(kept, tolerance: 1e-6) }
  }

  @Test func `without a tilt it is the best of all rectangles`() throws {
    var random = SplitMix(seed: 1)
    for _ in 0..<1500 {
      guard let it = try Case(&random, tilted: false, longest: 40) else { continue }
      let rect = try it.rect()
      let size = CropArea.largestSize(it.ratio, in: it.picture)
      #expect(rect.width == size.width && rect.height == size.height)
      var best: (isCut: Bool, distance: Double, y: Double, x: Double)?
      for y in 0...Int(Double(it.picture.frame.height) - size.height) {
        for x in 0...Int(Double(it.picture.frame.width) - size.width) {
          let other = FrameRect(
            x: Double(x), y: Double(y), width: size.width, height: size.height)
          let way = (other.center.x - it.kept.center.x, other.center.y - it.kept.center.y)
          let distance = way.0 * way.0 + way.1 * way.1
          let one = (!it.contains(other), (distance * 1e6).rounded() / 1e6, other.y, other.x)
          if let best, Self.precedes(best, one) { continue }
          best = one
        }
      }
      let wanted = try #require(best)
      #expect(wanted.isCut == it.crop.cutsFocus)
      #expect(rect.x == wanted.x && rect.y == wanted.y, "\(it)")
    }
  }

  private static func precedes(
    _ a: (isCut: Bool, distance: Double, y: Double, x: Double),
    _ b: (isCut: Bool, distance: Double, y: Double, x: Double)
  ) -> Bool {
    if a.isCut != b.isCut { return b.isCut }
    return (a.distance, a.y, a.x) <= (b.distance, b.y, b.x)
  }

  @Test func `it is inside, of the ratio, and says whether it cuts the focus`() throws {
    var random = SplitMix(seed: 2)
    for number in 0..<Thorough.count(100_000) {
      guard let it = try Case(&random, tilted: number % 2 == 0, longest: 4000) else { continue }
      let rect = try it.rect()
      #expect(it.picture.contains(rect), "\(it)")
      #expect(it.crop.cutsFocus != it.contains(rect), "\(it)")
      let largest = CropArea.largestSize(it.ratio, in: it.picture)
      guard it.ratio.isExact, largest.width >= Double(it.ratio.width),
        largest.height >= Double(it.ratio.height)
      else { continue }
      #expect(
        rect.width * Double(it.ratio.height) == rect.height * Double(it.ratio.width), "\(it)")
    }
  }

  @Test func `under a tilt no rectangle on a raster is larger, or as large and nearer`() throws {
    var random = SplitMix(seed: 3)
    var cut = 0
    for _ in 0..<300 {
      guard let it = try Case(&random, tilted: true, longest: 300) else { continue }
      let rect = try it.rect()
      if it.crop.cutsFocus { cut += 1 }
      let middle = it.kept.center
      func distance(_ point: FramePoint) -> Double {
        hypot(point.x - middle.x, point.y - middle.y)
      }
      // To count, a raster point must be inside by more than rounding errors.
      for step in 1...24 {
        let share = Double(step) / 24
        for row in 0...12 {
          for column in 0...12 {
            let center = FramePoint(
              x: Double(it.picture.frame.width * column) / 12,
              y: Double(it.picture.frame.height * row) / 12)
            let most = it.picture.largestScale(
              width: Double(it.ratio.width), height: Double(it.ratio.height), about: center)
            let other = FrameRect(
              center: center, width: Double(it.ratio.width) * most * share,
              height: Double(it.ratio.height) * most * share)
            guard other.width > 0, it.picture.contains(other), it.contains(other) else { continue }
            #expect(
              !it.crop.cutsFocus || other.width < rect.width + 2 * Double(it.ratio.width), "\(it)")
            // Rounding to whole steps of the ratio may cost one step, and rounding to the grain
            // another.
            #expect(other.width <= rect.width + 2 * max(1, Double(it.ratio.width)), "\(it)")
            if other.width >= rect.width {
              #expect(
                distance(rect.center) <= distance(center) + 2
                  * Double(it.ratio.width + it.ratio.height),
                "\(it)")
            }
          }
        }
      }
    }
    #expect(cut > 0 && cut < 300)
  }

  @Test func `a single target equals that of a document`() throws {
    var random = SplitMix(seed: 4)
    for number in 0..<500 {
      guard let it = try Case(&random, tilted: number % 2 == 0, longest: 4000) else { continue }
      let alone = DerivedCrop(
        it.ratio, of: it.image, it.document.picture, focus: it.document.focus)
      #expect(try alone?.rect == it.rect() && alone?.cutsFocus == it.crop.cutsFocus, "\(it)")
    }
    let steep = PictureTransform(tilt: CropAngle(degrees: 46))
    #expect(DerivedCrop(.square, of: ImageSize(width: 9, height: 9), steep, focus: nil) == nil)
  }

  @Test func `a crop by hand survives another focus, and must have the same transform`() throws {
    let image = ImageSize(width: 400, height: 300)
    let hand = CropRecipe(rect: FrameRect(x: 10, y: 10, width: 50, height: 50), quarterTurns: 1)
    var document = TargetDocument(
      picture: .init(orientation: Orientation(isMirrored: false, quarterTurns: 1)),
      targets: [
        PhotoTarget(name: "a", requirement: .ratio(.square), recipe: hand),
        PhotoTarget(name: "b", requirement: .ratio(.square)),
      ])
    let before = try document.crop(of: document.targets[0], on: image)
    #expect(before.recipe == hand && before.isByHand && !before.cutsFocus)
    document.focus = FocusBox(x: 0.9, y: 0.9)
    let after = try document.crop(of: document.targets[0], on: image)
    #expect(after.recipe == hand && after.cutsFocus)
    let derived = try document.crop(of: document.targets[1], on: image)
    #expect(derived.recipe.rect == FrameRect(x: 0, y: 100, width: 300, height: 300))
    document.targets[0].recipe?.quarterTurns = 2
    #expect(throws: RecipeError.otherTransform) {
      try document.crop(of: document.targets[0], on: image)
    }
  }

  /// A recipe as the session changes it for another transform of its picture.
  private func reoriented(
    _ recipe: CropRecipe, as transform: PictureTransform, on image: ImageSize,
    keeping ratio: AspectRatio? = nil
  ) throws -> CropRecipe? {
    var session = CropSession(style: .studio)
    session.settings.keepsRatio = true
    session.editor.document.edit.ratio = ratio.map { .fixed($0) } ?? .free
    session.open(image)
    _ = try session.restore(recipe)
    return session.setTransform(transform).contains(.refused) ? nil : session.recipe
  }

  @Test func `a recipe follows its picture's transform, and shows the same part`() throws {
    let image = ImageSize(width: 400, height: 300)
    let wide = CropRecipe(rect: FrameRect(x: 40, y: 30, width: 160, height: 90), shape: .ellipse)
    func transform(_ turns: Int, mirrored: Bool = false, tilt: Double = 0) -> PictureTransform {
      .init(
        orientation: Orientation(isMirrored: mirrored, quarterTurns: turns),
        tilt: CropAngle(degrees: tilt))
    }
    #expect(try reoriented(wide, as: transform(0), on: image) == wide)
    // A quarter turn clockwise: 30 from the top and 90 high becomes 180 from the left.
    let turned = try #require(try reoriented(wide, as: transform(1), on: image))
    #expect(turned.rect == FrameRect(x: 180, y: 40, width: 90, height: 160))
    #expect(turned.quarterTurns == 1 && turned.shape == .ellipse)
    let mirrored = try reoriented(wide, as: transform(0, mirrored: true), on: image)
    #expect(mirrored?.rect == FrameRect(x: 200, y: 30, width: 160, height: 90))
    // It keeps its ratio, about its middle, but does not take a different one.
    let kept = try reoriented(wide, as: transform(1), on: image, keeping: AspectRatio(16, 9))
    let rect = try #require(kept?.rect)
    #expect(rect.width * 9 == rect.height * 16 && abs(rect.center.x - 225) <= 1)
    #expect(
      try reoriented(wide, as: transform(1), on: image, keeping: .square)?.rect == turned.rect)
    // A tilt is exact, and only rejects crops with a blank corner.
    let tilted = try #require(try reoriented(wide, as: transform(0, tilt: 30.25), on: image))
    #expect(tilted.tilt.degrees == 30.25)
    _ = try tilted.resolved(for: image)
    #expect(try reoriented(wide, as: transform(0, tilt: 46), on: image) == nil)
    #expect(throws: RecipeError.self) {
      try reoriented(wide, as: transform(1), on: ImageSize(width: 50, height: 50))
    }
  }

  @Test func `a focus is read from the rectangle that it is drawn as`() throws {
    let image = ImageSize(width: 600, height: 400)
    for orientation in Orientation.allCases {
      let focus = try #require(FocusBox(x: 0.25, y: 0.5, width: 0.5, height: 0.125))
      #expect(FocusBox(focus.rect(of: image, orientation), of: image, orientation) == focus)
      let seen = try #require(FocusBox(x: 0, y: 1)).visibleRect(of: image, orientation)
      #expect(min(seen.width, seen.height) == 8 && max(seen.width, seen.height) == 12)
    }
    #expect(FocusBox(FrameRect(x: 500, y: 0, width: 101, height: 9), of: image, .up) == nil)
  }

  @Test func `a size is scaled down to, and up to only when asked`() throws {
    let image = ImageSize(width: 1000, height: 1000)
    let document = TargetDocument()
    let small = PhotoTarget(name: "a", requirement: .size(FrameSize(width: 400, height: 200)))
    let large = PhotoTarget(name: "b", requirement: .size(FrameSize(width: 4000, height: 2000)))
    let scaled = try document.crop(of: small, on: image)
    #expect(scaled.recipe.output == .exact(width: 400, height: 200) && !scaled.isTooSmall)
    let kept = try document.crop(of: large, on: image)
    #expect(kept.recipe.output == nil && kept.isTooSmall)
    let enlarged = try document.crop(of: large, on: image, enlarges: true)
    #expect(enlarged.recipe.output == .exact(width: 4000, height: 2000) && enlarged.isTooSmall)
    let enough = PhotoTarget(
      name: "c", requirement: .ratio(.square), minimum: FrameSize(width: 1001, height: 1))
    #expect(try document.crop(of: enough, on: image).isTooSmall)
  }

  @Test func `a contained target has all of the photo, on a canvas of its ratio or size`() throws {
    let image = ImageSize(width: 400, height: 300)
    let link = PhotoTarget(
      name: "link", requirement: .size(FrameSize(width: 1000, height: 500)), fit: .contain)
    let square = PhotoTarget(name: "square", requirement: .ratio(.square), fit: .contain)
    let document = TargetDocument(
      focus: FocusBox(x: 0.9, y: 0.9), targets: [link, square])
    let crop = try document.crop(of: link, on: image)
    #expect(crop.recipe.rect == FrameRect(x: 0, y: 0, width: 400, height: 300))
    #expect(crop.recipe.output == nil)
    #expect(crop.canvas == .size(FrameSize(width: 1000, height: 500)))
    #expect(crop.isTooSmall && !crop.cutsFocus)
    let enlarged = try document.crop(of: link, on: image, enlarges: true)
    #expect(enlarged.recipe.output == .exact(width: 667, height: 500))
    let other = try document.crop(of: square, on: image)
    #expect(other.canvas == .ratio(.square) && !other.isTooSmall)
    // One side is as long as the target's, so no pixels are missing.
    let long = try document.crop(of: link, on: ImageSize(width: 1000, height: 300))
    #expect(!long.isTooSmall)
  }

  @Test func `a contained target may have a crop of any ratio by hand`() throws {
    let rect = FrameRect(x: 10, y: 20, width: 100, height: 30)
    let target = PhotoTarget(
      name: "a", requirement: .ratio(.square), recipe: CropRecipe(rect: rect), fit: .contain)
    let crop = try TargetDocument(targets: [target]).crop(
      of: target, on: ImageSize(width: 400, height: 300))
    #expect(crop.recipe.rect == rect && crop.isByHand && crop.canvas == .ratio(.square))
  }

  @Test func `the JSON form is read as it was written`() throws {
    let text = """
      {"focus":{"height":0.25,"width":0,"x":0.5,"y":0.25},"picture":{"mirrored":true,"quarterTurns":3,\
      "tilt":1.5},"targets":[{"fit":"contain","name":"story","ratio":"9:16"},{"minimum":{"height":1,"width":2},\
      "name":"link","size":{"height":630,"width":1200}}],"version":1}
      """
    let document = try JSONDecoder().decode(TargetDocument.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(document), as: UTF8.self) == text)
    #expect(
      try JSONDecoder().decode(TargetDocument.self, from: Data("{}".utf8)) == TargetDocument())
  }

  @Test(arguments: [
    #"{"version":2}"#, #"{"targtes":[]}"#, #"{"focus":{"x":1.5,"y":0}}"#,
    #"{"focus":{"x":0.5,"y":0,"width":0.6}}"#, #"{"focus":{"x":-0.1,"y":0}}"#,
    #"{"targets":[{"name":"a","ratio":"1:1","fit":"fill"}]}"#, #"{"targets":[{"name":"a"}]}"#,
    #"{"targets":[{"name":"a","ratio":"wide"}]}"#,
    #"{"targets":[{"name":"a","ratio":"1:1","size":{"width":1,"height":1}}]}"#,
    #"{"targets":[{"name":"a","ratio":"1:1"},{"name":"a","ratio":"1:2"}]}"#,
    #"{"targets":[{"name":"a","size":{"width":0,"height":1}}]}"#, #"{"picture":{"tilt":46}}"#,
    #"{"targets":[{"name":"a","ratio":"1:1","recipe":{"quarterTurns":1}}]}"#,
    #"{"targets":[{"name":"a","ratio":"1:1","quality":3}]}"#,
  ])
  func `invalid documents are rejected`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TargetDocument.self, from: Data(text.utf8))
    }
  }

  @Test func `built-in sets can be combined, and say where their sizes come from`() {
    let names = TargetSet.all.flatMap(\.targets).map(\.name)
    #expect(Set(names).count == names.count, "\(names)")
    for set in TargetSet.all {
      #expect(!set.targets.isEmpty && !set.source.isEmpty, "\(set.name)")
      #expect(set.date.wholeMatch(of: /20\d\d-\d\d-\d\d/) != nil, "\(set.date)")
    }
    #expect(TargetSet(name: "instagram")?.targets.map(\.name).first == "instagram-square")
  }
}

/// A pseudorandom generator with a seed: SplitMix64.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// 0 to 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
