#if DEBUG
  import Testing

  @testable import CropCore

  @Suite struct `The invariants of a session` {
    @Test func `stop a debug build in a state that no input leads to`() async {
      await #expect(processExitsWith: .failure) {
        var session = CropSession()
        session.open(ImageSize(width: 400, height: 300))
        session.document.edit.tilt = Angle(degrees: 60)
        _ = session.handle(.tick(0))
      }
      await #expect(processExitsWith: .failure) {
        var session = CropSession(style: .studio)
        session.open(ImageSize(width: 400, height: 300))
        session.document.edit.selection?.x += 1
        _ = session.handle(.tick(0))
      }
    }

    @Test func `let an ordinary state pass`() async {
      await #expect(processExitsWith: .success) {
        var session = CropSession(style: .studio)
        session.open(ImageSize(width: 400, height: 300))
        _ = session.handle(.tick(0))
      }
    }
  }
#endif
