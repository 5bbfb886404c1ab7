import Foundation
import TestMaterial
import Testing

@testable import CropCore

@Suite struct QuadTests {
  private let frame = FrameSize(width: 640, height: 480)

  @Test(
    arguments: [
      ([10, 10, 100, 10, 100, 80, 10, 80], nil),
      ([10, 10, 100, 20, 110, 80, 0, 70], nil),
      // Two equal corners; all on one line.
      ([10, 10, 10, 10, 100, 80, 10, 80], .degenerate),
      ([10, 10, 100, 20, 10, 10, 0, 70], .degenerate),
      ([0, 0, 10, 10, 20, 20, 30, 30], .degenerate),
      ([10, 10, 100, 80, 100, 10, 10, 80], .selfCrossing),
      ([10, 10, 10, 80, 100, 80, 100, 10], .counterclockwise),
      ([10, 10, 100, 10, 30, 30, 10, 80], .concave),
      ([10, 10, 10.5, 10, 10.5, 80, 10, 80], .tiny),
      // 1° from a straight line at the right.
      ([10, 10, 110, 10, 210, 11.75, 10, 110], .nearlyCollinear),
      ([-1, 10, 100, 10, 100, 80, 10, 80], .outside),
      ([10, 10, 100, 10, 100, 480.5, 10, 80], .outside),
    ] as [([Double], QuadFault?)])
  func `each fault of four corners has its name`(corners: [Double], fault: QuadFault?) {
    #expect(Quad(coordinates: corners).fault(in: frame) == fault)
  }

  @Test(arguments: [
    (
      #"[{"x": 0.01, "y": 0}, {"x": 9, "y": 0}, {"x": 9, "y": 9}, {"x": 0, "y": 9}]"#,
      QuadFault.offGrid
    ),
    (#"[{"x": 1e300, "y": 0}, {"x": 9, "y": 0}, {"x": 9, "y": 9}, {"x": 0, "y": 9}]"#, .offGrid),
    (#"[{"x": 0, "y": 0}, {"x": 900, "y": 0}, {"x": 900, "y": 10}, {"x": 0, "y": 9}]"#, .outside),
    (#"[{"x": 0, "y": 0}, {"x": 9, "y": 9}, {"x": 9, "y": 0}, {"x": 0, "y": 9}]"#, .selfCrossing),
  ])
  func `a recipe with invalid corners is rejected with the reason`(
    corners: String, fault: QuadFault
  ) throws {
    let json = Data(#"{"version": 2, "quad": \#(corners)}"#.utf8)
    let recipe = try JSONDecoder().decode(CropRecipe.self, from: json)
    let error = #expect(throws: RecipeError.self) {
      try recipe.resolved(for: ImageSize(width: 640, height: 480))
    }
    guard case .quad(let found, _) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(found == fault)
  }

  @Test func `four corners exclude a rectangle and a tilt`() {
    let corners = Quad(coordinates: [10, 10, 100, 20, 110, 80, 0, 70])
    let image = ImageSize(width: 640, height: 480)
    #expect(throws: RecipeError.quad(.besideRect, corners)) {
      try CropRecipe(rect: FrameRect(x: 0, y: 0, width: 9, height: 9), quad: corners)
        .resolved(for: image)
    }
    #expect(throws: RecipeError.quad(.underTilt, corners)) {
      try CropRecipe(tilt: CropAngle(degrees: 1), quad: corners).resolved(for: image)
    }
  }

  @Test func `version 2 is only written for four corners that are not a rectangle`() throws {
    func written(_ recipe: CropRecipe) throws -> [String: Any] {
      let data = try JSONEncoder().encode(recipe)
      #expect(try JSONDecoder().decode(CropRecipe.self, from: data) == recipe.normalized())
      return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
    let corners = Quad(coordinates: [10, 10.5, 100, 20, 110, 80, 0, 70])
    let skewed = try written(CropRecipe(quarterTurns: 1, quad: corners))
    #expect(skewed["version"] as? Int == 2)
    #expect(
      Set(skewed.keys) == ["version", "quad", "quarterTurns", "mirrored", "shape", "output"])
    let rect = FrameRect(x: 10, y: 20, width: 30, height: 40)
    let plain = try written(CropRecipe(quad: Quad(rect)))
    #expect(plain["version"] as? Int == 1)
    #expect(CropRecipe(quad: Quad(rect)).normalized() == CropRecipe(rect: rect))
    // In version 1, a rectangle can't be stretched or lie between pixels.
    let stretched = CropRecipe(output: .exact(width: 50, height: 50), quad: Quad(rect))
    #expect(try written(stretched)["version"] as? Int == 2)
    let between = FrameRect(x: 10.5, y: 20, width: 30, height: 40)
    #expect(try written(CropRecipe(quad: Quad(between)))["version"] as? Int == 2)
  }

  @Test(arguments: [
    (#"{"version": 3}"#, "version 3 is newer than this program"),
    (#"{"version": 0}"#, "version 0 is not known"),
    (
      #"{"version": 1, "quad": [{"x": 0, "y": 0}, {"x": 9, "y": 0}, {"x": 9, "y": 8}, {"x": 0, "y": 9}]}"#,
      "quad is of version 2"
    ),
    (#"{"quad": [{"x": 0, "y": 0}, {"x": 9, "y": 0}]}"#, "quad has 2 corners"),
    (#"{"quad": [{"x": 0, "y": 0, "z": 1}]}"#, "\"z\" is not known"),
  ])
  func `a reader reports a version that it can't read`(json: String, words: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CropRecipe.self, from: Data(json.utf8))
    }
    #expect("\(String(describing: error))".contains(words))
  }

  @Test func `corners of a rectangle in another order are not a rectangle`() {
    let corners = Quad(FrameRect(x: 10, y: 20, width: 30, height: 40))
    for first in 1...3 {
      let turned = Quad(
        coordinates: (first..<first + 4).flatMap { [corners[$0].x, corners[$0].y] })
      #expect(turned.rect == nil && turned.fault(in: frame) == nil)
    }
  }

  @Test func `each side is as long as the longer of its two edges`() {
    // Top 30-40-50, bottom 100; left 80, right 60-80-100 slanted.
    let found = Quad(coordinates: [0, 0, 40, 30, 100, 110, 0, 110]).size
    #expect(found == FrameSize(width: 100, height: 110))
    #expect(
      Quad(FrameRect(x: 3, y: 4, width: 30, height: 40)).size == FrameSize(width: 30, height: 40))
  }

  @Test func `a ratio lengthens one side and has the corners' orientation`() {
    let upright = Quad(FrameRect(x: 0, y: 0, width: 210, height: 200))
    #expect(upright.size(.a4, in: frame) == FrameSize(width: 283, height: 200))
    let high = Quad(FrameRect(x: 0, y: 0, width: 200, height: 210))
    #expect(high.size(.letter, in: frame) == FrameSize(width: 200, height: 259))
    #expect(high.size(.ratio(.square), in: frame) == FrameSize(width: 210, height: 210))
  }

  @Test func `the ratio of a sheet seen by a camera is found again`() throws {
    var random = Seeded(seed: 29)
    var found = 0
    for _ in 0..<500 {
      let ratio = random.double(0.4...2.5)
      let angles = (0..<3).map { random.double($0 < 2 ? -0.8...0.8 : -0.3...0.3) }
      guard let seen = photographed(ratio: ratio, angles) else { continue }
      let frame = FrameSize(width: 4000, height: 3000)
      guard let measured = seen.sheetRatio(in: frame) else { continue }
      found += 1
      // The corners are on a grid of 1/64 pixel, which matters for distant vanishing points.
      #expect(abs(measured / ratio - 1) < 0.01, "\(random.comment)")
    }
    #expect(found > 200)
    #expect(Quad(coordinates: [10, 10, 100, 10, 100, 80, 10, 80]).sheetRatio(in: frame) == nil)
  }

  @Test(arguments: [0.0, 0.2])
  func `paper that is seen from below keeps its format`(yaw: Double) throws {
    let frame = FrameSize(width: 4000, height: 3000)
    let upright = try #require(photographed(ratio: 210 / 297, [1, yaw, 0]))
    // It looks wider than high.
    #expect(upright.size.width > upright.size.height)
    let made = upright.size(.a4, in: frame)
    #expect(abs(Double(made.width) / Double(made.height) - 210 / 297) < 0.01)
    let wide = try #require(AspectRatio(16, 9))
    #expect(upright.oriented(wide, in: frame) == wide.swapped)
    let exact = upright.size(.exactly(wide), in: frame)
    #expect(abs(Double(exact.width) / Double(exact.height) - 16 / 9) < 0.01)
  }

  @Test(
    arguments: [
      (210 / 297, (210, 297)), (297 / 210 * 1.015, (210, 297)), (17 / 22, (17, 22)), (0.74, nil),
      (1.5, nil),
    ] as [(Double, (Int, Int)?)])
  func `a sheet within two percent of a paper size is that paper`(
    ratio: Double, paper: (Int, Int)?
  ) throws {
    let seen = try #require(photographed(ratio: ratio, [0.5, 0.4, 0.1]))
    let found = seen.paperRatio(in: FrameSize(width: 4000, height: 3000))
    #expect(found == paper.flatMap { AspectRatio($0.0, $0.1) })
  }

  /// The corners of a sheet with this ratio in front of a camera that sees it from an angle: pitch,
  /// yaw and roll.
  private func photographed(ratio: Double, _ angles: [Double]) -> Quad? {
    let (pitch, yaw, roll) = (angles[0], angles[1], angles[2])
    let corners = [(-ratio, -1.0), (ratio, -1.0), (ratio, 1.0), (-ratio, 1.0)].map {
      x, y -> FramePoint in
      let (x1, y1) = (x * cos(roll) - y * sin(roll), x * sin(roll) + y * cos(roll))
      let (y2, z2) = (y1 * cos(pitch), y1 * sin(pitch))
      let (x3, z3) = (x1 * cos(yaw) + z2 * sin(yaw), -x1 * sin(yaw) + z2 * cos(yaw))
      let depth = z3 + 7
      return FramePoint(x: 2000 + 3500 * x3 / depth, y: 1500 + 3500 * y2 / depth)
    }
    let quad = Quad(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3]
    ).onGrid
    return quad.fault(in: FrameSize(width: 4000, height: 3000)) == nil ? quad : nil
  }

  @Test func `a map and its way back are the identity to 1e-9 over many quads`() {
    var random = Seeded(seed: 1)
    let frame = FrameSize(width: 6000, height: 4000)
    var (tried, worst) = (0, 0.0)
    while tried < Thorough.count(100_000) {
      let corners = Quad(
        coordinates: [0, 0, 6000, 0, 6000, 4000, 0, 4000].map { corner in
          min(max(corner + random.double(-2400...2400), 0), corner > 4000 ? 6000 : 4000)
        }
      ).onGrid
      guard corners.fault(in: frame) == nil else { continue }
      tried += 1
      // In units of the frame and of the result, so that all numbers have the same magnitude.
      let shares = corners.map { FramePoint(x: $0.x / 6000, y: $0.y / 6000) }
      let there = Homography<ResultSpace, FrameSpace>(
        from: PixelSize(width: 1, height: 1), to: shares)
      worst = max(worst, deviation(there, there.inverse), deviation(there.inverse, there))
    }
    #expect(worst < 1e-9, "\(random.comment)")
  }

  /// How far the product of two maps is from the identity, normalized to a last number of 1.
  private func deviation<A, B>(_ p: Homography<A, B>, _ q: Homography<B, A>) -> Double {
    let rows = [[p.a, p.b, p.c], [p.d, p.e, p.f], [p.g, p.h, p.i]]
    let columns = [[q.a, q.d, q.g], [q.b, q.e, q.h], [q.c, q.f, q.i]]
    let product = rows.map { row in
      columns.map { column in zip(row, column).map(*).reduce(0, +) }
    }
    var worst = 0.0
    for (i, row) in product.enumerated() {
      for (j, value) in row.enumerated() {
        worst = max(worst, abs(value / product[2][2] - (i == j ? 1 : 0)))
      }
    }
    return worst
  }

  @Test func `corners of the result are the quad's, and edges stay edges`() {
    let corners = Quad(coordinates: [10, 10.5, 100, 20, 110, 80, 0, 70])
    let map = Homography<ResultSpace, FrameSpace>(
      from: PixelSize(width: 200, height: 100), to: corners)
    let ends: [(Double, Double)] = [(0, 0), (200, 0), (200, 100), (0, 100)]
    for (index, end) in ends.enumerated() {
      let point = map(CropPoint(x: end.0, y: end.1))
      #expect((point - corners[index]).length < 1e-12)
    }
    // A point on the top edge is mapped to the line between the corners.
    let top = map(CropPoint(x: 70, y: 0)) - corners.topLeft
    let edge = corners.topRight - corners.topLeft
    #expect(abs(top.dx * edge.dy - top.dy * edge.dx) < 1e-9)
  }

  @Test(arguments: Orientation.allCases)
  func `a turn or mirror of the frame turns and mirrors the result`(orientation: Orientation) {
    let corners = Quad(coordinates: [10, 10.5, 100, 20, 110, 80, 0, 70])
    let moved = corners.oriented(orientation, of: frame)
    let map = OrientationMap<FrameSpace, FrameSpace>(orientation, of: frame)
    #expect(moved.fault(in: map.target) == nil)
    #expect(
      moved.size == (orientation.isTransposing ? corners.size.transposed : corners.size))
    // A point of the result, oriented like an image, shows the same point of the photo.
    let size = PixelSize<ResultSpace>(width: corners.size.width, height: corners.size.height)
    let turned = OrientationMap<ResultSpace, ResultSpace>(orientation, of: size)
    let before = Homography(from: size, to: corners)
    let after = Homography<ResultSpace, FrameSpace>(from: turned.target, to: moved)
    let point = CropPoint<ResultSpace>(x: 20.5, y: 30.5)
    #expect((after(turned(point)) - map(before(point))).length < 1e-9)
    #expect(moved.oriented(orientation.inverse, of: map.target) == corners)
  }

  @Test func `four corners keep no pixels and have no rectangle of the image`() throws {
    let recipe = CropRecipe(quad: Quad(coordinates: [10, 10.5, 100, 20, 110, 80, 0, 70]))
    let crop = try recipe.resolved(for: ImageSize(width: 640, height: 480))
    #expect(!crop.keepsPixels && !crop.isIdentity && crop.imageRect == nil)
    #expect(crop.output == recipe.quad?.size)
    #expect(crop.rect == FrameRect(x: 0, y: 10, width: 110, height: 70))
    // Includes the kernel's margin, as far as the image extends.
    #expect(crop.neededPart == PixelRect(x: 0, y: 6, width: 114, height: 78))
    let whole = CropRecipe(quad: Quad(frame.bounds))
    #expect(try whole.resolved(for: ImageSize(width: 640, height: 480)).isIdentity)
  }

  @Test(arguments: Orientation.allCases)
  func `a part that was cut beforehand gives the same samples`(orientation: Orientation) throws {
    let image = ImageSize(width: 640, height: 480)
    var recipe = CropRecipe(
      output: .maxSide(30), quad: Quad(coordinates: [110, 110.5, 200, 120, 210, 180, 100, 170]))
    recipe.orientation = orientation
    let crop = try recipe.resolved(for: image)
    #expect(crop.shrink == 3)
    let needed = crop.neededImagePart
    let part = ImageRect(
      x: needed.x - 5, y: needed.y - 1, width: needed.width + 8, height: needed.height + 2)
    let inner = try #require(crop.inside(part))
    let place = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)(part)
    #expect(inner.output == crop.output)
    #expect(inner.neededImagePart.width == needed.width)
    let point = CropPoint<ResultSpace>(x: 3.5, y: 7.5)
    let (before, after) = (try #require(crop.homography), try #require(inner.homography))
    let (whole, own) = (before(point), after(point))
    #expect(abs(whole.x - own.x - Double(place.x)) < 1e-9)
    #expect(abs(whole.y - own.y - Double(place.y)) < 1e-9)
    let short = ImageRect(
      x: needed.x + 1, y: needed.y, width: needed.width, height: needed.height)
    #expect(crop.inside(short) == nil)
  }

  @Test func `a session rejects four corners and is unchanged`() throws {
    var session = CropSession(style: .studio)
    session.open(ImageSize(width: 640, height: 480))
    let before = session
    #expect(throws: RecipeError.quadNotTaken) {
      try session.restore(CropRecipe(quad: Quad(coordinates: [10, 10.5, 100, 20, 110, 80, 0, 70])))
    }
    #expect(session == before)
    // The corners of a rectangle become a rectangle.
    let rect = FrameRect(x: 10, y: 20, width: 30, height: 40)
    _ = try session.restore(CropRecipe(quad: Quad(rect)))
    #expect(session.recipe?.rect == rect)
  }

  @Test func `exporters and targets report that they can't straighten`() throws {
    let recipe = CropRecipe(quad: Quad(coordinates: [10, 10.5, 100, 20, 110, 80, 0, 70]))
    let image = ImageSize(width: 640, height: 480)
    let crop = try recipe.resolved(for: image)
    for exporter in CropExporter.all {
      let error = #expect(throws: CropExporterError.self) { try exporter.text(for: crop) }
      #expect(error?.what == "straighten four corners")
    }
    let target = PhotoTarget(name: "a", requirement: .ratio(.square), recipe: recipe)
    let document = TargetDocument(targets: [target])
    #expect(throws: RecipeError.quadInTarget) { try document.crop(of: target, on: image) }
  }
}
