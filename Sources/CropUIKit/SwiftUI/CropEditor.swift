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
  /// The binding follows every step of a gesture; setting it shows the recipe as one step that can
  /// be undone. The result is `try await photo.cropped(by: recipe)`. Buttons of the app's own use a
  /// ``CropEditorSession``.
  public struct CropEditor: UIViewRepresentable {
    private let image: UIImage?
    @Binding private var recipe: CropRecipe?
    private let session: CropEditorSession?
    private var settings = Settings()

    /// What the modifiers say; nil leaves what is.
    fileprivate struct Settings: Equatable {
      var style: CropStyle?
      var ratio: RatioChoice?
      var shape: CropShape?
      var grid: CropCore.Grid?
    }

    /// An editor for a picture.
    ///
    /// - Parameters:
    ///   - image: the picture; nil shows nothing.
    ///   - recipe: what to cut; nil while nothing valid is selected.
    ///   - session: what buttons use; nil for none.
    public init(
      image: UIImage?, recipe: Binding<CropRecipe?>, session: CropEditorSession? = nil
    ) {
      self.image = image
      self.session = session
      _recipe = recipe
    }

    /// An editor whose recipe is read from, and undone by, its session.
    ///
    /// - Parameters:
    ///   - image: the picture; nil shows nothing.
    ///   - session: holds the recipe, and what buttons use.
    public init(image: UIImage?, session: CropEditorSession) {
      self.init(
        image: image,
        recipe: Binding(get: { session.recipe }, set: { session.recipe = $0 }), session: session)
    }

    /// Who does what with drags and pinches; `studio` unless said.
    public func cropStyle(_ style: CropStyle) -> Self {
      var copy = self
      copy.settings.style = style
      return copy
    }

    /// The ratio to keep; any unless said.
    public func cropRatio(_ ratio: RatioChoice) -> Self {
      var copy = self
      copy.settings.ratio = ratio
      return copy
    }

    /// The outline of the result; a rectangle unless said.
    public func cropShape(_ shape: CropShape) -> Self {
      var copy = self
      copy.settings.shape = shape
      return copy
    }

    /// Helping lines over the selection; none unless said.
    public func cropGrid(_ grid: CropCore.Grid) -> Self {
      var copy = self
      copy.settings.grid = grid
      return copy
    }

    /// What hears the view.
    @MainActor
    public final class Coordinator: CropViewDelegate {
      fileprivate var editor: CropEditor
      /// What the modifiers said last: only what they change is told to the view, not what the
      /// person has changed since.
      fileprivate var settings = Settings()
      /// The recipe that the binding and the view last agreed on.
      fileprivate var agreed: CropRecipe?
      /// Whether the change comes from SwiftUI.
      fileprivate var isUpdating = false

      fileprivate init(_ editor: CropEditor) {
        self.editor = editor
      }

      /// Hands the recipe to the binding.
      public func cropView(_ view: CropView, changed recipe: CropRecipe?) {
        agreed = recipe
        // SwiftUI must not be changed while it updates: what an update brings about follows it.
        if isUpdating {
          Task { editor.recipe = agreed }
        } else {
          editor.recipe = recipe
        }
        tell(view)
      }

      /// Tells the session what can be undone.
      public func cropViewChangedHistory(_ view: CropView) { tell(view) }

      /// Tells the session that the person asks for the crop.
      public func cropViewWantsCrop(_ view: CropView) { editor.session?.onCrop?() }

      private func tell(_ view: CropView) {
        guard let session = editor.session else { return }
        if isUpdating {
          Task { session.follow(view) }
        } else {
          session.follow(view)
        }
      }
    }

    /// What hears the view.
    public func makeCoordinator() -> Coordinator {
      Coordinator(self)
    }

    /// The view.
    public func makeUIView(context: Context) -> CropView {
      let view = CropView()
      view.delegate = context.coordinator
      return view
    }

    /// Brings the view up to what SwiftUI says.
    public func updateUIView(_ view: CropView, context: Context) {
      update(view, context.coordinator)
    }

    /// The same without SwiftUI's context.
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
      if settings.ratio != old.ratio { view.perform(.ratio(settings.ratio ?? .free)) }
      if settings.shape != old.shape { view.perform(.shape(settings.shape ?? .rectangle)) }
      if settings.grid != old.grid { view.perform(.grid(settings.grid ?? .off)) }
      if view.image !== image { view.image = image }
      if isWish, wished != view.recipe { view.recipe = wished }
    }
  }
#endif
