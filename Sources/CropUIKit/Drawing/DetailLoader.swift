#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Loads the stored pixels of the visible part of an image outside the main thread; only the last
  /// request counts.
  @MainActor
  final class DetailLoader {
    /// The part that is loaded or being loaded.
    private(set) var part: ImageRect?
    private var work: Task<Void, Never>?

    /// Loads a part, unless it is already loaded; nil releases the current part.
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

    /// Releases everything, because another image is shown.
    func forget() {
      work?.cancel()
      (work, part) = (nil, nil)
    }

    /// Waits until the requested part is shown.
    func finish() async {
      await work?.value
    }
  }

  extension CropPicture {
    /// A part of the upright image at full resolution; nil if there is not enough memory.
    @concurrent
    func upright(_ part: ImageRect) async -> CGImage? {
      let rect = FrameRect(
        x: Double(part.x), y: Double(part.y), width: Double(part.width),
        height: Double(part.height))
      return try? uprightCut(by: CropRecipe(rect: rect))
    }
  }
#endif
