/// foundation/undomanager
/// Foundation has none on Linux.
@MainActor
open class UndoManager: NSObject {
  /// foundation/undomanager/init()
  public override init() { super.init() }
  /// foundation/undomanager/canundo
  open var canUndo: Bool { false }
  /// foundation/undomanager/canredo
  open var canRedo: Bool { false }
  /// foundation/undomanager/undo()
  open func undo() {}
  /// foundation/undomanager/redo()
  open func redo() {}
}
