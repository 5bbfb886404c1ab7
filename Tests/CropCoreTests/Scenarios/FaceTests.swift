import Testing

@testable import CropCore

/// Requests of faces besides gestures, and the changes that haptics need.
struct FaceTests {
  @Test func `a rectangle of the view is selected as if it had been drawn`() {
    var s = Scenario()
    s.run(.select(ViewRect(x: 114, y: 64, width: 200, height: 100)))
    #expect(
      s.state == SessionState(selection: rect(100, 50, 200, 100), canUndo: true, canReset: true))
    // Clipped to the image.
    s.run(.select(ViewRect(x: 0, y: 0, width: 114, height: 114)))
    #expect(s.selection == rect(0, 0, 100, 100))
    for nothing in [
      ViewRect(x: 100, y: 100, width: 4, height: 100), ViewRect(x: 0, y: 0, width: 9, height: 9),
    ] {
      #expect(s.run(.select(nothing)) == .refused)
    }
    #expect(s.selection == rect(0, 0, 100, 100))
  }

  @Test func `the middle of nothing is refused and not announced`() {
    var s = Scenario()
    #expect(s.run(.center) == .refused)
    s.drag(114, 114, to: 314, 214)
    s.run(.center)
    #expect(s.selection == rect(300, 250, 200, 100))
  }

  @Test func `an element says what it is`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    #expect(
      s.session.elements.map(\.role)
        == [.picture, .selection] + Array(repeating: .handle, count: 8))
  }

  @Test func `snapping to a line gives haptic feedback once`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.down(214, 164)
    s.move(160, 164)
    #expect(!s.changes.contains(.caught))
    s.move(118, 164)
    #expect(s.changes.contains(.caught))
    #expect(s.selection?.x == 0)
    s.move(117, 164)
    #expect(!s.changes.contains(.caught))
  }

  @Test func `a line on which the selection already is gives no feedback`() {
    var s = Scenario()
    // Its lower edge is at the middle of the image.
    s.drag(114, 114, to: 314, 314)
    s.down(214, 214)
    s.move(230, 214)
    #expect(!s.changes.contains(.caught))
    s.move(230, 260)
    s.move(230, 216)
    #expect(s.changes.contains(.caught))
  }

  @Test func `a ruler that snaps to zero, and a limit, give haptic feedback`() {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 3), .once))
    s.run(.tilt(CropAngle(degrees: 1), .dragging))
    #expect(!s.changes.contains(.caught))
    s.run(.tilt(CropAngle(degrees: -0.2), .dragging))
    #expect(s.changes.contains(.caught))
    s.run(.tilt(.zero, .ended))
    s.key(.left)
    #expect(s.changes.contains(.limit))
    var m = Scenario(before: [.minimumSize(.of(100, 100))])
    m.drag(114, 114, to: 414, 414)
    m.down(414, 414)
    m.move(180, 180)
    #expect(m.changes.contains(.limit))
    m.move(170, 170)
    #expect(!m.changes.contains(.limit))
  }

  @Test func `dragging a ruler is a gesture, in which the label has the angle`() {
    var s = Scenario(.studio)
    #expect(s.run(.tilt(CropAngle(degrees: 1), .dragging)).contains(.gestureStarted))
    #expect(s.session.isGestureActive)
    #expect(!s.run(.tilt(CropAngle(degrees: 2), .dragging)).contains(.gestureStarted))
    let labels = s.session.scene.items.compactMap { item in
      if case .label(let label, _) = item { return label }
      return nil
    }
    #expect(labels == [.angle(CropAngle(degrees: 2))])
    // The elements stayed where they were during the drag.
    let ended = s.run(.tilt(CropAngle(degrees: 2), .ended))
    #expect(ended.isSuperset(of: [.gestureEnded, .elements]) && !s.session.isGestureActive)
    // A new image ends a drag.
    s.run(.tilt(CropAngle(degrees: 3), .dragging))
    s.session.open(ImageSize(width: 300, height: 200))
    #expect(!s.session.isGestureActive)
  }

  @Test func `a lens shows its focus in the middle, larger`() {
    let place = Affine<ImageSpace, ViewSpace>(a: 0, b: 2, c: -2, d: 0, tx: 100, ty: 10)
    let lens = place.magnified(by: 2.5, showing: ImagePoint(x: 20, y: 30), at: point(52, 60))
    #expect(lens(ImagePoint(x: 20, y: 30)) == point(52, 60))
    // A pixel to the right is two points down in the view, and five in the lens.
    #expect(lens(ImagePoint(x: 21, y: 30)) == point(52, 65))
    #expect(place.scale == 2 && lens.scale == 5)
  }
}
