#if canImport(UIKit)
  import UIKit

  /// The steps of a view's session, as the system undoes them.
  final class SessionUndoManager: UndoManager {
    private weak var view: CropView?

    init(view: CropView) {
      self.view = view
      super.init()
    }

    override var canUndo: Bool { view?.session.canUndo ?? false }

    override var canRedo: Bool { view?.session.canRedo ?? false }

    override func undo() { view?.execute(.undo) }

    override func redo() { view?.execute(.redo) }
  }
#endif
