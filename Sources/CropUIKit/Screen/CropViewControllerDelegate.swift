#if canImport(UIKit)
  import UIKit

  /// The events of a ``CropViewController``; by default, every method does nothing.
  @MainActor
  public protocol CropViewControllerDelegate: AnyObject {
    /// The user finished. If the screen closes itself, it has closed.
    func cropViewController(_ controller: CropViewController, finishedWith result: CropResult)
    /// The user cancelled. If the screen closes itself, it has closed.
    func cropViewControllerCancelled(_ controller: CropViewController)
    /// The result could not be made. The screen has shown an error and did not close.
    func cropViewController(_ controller: CropViewController, failedWith error: any Error)
  }

  extension CropViewControllerDelegate {
    /// Does nothing.
    public func cropViewController(
      _ controller: CropViewController, finishedWith result: CropResult
    ) {}
    /// Does nothing.
    public func cropViewControllerCancelled(_ controller: CropViewController) {}
    /// Does nothing.
    public func cropViewController(
      _ controller: CropViewController, failedWith error: any Error
    ) {}
  }
#endif
