#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Loads the stored pixels of the part of a picture that is on the screen, away from the main
  /// thread, the last wish only.
  @MainActor
  final class DetailLoader {
    /// What is loaded or on its way.
    private(set) var part: ImageRect?
    private var work: Task<Void, Never>?

    /// Loads a part, unless it is there already; nil lets go of what there is.
    func load(
      _ part: ImageRect?, of picture: CropPicture,
      _ show: @escaping @MainActor (CGImage?, ImageRect?) -> Void
    ) {
      guard part != self.part else { return }
      work?.cancel()
      self.part = part
      guard let part else { return show(nil, nil) }
      work = Task {
        let pixels = await picture.upright(part)
        guard !Task.isCancelled else { return }
        show(pixels, part)
      }
    }

    /// Lets go of everything: another picture is shown.
    func forget() {
      work?.cancel()
      (work, part) = (nil, nil)
    }

    /// Waits until what was asked for is shown.
    func finish() async {
      await work?.value
    }
  }

  extension CropPicture {
    /// A part of the upright picture, pixel for pixel; nil without memory.
    @concurrent
    func upright(_ part: ImageRect) async -> CGImage? {
      let rect = FrameRect(
        x: Double(part.x), y: Double(part.y), width: Double(part.width),
        height: Double(part.height))
      return try? uprightCut(by: CropRecipe(rect: rect))
    }
  }
#endif
