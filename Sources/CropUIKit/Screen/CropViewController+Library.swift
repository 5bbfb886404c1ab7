#if canImport(UIKit)
  import CropCore
  import PhotosUI
  import UIKit
  import UniformTypeIdentifiers

  extension CropViewController {
    /// Lets the user choose a photo with the system's picker, presents the screen for it, and waits
    /// for the result.
    ///
    /// The picker needs no permission and no key in the app's Info.plist.
    ///
    /// - Parameters:
    ///   - presenter: the controller that presents the picker, then the screen.
    ///   - prepare: configures the screen before it appears.
    /// - Returns: the result, with a file; nil if the user cancelled.
    /// - Throws: ``PictureError/unreadable`` if the photo can't be loaded, such as one in iCloud
    ///   without a network connection.
    public static func cropFromLibrary(
      from presenter: UIViewController,
      prepare: @MainActor (CropViewController) -> Void = { _ in }
    ) async throws -> CropResult? {
      guard let photo = try await LibraryPicker.pick(from: presenter) else { return nil }
      return await crop(data: photo, from: presenter, prepare: prepare)
    }
  }

  /// Presents the system's picker once.
  private final class LibraryPicker: NSObject, PHPickerViewControllerDelegate,
    UIAdaptivePresentationControllerDelegate
  {
    private var answer: CheckedContinuation<Data?, any Error>?

    /// The file of the photo that the user chooses; nil if the user cancels.
    static func pick(from presenter: UIViewController) async throws -> Data? {
      var configuration = PHPickerConfiguration()
      configuration.filter = .images
      // The original file: otherwise the system may convert a HEIC to a JPEG.
      configuration.preferredAssetRepresentationMode = .current
      let screen = PHPickerViewController(configuration: configuration)
      let picker = LibraryPicker()
      // Neither the picker nor its presentation retains its delegate.
      defer { withExtendedLifetime(picker) {} }
      screen.delegate = picker
      screen.presentationController?.delegate = picker
      return try await withCheckedThrowingContinuation { answer in
        picker.answer = answer
        presenter.present(screen, animated: true, completion: nil)
        // UIKit can't present from a controller that is presenting something else.
        if screen.presentingViewController == nil { picker.cancel() }
      }
    }

    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
      let chosen = results.first?.itemProvider
      picker.dismiss(animated: true) { self.load(chosen) }
    }

    /// Dismissed by a swipe.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
      cancel()
    }

    private func cancel() {
      answer?.resume(returning: nil)
      answer = nil
    }

    private func load(_ chosen: NSItemProvider?) {
      guard let chosen, let answer else { return cancel() }
      self.answer = nil
      _ = chosen.loadDataRepresentation(forTypeIdentifier: UTType.image.identifier) {
        @Sendable data, error in
        if let data {
          answer.resume(returning: data)
        } else {
          answer.resume(throwing: error ?? PictureError.unreadable)
        }
      }
    }
  }
#endif
