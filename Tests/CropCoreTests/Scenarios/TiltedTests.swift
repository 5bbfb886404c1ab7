import TestMaterial
import Testing

@testable import CropCore

/// Resizing and moving at the edges of a tilted image.
struct TiltedTests {
  /// 4000 × 3000 pixels tilted by 2°, with the selection that fills it: 3824 × 2868 pixels, at most
  /// one pixel from the image's edges on each side.
  private func filled(_ style: CropStyle) -> Scenario {
    var s = Scenario(style, 4000, 3000)
    s.run(.selectAll)
    s.run(.tilt(CropAngle(degrees: 2), .once))
    return s
  }

  private func size(_ s: Scenario) -> [Double] { s.selection.map { [$0.width, $0.height] } ?? [] }

  /// Drags a handle of the frame on the screen by a vector.
  private func pull(_ s: inout Scenario, _ handle: CropHandle, by vector: ViewVector) throws {
    let start = try #require(s.outline).rect.point(handle)
    s.drag(start.x, start.y, to: start.x + vector.dx, start.y + vector.dy)
  }

  @Test(arguments: [CropStyle.marquee, .studio], [10.0, 100, 600])
  func `a handle pulled past a tilted picture stops there, and the other sides stay`(
    style: CropStyle, distance: Double
  ) throws {
    for handle in CropHandle.allCases {
      for modifiers in [Modifiers(), .alt] {
        var s = filled(style)
        let before = try #require(s.selection)
        #expect(size(s) == [3824, 2868])
        s.modifiers = modifiers
        try pull(
          &s, handle,
          by: ViewVector(dx: (2 * handle.x - 1) * distance, dy: (2 * handle.y - 1) * distance))
        let after = try #require(s.selection)
        let comment: Comment = "\(handle) \(modifiers): \(after)"
        if handle.x == 0.5 { #expect(after.width == 3824, comment) }
        if handle.y == 0.5 { #expect(after.height == 2868, comment) }
        #expect(
          (3824...3832).contains(after.width) && (2868...2869).contains(after.height), comment)
        let held =
          modifiers == .alt ? CropAnchor.center : CropAnchor(x: 1 - handle.x, y: 1 - handle.y)
        let (old, new) = (before.point(x: held.x, y: held.y), after.point(x: held.x, y: held.y))
        #expect((new - old).length <= 1.0 / 64, comment)
      }
    }
  }

  @Test func `sides that follow a handle move as far as they fit together, then separately`() {
    // A diamond: |x − 1000| + |y − 1000| ≤ 1000·√2 = 1414.2.
    let picture = TiltedPicture(frame: .of(2000, 2000), tilt: CropAngle(degrees: 45))
    func drawn(_ handle: CropHandle, to x: Double, _ y: Double) -> FrameRect {
      HandleDrag(
        handle: handle, start: rect(500, 500, 1000, 1000), ratio: nil, isCentered: false,
        mayCross: true, picture: picture
      ).rect(at: FramePoint(x: x, y: y)).0
    }
    // x + y ≤ 3414.2 on the diagonal.
    #expect(drawn(.bottomRight, to: 1900, 1900) == rect(500, 500, 1207, 1207))
    // From (1500, 1500) in the direction 4 : 1, 82.8 times, less the rounding.
    #expect(drawn(.bottomRight, to: 1900, 1600) == rect(500, 500, 1332, 1082))
    // What fits is drawn.
    #expect(drawn(.bottomRight, to: 1900, 1400) == rect(500, 500, 1400, 900))
    // Beyond the diamond, the corners of the right edge are at 1000 + 1414.2 − 500.
    #expect(drawn(.right, to: 1e6, 1000) == rect(500, 500, 1414, 1000))
    // Straight down does not change the width.
    #expect(drawn(.bottomRight, to: 1500, 1e6) == rect(500, 500, 1000, 1414))
    // Flipped: the left edge's corners are at 1000 − 1414.2 + 500.
    #expect(drawn(.right, to: -1e6, 1000) == rect(86, 500, 414, 1000))
  }

  @Test func `wherever a handle is dragged, no side yields more than necessary`() throws {
    var random = Seeded(seed: 0xC20B_0011)
    for _ in 0..<20_000 {
      let frame = FrameSize(width: random.int(50...4000), height: random.int(50...4000))
      let picture = TiltedPicture(frame: frame, tilt: CropAngle(degrees: random.double(-45...45)))
      let start = SelectionRules(bounds: picture).quantized(
        FrameRect(
          x: random.double(0...4000), y: random.double(0...4000), width: random.double(1...3000),
          height: random.double(1...3000))
      ).rect
      let drag = HandleDrag(
        handle: random.element(CropHandle.allCases), start: start, ratio: nil,
        isCentered: random.chance(0.3), mayCross: random.chance(0.5), picture: picture)
      let target = FramePoint(x: random.double(-9000...9000), y: random.double(-9000...9000))
      let (drawn, anchor) = drag.rect(at: target)
      let comment: Comment = "\(random.comment): \(drag) \(target) → \(drawn)"
      try #require(picture.contains(drawn), comment)
      func grown(_ width: Double, _ height: Double) -> FrameRect {
        FrameRect(
          x: drawn.x - anchor.x * width, y: drawn.y - anchor.y * height,
          width: drawn.width + width, height: drawn.height + height)
      }
      // A side that does not follow is unchanged; one that follows and has a pixel of space has the
      // requested length.
      if drag.handle.x == 0.5 {
        try #require(drawn.width == start.width, comment)
      } else if picture.contains(grown(1.01, 0)) {
        let held = drawn.point(x: anchor.x, y: anchor.y).x
        let reach = abs(target.x - held) * (drag.isCentered ? 2 : 1)
        try #require(drawn.width > reach - 1 || !drag.mayCross && drawn.width == 0, comment)
      }
      if drag.handle.y == 0.5 {
        try #require(drawn.height == start.height, comment)
      } else if picture.contains(grown(0, 1.01)) {
        let held = drawn.point(x: anchor.x, y: anchor.y).y
        let reach = abs(target.y - held) * (drag.isCentered ? 2 : 1)
        try #require(drawn.height > reach - 1 || !drag.mayCross && drawn.height == 0, comment)
      }
    }
  }

  @Test func `drawing past a tilted picture ends at its edge`() {
    var s = Scenario()
    // 45°, so that both sides must yield equally.
    s.run(.tilt(CropAngle(degrees: 45), .once))
    // Down to the right of the middle, the edge is at 400 · √2 = 565.7 pixels of width plus height.
    s.drag(414, 314, to: 714, 614)
    #expect(s.selection == rect(400, 300, 283, 282))
  }

  @Test func `with a ratio and about the center a tilted selection shrinks and does not slide`()
    throws
  {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 10), .once))
    s.run(.ratio(.fixed(AspectRatio(3, 2) ?? .square)))
    s.run(.set(.width, 150))
    s.run(.set(.x, 200))
    let before = try #require(s.selection)
    s.modifiers = .alt
    try pull(&s, .bottomRight, by: ViewVector(dx: 500, dy: 500))
    let after = try #require(s.selection)
    #expect(after.width > before.width && 2 * after.width == 3 * after.height)
    #expect((after.center - before.center).length <= 1.0 / 32)
  }

  @Test(arguments: [CropStyle.marquee, .studio])
  func `a number or a key at the edge of a tilted image only changes one side`(
    style: CropStyle
  ) throws {
    var s = filled(style)
    s.run(.set(.width, 1000))
    s.run(.set(.height, 800))
    let before = try #require(s.selection)
    s.run(.set(.width, 9999))
    #expect(s.selection?.height == 800)
    #expect(s.selection?.origin == before.origin)
    #expect(s.selection.map { $0.width > 3800 } ?? false)
    s.run(.undo)
    for _ in 1...30 {
      s.run(.focus(.bottom))
      s.key(.down, [.alt, .command])
    }
    #expect(s.selection?.width == 1000)
    #expect(s.announcements.last == .limit)
    for _ in 1...3 { s.run(.increment(.bottom)) }
    #expect(s.selection?.width == 1000)
    #expect(s.announcements.last == .limit)
  }

  @Test func `a move by number or key goes straight, as far as there is room`() throws {
    var s = Scenario(.studio, 4000, 3000)
    s.run(.tilt(CropAngle(degrees: 10), .once))
    for (field, value) in [(SelectionField.width, 1000.0), (.height, 800), (.x, 1500), (.y, 1100)] {
      s.run(.set(field, value))
    }
    #expect(s.selection == rect(1500, 1100, 1000, 800))
    s.run(.set(.x, 9999))
    // The top-right corner meets the slanted right edge: 2000 / cos 10° − 400 · tan 10° right of
    // the middle, 2000: x + 1000 = 3960.32… in grains of 1/64.
    #expect(s.selection == rect(2960.3125, 1100, 1000, 800))
    let atEdge = s.selection
    for _ in 1...3 { s.key(.right, .command) }
    #expect(s.selection == atEdge)
    #expect(s.announcements.last == .limit)
    s.run(.set(.x, 1500))
    #expect(s.selection == rect(1500, 1100, 1000, 800))
    s.run(.set(.y, -9999))
    #expect(s.selection?.x == 1500)
    let top = s.selection
    s.key(.up)
    #expect(s.selection == top)
    #expect(s.announcements.last == .limit)
  }
}
