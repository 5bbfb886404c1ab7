#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The events of a ``CropView``; by default, every method does nothing.
  @MainActor
  public protocol CropViewDelegate: AnyObject {
    /// The recipe changed or became nil; called for every step of a gesture.
    func cropView(_ view: CropView, didChange recipe: CropRecipe?)
    /// The availability of undo, redo or reset changed.
    func cropViewDidChangeHistory(_ view: CropView)
    /// The user started to drag the image or the selection.
    func cropViewDidBeginGesture(_ view: CropView)
    /// The user ended the drag.
    func cropViewDidEndGesture(_ view: CropView)
    /// The user requested the crop with Enter or VoiceOver's magic tap.
    func cropViewDidRequestCrop(_ view: CropView)
    /// A recipe that the app set does not fit the image.
    func cropView(_ view: CropView, didFailWith error: RecipeError)
  }

  extension CropViewDelegate {
    /// Does nothing.
    public func cropView(_ view: CropView, didChange recipe: CropRecipe?) {}
    /// Does nothing.
    public func cropViewDidChangeHistory(_ view: CropView) {}
    /// Does nothing.
    public func cropViewDidBeginGesture(_ view: CropView) {}
    /// Does nothing.
    public func cropViewDidEndGesture(_ view: CropView) {}
    /// Does nothing.
    public func cropViewDidRequestCrop(_ view: CropView) {}
    /// Does nothing.
    public func cropView(_ view: CropView, didFailWith error: RecipeError) {}
  }
#endif
