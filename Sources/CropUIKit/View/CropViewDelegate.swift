#if canImport(UIKit)
  import CropCore
  import UIKit

  /// What a ``CropView`` tells; every method does nothing unless written.
  @MainActor
  public protocol CropViewDelegate: AnyObject {
    /// The recipe is another, or there is none any more; told with every step of a gesture.
    func cropView(_ view: CropView, changed recipe: CropRecipe?)
    /// What can be undone, redone or reset is another.
    func cropViewChangedHistory(_ view: CropView)
    /// The person has taken hold of the picture or the selection.
    func cropViewBeganGesture(_ view: CropView)
    /// The person has let go.
    func cropViewEndedGesture(_ view: CropView)
    /// The person asks for the crop: Enter, or VoiceOver's magic tap.
    func cropViewWantsCrop(_ view: CropView)
    /// A recipe that was set does not fit the picture.
    func cropView(_ view: CropView, refused error: RecipeError)
  }

  extension CropViewDelegate {
    /// Nothing.
    public func cropView(_ view: CropView, changed recipe: CropRecipe?) {}
    /// Nothing.
    public func cropViewChangedHistory(_ view: CropView) {}
    /// Nothing.
    public func cropViewBeganGesture(_ view: CropView) {}
    /// Nothing.
    public func cropViewEndedGesture(_ view: CropView) {}
    /// Nothing.
    public func cropViewWantsCrop(_ view: CropView) {}
    /// Nothing.
    public func cropView(_ view: CropView, refused error: RecipeError) {}
  }
#endif
