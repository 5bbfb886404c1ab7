#if canImport(UIKit)
  import Combine
  import CropCore
  import SwiftUI
  import UIKit

  /// The state and actions for custom buttons around a ``CropEditor``:
  ///
  ///     @StateObject private var session = CropEditorSession()
  ///     …
  ///     CropEditor(image: photo, session: session)
  ///     Button("Undo") { session.undo() }.disabled(!session.canUndo)
  @MainActor
  public final class CropEditorSession: ObservableObject {
    /// Called when the user requests the crop with Return or VoiceOver's magic tap.
    public var onCrop: (() -> Void)?

    /// The editor's view while it exists.
    weak var view: CropView?
    @Published private var shown = Shown()

    /// The last displayed state of the editor.
    private struct Shown: Equatable {
      var recipe: CropRecipe?
      var canUndo = false
      var canRedo = false
      var canReset = false
      var ratio = RatioChoice.free
      var shape = CropShape.rectangle
      var tilt = CropAngle.zero
      var size: CGSize?
    }

    /// A session for an editor that will be created later.
    public init() {}

    /// The recipe; nil without a valid selection. Setting it makes one step that can be undone.
    public var recipe: CropRecipe? {
      get { shown.recipe }
      set {
        guard newValue != shown.recipe else { return }
        shown.recipe = newValue
        if let view, view.recipe != newValue { view.recipe = newValue }
      }
    }

    /// Whether a step can be undone.
    public var canUndo: Bool { shown.canUndo }
    /// Whether a step can be redone.
    public var canRedo: Bool { shown.canRedo }
    /// Whether anything differs from the state in which the image was opened.
    public var canReset: Bool { shown.canReset }
    /// The size of the result, in pixels; nil without a valid selection.
    public var resultSize: CGSize? { shown.size }

    /// The ratio that the selection keeps.
    public var ratio: RatioChoice {
      get { shown.ratio }
      set { execute(.ratio(newValue)) }
    }
    /// The outline of the result.
    public var shape: CropShape {
      get { shown.shape }
      set { execute(.shape(newValue)) }
    }
    /// The clockwise tilt in degrees, −45 to 45, rounded to the nearest step.
    public var tilt: Double {
      get { shown.tilt.degrees }
      set { execute(.tilt(CropAngle(degrees: newValue), .once)) }
    }

    /// Undoes the last step.
    public func undo() { execute(.undo) }
    /// Redoes the last undone step.
    public func redo() { execute(.redo) }
    /// Restores the state in which the image was opened.
    public func reset() { execute(.reset) }
    /// Turns the image by 90°.
    public func turn(clockwise: Bool = true) { execute(.turn(clockwise: clockwise)) }
    /// Mirrors the image as it is displayed: left–right, or top–bottom if `vertically`.
    public func mirror(vertically: Bool = false) { execute(.mirror(vertically: vertically)) }

    /// Performs any other command; does nothing while there is no editor.
    public func execute(_ command: Command) {
      guard let view else { return }
      view.execute(command)
      follow(view)
    }

    /// Crops the image at full resolution; nil without a valid selection.
    ///
    /// - Throws: ``PictureError``.
    public func croppedImage() async throws -> UIImage? {
      try await view?.croppedImage()
    }

    /// Copies the state of a view.
    func follow(_ view: CropView) {
      let session = view.session
      let now = Shown(
        recipe: view.recipe, canUndo: session.canUndo, canRedo: session.canRedo,
        canReset: session.canReset, ratio: session.ratio, shape: session.shape,
        tilt: session.tilt,
        size: session.resultSize.map { CGSize(width: $0.width, height: $0.height) })
      if now != shown { shown = now }
    }
  }
#endif
