#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The events of a ``CropViewController``; by default, every method does nothing.
  @MainActor
  public protocol CropViewControllerDelegate: AnyObject {
    /// The user finished. If the screen closes itself, it has closed.
    func cropViewController(_ controller: CropViewController, didFinishWith result: CropResult)
    /// The user cancelled. If the screen closes itself, it has closed.
    func cropViewControllerDidCancel(_ controller: CropViewController)
    /// The recipe changed or became nil; called for every step of a gesture.
    func cropViewController(
      _ controller: CropViewController, didChange recipe: CropRecipe?)
    /// The user started to drag the image, the selection or a handle.
    func cropViewControllerDidBeginGesture(_ controller: CropViewController)
    /// The user ended the drag.
    func cropViewControllerDidEndGesture(_ controller: CropViewController)
    /// The result could not be made. The screen has shown an error and did not close.
    func cropViewController(_ controller: CropViewController, didFailWith error: any Error)
  }

  extension CropViewControllerDelegate {
    /// Does nothing.
    public func cropViewController(
      _ controller: CropViewController, didFinishWith result: CropResult
    ) {}
    /// Does nothing.
    public func cropViewController(
      _ controller: CropViewController, didChange recipe: CropRecipe?
    ) {}
    /// Does nothing.
    public func cropViewControllerDidBeginGesture(_ controller: CropViewController) {}
    /// Does nothing.
    public func cropViewControllerDidEndGesture(_ controller: CropViewController) {}
    /// Does nothing.
    public func cropViewControllerDidCancel(_ controller: CropViewController) {}
    /// Does nothing.
    public func cropViewController(
      _ controller: CropViewController, didFailWith error: any Error
    ) {}
  }
#endif
