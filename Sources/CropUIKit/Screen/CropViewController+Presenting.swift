#if canImport(UIKit)
  import CropCore
  import UIKit

  extension CropViewController {
    /// Presents the screen for an image and waits for the result.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - presenter: the controller that presents the screen.
    ///   - prepare: configures the screen before it appears.
    /// - Returns: the result; nil if the user cancelled.
    public static func crop(
      _ image: UIImage, from presenter: UIViewController,
      prepare: (CropViewController) -> Void = { _ in }
    ) async -> CropResult? {
      await withCheckedContinuation {
        present(CropViewController(image: image), on: presenter, prepare, resuming: $0)
      }
    }

    /// Presents the screen for an image file and waits for the result, which has a file too.
    public static func crop(
      data: Data, from presenter: UIViewController,
      prepare: (CropViewController) -> Void = { _ in }
    ) async -> CropResult? {
      await withCheckedContinuation {
        present(CropViewController(data: data), on: presenter, prepare, resuming: $0)
      }
    }

    /// Only UIKit retains the screen during presentation, so that it is released afterwards.
    private static func present(
      _ screen: CropViewController, on presenter: UIViewController,
      _ prepare: (CropViewController) -> Void,
      resuming continuation: CheckedContinuation<CropResult?, Never>
    ) {
      prepare(screen)
      let prepared = screen.onFinish
      screen.onFinish = { result in
        prepared?(result)
        continuation.resume(returning: result)
      }
      screen.modalPresentationStyle = .fullScreen
      screen.isAwaited = true
      presenter.present(screen, animated: true, completion: nil)
      // UIKit can't present from a controller that is presenting something else.
      if screen.presentingViewController == nil, screen.isAwaited { screen.answer(nil) }
    }
  }
#endif
