import Testing

@testable import CropCore

/// Lines and areas over the result.
struct GuideTests {
  private func lines(_ s: Scenario) -> [(from: ViewPoint, to: ViewPoint)] {
    s.session.scene.items.compactMap { item in
      if case .line(let from, let to, 1, .guide) = item { (from, to) } else { nil }
    }
  }

  private func areas(_ s: Scenario) -> [ViewQuad] {
    s.session.scene.items.compactMap { if case .guideArea(let quad) = $0 { quad } else { nil } }
  }

  private func notes(_ s: Scenario) -> [GuideLabel: ViewPoint] {
    var found: [GuideLabel: ViewPoint] = [:]
    for case .note(let label, let place) in s.session.scene.items { found[label] = place }
    return found
  }

  private func guided(_ style: CropStyle, _ mark: GuideMark) -> Scenario {
    var s = Scenario(style)
    #expect(s.run(.guide(CropGuide(marks: [mark]))) == [.scene])
    return s
  }

  // MARK: Marks

  @Test func `an area is tinted, and has lines where it ends inside the result`() {
    let s = guided(
      .studio, GuideMark(.area, x: 0, y: 0.25, width: 1, height: 0.5, label: .crown))
    // The whole photo from (14, 14) to (814, 614): a quarter of 600 points is 150.
    let quad = ViewQuad(
      a: point(14, 164), b: point(814, 164), c: point(814, 464), d: point(14, 464))
    #expect(areas(s) == [quad])
    #expect(lines(s).map(\.from) == [point(14, 164), point(814, 464)])
    #expect(lines(s).map(\.to) == [point(814, 164), point(14, 464)])
    #expect(notes(s) == [.crown: point(14, 314)])
    let items = s.session.scene.items
    let (area, frame) = (
      items.firstIndex(of: .guideArea(quad)),
      items.firstIndex {
        if case .stroke = $0 { true } else { false }
      }
    )
    #expect(area.flatMap { area in frame.map { area < $0 } } == true, "below the frame")
  }

  @Test func `a line goes from one end to the other, in any direction`() {
    let s = guided(.studio, GuideMark(.line, x: 0, y: 1, width: 1, height: -1))
    #expect(lines(s).map(\.from) == [point(14, 614)] && lines(s).map(\.to) == [point(814, 14)])
    #expect(areas(s).isEmpty && notes(s).isEmpty)
  }

  @Test func `an oval is closed, and as round as an ellipse`() throws {
    let s = guided(.studio, GuideMark(.oval, x: 0.25, y: 0, width: 0.5, height: 1))
    let all = lines(s)
    try #require(all.count == 64)
    for (index, line) in all.enumerated() {
      let next = all[(index + 1) % all.count]
      #expect((line.to - next.from).length < 1e-9)
      let (x, y) = ((line.from.x - 414) / 200, (line.from.y - 314) / 300)
      #expect(near(x * x + y * y, 1, 1e-9))
    }
    #expect(all.contains { ($0.from - point(414, 14)).length < 1e-9 })
    #expect(all.contains { ($0.from - point(214, 314)).length < 1e-9 })
  }

  @Test func `a cut line has the same distance from every edge`() {
    let s = guided(.studio, GuideMark(.inset, x: 0.05, y: 0, width: 0, height: 0, label: .trim))
    // 5% of 600 points are 30.
    #expect(
      lines(s).map(\.from) == [point(44, 44), point(784, 44), point(784, 584), point(44, 584)])
    #expect(notes(s)[.trim].map { ($0 - point(44, 44)).length < 1e-9 } == true)
    let safe = guided(
      .studio, GuideMark(.inset, x: 0.05, y: 0, width: 0, height: 0, label: .safe))
    #expect(notes(safe)[.safe].map { ($0 - point(44, 314)).length < 1e-9 } == true)
    #expect(
      CropGuide.trim(bleed: 0.03).marks.map(\.x) == [0.03, 0.06],
      "what is safe is as far inside the cut")
    #expect(CropGuide.trim(bleed: 0.03).marks.map(\.label) == [.trim, .safe])
  }

  @Test func `a guide is over the whole result, with its canvas`() {
    var s = Scenario(.studio)
    s.run(
      .canvas(
        FilledCanvas(
          CropCanvas(extent: .ratio(.square), margin: .pixels(0), gravity: .center),
          fill: .color(.white)), movesRatio: false))
    s.run(.guide(CropGuide(marks: [GuideMark(.area, x: 0, y: 0, width: 1, height: 0.5)])))
    var canvas: ViewRect?
    for case .canvas(let rect, _) in s.session.scene.items { canvas = rect }
    guard let canvas, let area = areas(s).first else {
      Issue.record("no canvas or no area")
      return
    }
    #expect(near(canvas.width, canvas.height, 1e-6))
    #expect(area.a == point(canvas.x, canvas.y))
    #expect((area.c - point(canvas.maxX, canvas.midY)).length < 1e-9)
  }

  @Test func `in perspective, a guide lies on the sheet`() throws {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 214, 114)
    let half = GuideMark(.area, x: 0, y: 0, width: 1, height: 1, label: .safe)
    s.run(.guide(CropGuide(marks: [half])))
    // The corners of the result are those of the sheet.
    #expect(
      areas(s) == [
        ViewQuad(a: point(214, 114), b: point(814, 14), c: point(814, 614), d: point(14, 614))
      ])
    #expect(lines(s).isEmpty)
  }

  @Test func `a guide replaces the thirds of a drag, and stays with the next photo`() {
    var s = guided(.studio, GuideMark(.line, x: 0.5, y: 0, width: 0, height: 1))
    func hasGrid() -> Bool {
      s.session.scene.items.contains { if case .line(_, _, _, .grid) = $0 { true } else { false } }
    }
    s.down(414, 314)
    s.move(424, 314)
    #expect(!hasGrid() && lines(s).count == 1)
    s.up(424, 314)
    _ = s.session.open(ImageSize(width: 300, height: 300))
    #expect(lines(s).count == 1)
    #expect(!s.session.canUndo && s.session.recipe == CropRecipe(rect: rect(0, 0, 300, 300)))
    #expect(s.run(.guide(CropGuide())).contains(.scene))
    #expect(lines(s).isEmpty)
    s.wait(2)
    #expect(s.run(.guide(CropGuide())) == [], "as it is")
    let endless = GuideMark(.line, x: .infinity, y: 0, width: 0, height: 1)
    s.run(.guide(CropGuide(marks: [endless])))
    #expect(lines(s).isEmpty && s.session.settings.guide == CropGuide())
  }

  // MARK: Until head and guide agree

  /// Where the scene shows a point of the image, as a share of the crop frame.
  private func share(_ x: Double, _ y: Double, _ s: Scenario) -> ViewPoint? {
    guard let frame = s.outline?.rect, let place = s.shown else { return nil }
    let at = place(ImagePoint(x: x, y: y))
    return point((at.x - frame.x) / frame.width, (at.y - frame.y) / frame.height)
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `a drag, a pinch and keys move the photo under the guide`(style: CropStyle) throws {
    var s = Scenario(style, before: [.ratio(.fixed(try #require(AspectRatio(7, 9))))])
    s.run(.guide(try #require(CropGuide(named: "passport"))))
    if style == .marquee { s.drag(214, 114, to: 354, 294) }
    s.wait(1)
    func isMoved(from before: ViewPoint?) -> Bool {
      guard let before, let after = share(400, 300, s) else { return false }
      return (after - before).length > 0.005
    }
    #expect(areas(s).count == 2)
    var before = share(400, 300, s)
    s.pinch(from: point(364, 314), point(464, 314), to: point(264, 314), point(564, 314))
    s.wait(2)
    if style != .marquee { #expect(isMoved(from: before) || s.shown?.scale ?? 1 > 1.5) }
    s.kind = .mouse
    before = share(400, 300, s)
    let frame = try #require(s.outline?.rect)
    s.drag(frame.midX, frame.midY, to: frame.midX + 40, frame.midY + 30)
    s.wait(2)
    #expect(isMoved(from: before), "dragged")
    before = share(400, 300, s)
    for _ in 0..<5 { s.key(.left, .shift) }
    s.wait(2)
    #expect(isMoved(from: before), "with keys")
    // The guide stays with the frame.
    let crop = try #require(s.outline?.rect)
    let area = try #require(areas(s).first)
    #expect(near(area.a.x, crop.x, 1e-6) && near(area.a.y, crop.y + 0.1 * crop.height, 1e-3))
  }

  // MARK: Figures

  /// A figure of a guide as its source says it: in the unit of the size.
  nonisolated struct Figure: CustomTestStringConvertible, Sendable {
    var guide: String
    /// Width and height of the result.
    var size: (Double, Double)
    /// The least and the greatest height of a head.
    var head: (Double, Double)
    /// The least and the greatest space above it.
    var above: (Double, Double)?
    /// The least and the greatest height of the eyes over the bottom.
    var eyes: (Double, Double)?
    var source: String
    var testDescription: String { "\(guide): \(source)" }
  }

  /// What the sources say, read on November 30, 2026.
  nonisolated private static let heads = [
    // "mindestens 32 mm - maximal 36 mm groß", "35x45 mm", "in der Mitte des Fotos"
    Figure(
      guide: "passport", size: (35, 45), head: (32, 36),
      source: "rosbach-hessen.de, Lichtbildanforderungen"),
    // "2 x 2 inches", "between 1 inch and 1 3/8 inches";
    // "1 1/8 inches to 1 3/8 inches from the bottom"
    Figure(
      guide: "passport-us", size: (2, 2), head: (1, 1.375), eyes: (1.125, 1.375),
      source: "bg.usembassy.gov, Photo Requirements; visafoto.com/us_passport"),
    // "50 mm wide x 70 mm high",
    // "between 31 mm and 36 mm from the bottom of the chin to the top of your head"
    Figure(
      guide: "passport-canada", size: (50, 70), head: (31, 36),
      source: "theupsstore.ca/tag/passport"),
    // "45-50 mm in height and 35-40 mm in width", "between 32 and 36 mm"
    Figure(
      guide: "passport-australia", size: (35, 45), head: (32, 36),
      source: "passports.gov.au's Guidelines for the photographic industry, docslib.org/doc/7328328"
    ),
    // "630 x 810" pixels, which is 35 × 45 mm, and "80% - 85%"
    Figure(
      guide: "passport-india", size: (35, 45), head: (0.8 * 45, 0.85 * 45),
      source: "gulfhindi.com on the Indian embassy in Kuwait"),
    // "33 x 48 mm", "28-33 mm from chin to crown", "3-5 mm from head top to photo edge"
    Figure(
      guide: "passport-china", size: (33, 48), head: (28, 33), above: (3, 5),
      source: "passlens.com, China Passport Photo Requirements"),
    // "縦:45mm 横:35mm 上余白:2mmから6mmまで", "32mmから36mmまで(頭頂からあごまで)"
    Figure(
      guide: "passport-japan", size: (35, 45), head: (32, 36), above: (2, 6),
      source: "city.noboribetsu.lg.jp/docs/2017091400051"),
    // "45 millimetres (mm) high by 35mm wide", "between 29mm and 34mm high"
    Figure(guide: "passport-uk", size: (35, 45), head: (29, 34), source: "gov.tc/passports/photos"),
  ]

  @Test(arguments: heads)
  func `every head with its top and chin in the areas has an allowed height`(said: Figure) throws {
    let guide = try #require(CropGuide(named: said.guide))
    func area(_ label: GuideLabel) -> (top: Double, bottom: Double)? {
      guide.marks.first { $0.label == label }.map {
        ($0.y * said.size.1, ($0.y + $0.height) * said.size.1)
      }
    }
    let (crown, chin) = (try #require(area(.crown)), try #require(area(.chin)))
    let slack = said.size.1 * 1e-5
    #expect(near(chin.top - crown.bottom, said.head.0, slack))
    #expect(near(chin.bottom - crown.top, said.head.1, slack))
    if let above = said.above {
      #expect(crown.top >= above.0 - slack && crown.bottom <= above.1 + slack)
      #expect(near(crown.top + crown.bottom, above.0 + above.1, slack))
    } else if said.eyes == nil {
      #expect(near(crown.top + chin.bottom, said.size.1, slack), "in the middle")
    }
    if let eyes = said.eyes {
      let drawn = try #require(area(.eyes))
      #expect(near(said.size.1 - drawn.bottom, eyes.0, slack))
      #expect(near(said.size.1 - drawn.top, eyes.1, slack))
      #expect(near(crown.top + chin.bottom, drawn.top + drawn.bottom, slack), "around the eyes")
    } else {
      #expect(area(.eyes) == nil)
    }
    // The oval touches the middle of both areas.
    let oval = try #require(guide.marks.first { $0.shape == .oval })
    #expect(near(2 * oval.y * said.size.1, crown.top + crown.bottom, slack))
    #expect(near(2 * (oval.y + oval.height) * said.size.1, chin.top + chin.bottom, slack))
    #expect(near(oval.x + oval.width / 2, 0.5, 1e-5))
  }

  /// What is covered of 1080 × 1920 pixels: top, right, bottom, left. Read on November 30, 2026.
  nonisolated private static let covered: [(guide: String, edges: [Double], source: String)] = [
    // "away from the top 14% (270px) and bottom 20% (380px)"
    (
      "instagram-story", [0.14 * 1920, 0, 0.2 * 1920, 0], "adsuploader.com/blog/meta-ads-safe-zones"
    ),
    // "14% at the top, 35% at the bottom and 6% at each side"
    (
      "instagram-reel", [0.14 * 1920, 0.06 * 1080, 0.35 * 1920, 0.06 * 1080],
      "shotstack.io/learn/vertical-video-safe-zones"
    ),
    // "top 150 pixels", "bottom 440 pixels", "right 150 pixels"
    ("tiktok", [150, 150, 440, 0], "adfuseai.com/blog/tiktok-ad-sizes-specs-guide"),
    // "288 px at the top, 672 px at the bottom, 48 px on the left and 192 px on the right"
    ("youtube-short", [288, 192, 672, 48], "shotstack.io/learn/vertical-video-safe-zones"),
  ]

  @Test(arguments: 0..<covered.count)
  func `the areas of an app are those of its source`(index: Int) throws {
    let said = Self.covered[index]
    let guide = try #require(CropGuide(named: said.guide))
    #expect(guide.marks.allSatisfy { $0.shape == .area })
    var edges = [0.0, 0, 0, 0]
    for mark in guide.marks {
      if mark.width == 1, mark.y == 0 {
        edges[0] = mark.height * 1920
      } else if mark.width == 1 {
        edges[2] = mark.height * 1920
        #expect(near(mark.y + mark.height, 1, 1e-5))
      } else if mark.x == 0 {
        edges[3] = mark.width * 1080
      } else {
        edges[1] = mark.width * 1080
        #expect(near(mark.x + mark.width, 1, 1e-5))
      }
    }
    for (drawn, wanted) in zip(edges, said.edges) { #expect(near(drawn, wanted, 0.01)) }
  }

  @Test func `every guide has a table of figures, or only lines`() {
    let figures = Self.heads.map(\.guide) + Self.covered.map(\.guide)
    for name in CropGuide.names {
      let guide = CropGuide(named: name)
      let isLines = guide?.marks.allSatisfy { $0.shape == .line } ?? false
      #expect(isLines != figures.contains(name), "\(name)")
    }
    #expect(CropGuide(named: "no-such-guide") == nil)
    #expect(
      CropGuide([.trim(bleed: 0.1), CropGuide(named: "diagonals") ?? CropGuide()]).marks.count == 4)
  }
}
