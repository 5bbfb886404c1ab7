import CropCore
import TestMaterial
import Testing

@Suite struct SpaceDrawTests {
  @Test func `a rectangle drawn and pushed into a corner with the space bar is never inside out`()
    throws
  {
    var random = Seeded(seed: 14)
    for _ in 0..<3000 {
      var session = CropSession(style: .marquee)
      session.open(ImageSize(width: 4000, height: 3000))
      _ = session.handle(
        .resize(ViewSize(width: random.double(300...1200), height: random.double(300...1200))))
      func at(_ x: Double, _ y: Double) -> ViewPoint { ViewPoint(x: x, y: y) }
      let start = at(random.double(0...900), random.double(0...900))
      let far = at(random.double(0...1500), random.double(0...1500))
      _ = session.handle(.pointer(PointerInput(.down, at: start, time: 1)))
      _ = session.handle(
        .pointer(
          PointerInput(
            .move,
            at: at(start.x + random.double(-300...300), start.y + random.double(-300...300)),
            time: 1.1)))
      _ = session.handle(.pointer(PointerInput(.move, at: far, time: 1.2, modifiers: .space)))
      _ = session.handle(
        .pointer(
          PointerInput(
            .move, at: at(far.x + 50, far.y + 50), time: 1.3,
            modifiers: random.chance(0.5) ? .alt : .shift)))
      for item in session.scene.items {
        if case .stroke(let outline, _, _) = item {
          try #require(outline.rect.isProper, "\(random.comment): \(outline.rect)")
        }
      }
    }
  }
}
