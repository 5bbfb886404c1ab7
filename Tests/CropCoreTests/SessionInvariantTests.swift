#if DEBUG
  import Testing

  @testable import CropCore

  @Suite struct `The invariants of a session` {
    @Test func `stop a debug build in a state that no input leads to`() async {
      await #expect(processExitsWith: .failure) {
        var session = CropSession()
        session.open(ImageSize(width: 400, height: 300))
        session.editor.document.edit.tilt = CropAngle(degrees: 60)
        _ = session.handle(.tick(0))
      }
      await #expect(processExitsWith: .failure) {
        var session = CropSession(style: .studio)
        session.open(ImageSize(width: 400, height: 300))
        session.editor.document.edit.selection?.x += 1
        _ = session.handle(.tick(0))
      }
    }

    @Test func `are checked after a transform and a JPEG too`() async {
      await #expect(processExitsWith: .failure) {
        var session = CropSession(style: .studio)
        session.open(ImageSize(width: 400, height: 300))
        session.editor.document.edit.selection?.width += 1000
        _ = session.setTransform(PictureTransform())
      }
      await #expect(processExitsWith: .failure) {
        var session = CropSession(style: .studio)
        session.open(ImageSize(width: 400, height: 300))
        session.editor.document.edit.selection?.x += 1
        let grid = JPEGGrid(
          size: BitmapSize(width: 400, height: 300), cellWidth: 16, cellHeight: 16)
        session.setJPEG(StoredJPEG(grid: grid, orientation: .up))
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
