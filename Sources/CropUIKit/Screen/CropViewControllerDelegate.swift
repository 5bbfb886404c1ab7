#if canImport(UIKit)
  import UIKit

  /// What a ``CropViewController`` tells; every method does nothing unless written.
  @MainActor
  public protocol CropViewControllerDelegate: AnyObject {
    /// The person is done; the screen has closed if it closes itself.
    func cropViewController(_ controller: CropViewController, finishedWith result: CropResult)
    /// The person gave up; the screen has closed if it closes itself.
    func cropViewControllerCancelled(_ controller: CropViewController)
    /// The result could not be made; the screen has said so and stays.
    func cropViewController(_ controller: CropViewController, failedWith error: any Error)
  }

  extension CropViewControllerDelegate {
    /// Nothing.
    public func cropViewController(
      _ controller: CropViewController, finishedWith result: CropResult
    ) {}
    /// Nothing.
    public func cropViewControllerCancelled(_ controller: CropViewController) {}
    /// Nothing.
    public func cropViewController(
      _ controller: CropViewController, failedWith error: any Error
    ) {}
  }
#endif
