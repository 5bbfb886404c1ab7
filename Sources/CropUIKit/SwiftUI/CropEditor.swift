#if canImport(UIKit)
  import CropCore
  import SwiftUI
  import UIKit

  /// A ``CropView`` in SwiftUI.
  ///
  ///     @State private var recipe: CropRecipe?
  ///     …
  ///     CropEditor(image: photo, recipe: $recipe)
  ///       .cropStyle(.viewfinder)
  ///       .cropRatio(.fixed(.square))
  ///       .cropShape(.ellipse)
  ///
  /// The binding changes with every step of a gesture. Setting it makes one step that can be
  /// undone. `try await photo.cropped(by: recipe)` makes the result. For custom buttons, use a
  /// ``CropEditorSession``.
  public struct CropEditor: UIViewRepresentable {
    private let image: UIImage?
    @Binding private var recipe: CropRecipe?
    private let session: CropEditorSession?
    private var settings = Settings()

    /// The values of the modifiers; nil leaves the current value.
    fileprivate struct Settings: Equatable {
      var style: CropStyle?
      var ratio: RatioChoice?
      var shape: CropShape?
      var grid: CropGrid?
      var guide: CropGuide?
    }

    /// An editor for an image.
    ///
    /// - Parameters:
    ///   - image: the image; nil shows nothing.
    ///   - recipe: the recipe of the crop; nil without a valid selection.
    ///   - session: the state and actions for custom buttons; nil for none.
    public init(
      image: UIImage?, recipe: Binding<CropRecipe?>, session: CropEditorSession? = nil
    ) {
      self.image = image
      self.session = session
      _recipe = recipe
    }

    /// An editor whose recipe is stored in its session.
    ///
    /// - Parameters:
    ///   - image: the image; nil shows nothing.
    ///   - session: the recipe, and the state and actions for custom buttons.
    public init(image: UIImage?, session: CropEditorSession) {
      self.init(
        image: image,
        recipe: Binding(get: { session.recipe }, set: { session.recipe = $0 }), session: session)
    }

    /// Sets what drags and pinches do; by default `studio`.
    public func cropStyle(_ style: CropStyle) -> Self {
      var copy = self
      copy.settings.style = style
      return copy
    }

    /// Sets the ratio that the selection keeps; by default any.
    public func cropRatio(_ ratio: RatioChoice) -> Self {
      var copy = self
      copy.settings.ratio = ratio
      return copy
    }

    /// Sets the outline of the result; by default a rectangle.
    public func cropShape(_ shape: CropShape) -> Self {
      var copy = self
      copy.settings.shape = shape
      return copy
    }

    /// Sets the grid lines over the selection; by default none.
    public func cropGrid(_ grid: CropGrid) -> Self {
      var copy = self
      copy.settings.grid = grid
      return copy
    }

    /// Sets lines and areas over the crop, such as the head box of a passport photo, which change
    /// no pixel; by default none.
    public func cropGuide(_ guide: CropGuide) -> Self {
      var copy = self
      copy.settings.guide = guide
      return copy
    }

    /// The delegate of the view.
    @MainActor
    public final class Coordinator: CropViewDelegate {
      fileprivate var editor: CropEditor
      /// The last values of the modifiers: only their changes are applied to the view, so that the
      /// user's changes stay.
      fileprivate var settings = Settings()
      /// The recipe for which the binding and the view were last equal.
      fileprivate var agreed: CropRecipe?
      /// Whether the change comes from SwiftUI.
      fileprivate var isUpdating = false

      fileprivate init(_ editor: CropEditor) {
        self.editor = editor
      }

      /// Passes the recipe to the binding.
      public func cropView(_ view: CropView, didChange recipe: CropRecipe?) {
        agreed = recipe
        // SwiftUI's state must not change during an update, so changes that an update causes are
        // delayed.
        if isUpdating {
          Task { editor.recipe = agreed }
        } else {
          editor.recipe = recipe
        }
        tell(view)
      }

      /// Updates the session after a change of the history.
      public func cropViewDidChangeHistory(_ view: CropView) { tell(view) }

      /// Notifies the session that the user requested the crop.
      public func cropViewDidRequestCrop(_ view: CropView) { editor.session?.onCrop?() }

      private func tell(_ view: CropView) {
        guard let session = editor.session else { return }
        if isUpdating {
          Task { session.follow(view) }
        } else {
          session.follow(view)
        }
      }
    }

    /// Creates the delegate of the view.
    public func makeCoordinator() -> Coordinator {
      Coordinator(self)
    }

    /// Creates the view.
    public func makeUIView(context: Context) -> CropView {
      let view = CropView()
      view.delegate = context.coordinator
      return view
    }

    /// Applies the current values to the view.
    public func updateUIView(_ view: CropView, context: Context) {
      update(view, context.coordinator)
    }

    /// Updates the view without SwiftUI's context.
    func update(_ view: CropView, _ coordinator: Coordinator) {
      coordinator.editor = self
      session?.view = view
      coordinator.isUpdating = true
      defer { coordinator.isUpdating = false }
      let old = coordinator.settings
      coordinator.settings = settings
      let wished = recipe
      let isWish = wished != coordinator.agreed
      if settings.style != old.style { view.style = settings.style ?? .studio }
      if settings.ratio != old.ratio { view.execute(.ratio(settings.ratio ?? .free)) }
      if settings.shape != old.shape { view.execute(.shape(settings.shape ?? .rectangle)) }
      if settings.grid != old.grid { view.execute(.grid(settings.grid ?? .off)) }
      if settings.guide != old.guide { view.guide = settings.guide ?? CropGuide() }
      if view.image !== image { view.image = image }
      if isWish, wished != view.recipe { view.recipe = wished }
    }
  }
#endif
