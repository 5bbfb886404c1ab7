import CropCore

/// Measures an event and its scene in native code: a drag, a pinch and a ruler in each style.
@main
enum Main {
  static func main() {
    for style in CropStyle.allCases {
      let handle = microseconds(style, "drag") { session, step in
        let at = ViewPoint(x: 300 + Double(step % 300), y: 250 + Double(step % 200))
        _ = session.handle(.pointer(PointerInput(.move, at: at, time: 1 + Double(step) / 1000)))
      }
      let ruler = microseconds(style, "tilt") { session, step in
        _ = session.handle(
          .command(.tilt(CropAngle(degrees: Double(step % 200) / 10 - 10), .dragging)))
      }
      print("\(style): drag \(handle) µs, tilt \(ruler) µs an event with its scene (goal 5)")
    }
  }

  /// The time for an event and its scene, to a hundredth of a microsecond.
  private static func microseconds(
    _ style: CropStyle, _ what: String, _ event: (inout CropSession, Int) -> Void
  ) -> Double {
    var session = CropSession(style: style)
    session.open(ImageSize(width: 8064, height: 6048))
    _ = session.handle(.resize(ViewSize(width: 1280, height: 800)))
    if style == .marquee { _ = session.handle(.command(.selectAll)) }
    if what == "drag" {
      _ = session.handle(.pointer(PointerInput(.down, at: ViewPoint(x: 280, y: 240), time: 1)))
    }
    let count = 200_000
    var items = 0
    let elapsed = ContinuousClock().measure {
      for step in 0..<count {
        event(&session, step)
        items += session.scene.items.count
      }
    }
    precondition(items > count, "scenes were drawn")
    let (seconds, attoseconds) = elapsed.components
    let each = (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(count)
    return (each * 100).rounded() / 100
  }
}
