/// What the next drag does, by command.
public enum ArmedDrag: Hashable, Sendable {
  /// It draws a selection.
  case draw
  /// It draws a line along a horizon, by which the picture is levelled.
  case level
}
