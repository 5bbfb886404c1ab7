#if canImport(UIKit)
  #if canImport(Combine)
    import Combine
  #endif
  import CropCore
  import SwiftUI
  import UIKit

  /// What buttons around a ``CropEditor`` use and follow.
  ///
  ///     @StateObject private var session = CropEditorSession()
  ///     …
  ///     CropEditor(image: photo, session: session)
  ///     Button("Undo") { session.undo() }.disabled(!session.canUndo)
  @MainActor
  public final class CropEditorSession: ObservableObject {
    /// Told before anything below changes.
    public nonisolated let objectWillChange = ObservableObjectPublisher()

    /// Called when the person asks for the crop by Return or VoiceOver's magic tap.
    public var onCrop: (() -> Void)?

    /// The editor's view while it is there.
    weak var view: CropView?
    private var shown = Shown()

    /// What the editor showed last.
    private struct Shown: Equatable {
      var recipe: CropRecipe?
      var canUndo = false
      var canRedo = false
      var canReset = false
      var ratio = RatioChoice.free
      var shape = CropShape.rectangle
      var tilt = Angle.zero
      var size: CGSize?
    }

    /// A session of an editor that is not there yet.
    public init() {}

    /// What to cut; nil while nothing valid is selected. Set, it is one step that can be undone.
    public var recipe: CropRecipe? {
      get { shown.recipe }
      set {
        guard newValue != shown.recipe else { return }
        objectWillChange.send()
        shown.recipe = newValue
        if let view, view.recipe != newValue { view.recipe = newValue }
      }
    }

    /// Whether a step can be taken back.
    public var canUndo: Bool { shown.canUndo }
    /// Whether a step can be done again.
    public var canRedo: Bool { shown.canRedo }
    /// Whether anything differs from how the picture was opened.
    public var canReset: Bool { shown.canReset }
    /// The size of the result in pixels; nil while nothing valid is selected.
    public var resultSize: CGSize? { shown.size }

    /// The ratio to keep.
    public var ratio: RatioChoice {
      get { shown.ratio }
      set { perform(.ratio(newValue)) }
    }
    /// The outline of the result.
    public var shape: CropShape {
      get { shown.shape }
      set { perform(.shape(newValue)) }
    }
    /// The tilt in degrees clockwise, -45 to 45, to the nearest step.
    public var tilt: Double {
      get { shown.tilt.degrees }
      set { perform(.tilt(Angle(degrees: newValue), .once)) }
    }

    /// Takes the last step back.
    public func undo() { perform(.undo) }
    /// Does it again.
    public func redo() { perform(.redo) }
    /// Back to how the picture was opened.
    public func reset() { perform(.reset) }
    /// Turns by 90°.
    public func turn(clockwise: Bool = true) { perform(.turn(clockwise: clockwise)) }
    /// Mirrors what is seen.
    public func mirror(vertically: Bool = false) { perform(.mirror(vertically: vertically)) }

    /// Does anything else; nothing where the editor is not there.
    public func perform(_ command: Command) {
      guard let view else { return }
      view.perform(command)
      follow(view)
    }

    /// The selected part at full resolution; nil while nothing valid is selected.
    ///
    /// - Throws: ``PictureError``.
    public func croppedImage() async throws -> UIImage? {
      try await view?.croppedImage()
    }

    /// Takes over what a view shows.
    func follow(_ view: CropView) {
      let session = view.session
      let now = Shown(
        recipe: view.recipe, canUndo: session.canUndo, canRedo: session.canRedo,
        canReset: session.canReset, ratio: session.ratio, shape: session.shape,
        tilt: session.tilt,
        size: session.resultSize.map { CGSize(width: $0.width, height: $0.height) })
      guard now != shown else { return }
      objectWillChange.send()
      shown = now
    }
  }
#endif
