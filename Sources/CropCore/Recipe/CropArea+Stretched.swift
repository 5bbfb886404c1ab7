extension CropArea {
  /// The part of a picture under a rectangle of a frame into which the whole picture is stretched.
  ///
  /// - Parameters:
  ///   - rect: what to keep, in the frame's units from its top left corner; what lies outside of the
  ///     frame is cut off.
  ///   - frame: the frame's size.
  /// - Returns: the part; nil when no part of the frame lies under `rect`.
  public static func stretched(_ rect: ViewRect, in frame: ViewSize) -> CropArea? {
    guard rect.isProper, frame.bounds.isProper else { return nil }
    let kept = rect.cut(to: frame.bounds)
    guard !kept.isEmpty else { return nil }
    return .rectangle(
      x: .percent(kept.x / frame.width * 100), y: .percent(kept.y / frame.height * 100),
      width: .percent(kept.width / frame.width * 100),
      height: .percent(kept.height / frame.height * 100))
  }
}
