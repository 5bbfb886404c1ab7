#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The events of a ``CropView``; by default, every method does nothing.
  @MainActor
  public protocol CropViewDelegate: AnyObject {
    /// The recipe changed or became nil; called for every step of a gesture.
    func cropView(_ view: CropView, changed recipe: CropRecipe?)
    /// The availability of undo, redo or reset changed.
    func cropViewChangedHistory(_ view: CropView)
    /// The user started to drag the image or the selection.
    func cropViewBeganGesture(_ view: CropView)
    /// The user ended the drag.
    func cropViewEndedGesture(_ view: CropView)
    /// The user requested the crop with Enter or VoiceOver's magic tap.
    func cropViewWantsCrop(_ view: CropView)
    /// A recipe that the app set does not fit the image.
    func cropView(_ view: CropView, refused error: RecipeError)
  }

  extension CropViewDelegate {
    /// Does nothing.
    public func cropView(_ view: CropView, changed recipe: CropRecipe?) {}
    /// Does nothing.
    public func cropViewChangedHistory(_ view: CropView) {}
    /// Does nothing.
    public func cropViewBeganGesture(_ view: CropView) {}
    /// Does nothing.
    public func cropViewEndedGesture(_ view: CropView) {}
    /// Does nothing.
    public func cropViewWantsCrop(_ view: CropView) {}
    /// Does nothing.
    public func cropView(_ view: CropView, refused error: RecipeError) {}
  }
#endif
