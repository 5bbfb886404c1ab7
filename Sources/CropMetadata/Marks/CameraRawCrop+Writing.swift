import CropCore

extension CameraRawCrop {
  /// The XMP packet with this crop in it: `old` with these properties changed and everything else byte for byte, or
  /// a new one that says nothing else.
  ///
  /// The size and the orientation of the stored pixels are said too: darktable reads no crop without them.
  ///
  /// - Throws: ``MarkProblem/notUnderstood`` for a packet that can't be edited.
  package func written(into old: [UInt8]?, of stored: BitmapSize) throws(MarkProblem) -> [UInt8] {
    var edit = XMPPropertyEdit(names: Self.names)
    edit.set(Line.hasCrop.rawValue, "True")
    edit.set(Line.top.rawValue, top)
    edit.set(Line.left.rawValue, left)
    edit.set(Line.bottom.rawValue, bottom)
    edit.set(Line.right.rawValue, right)
    edit.set(Line.angle.rawValue, angle.degrees)
    edit.set(Line.alreadyApplied.rawValue, "False")
    edit.set(Line.orientation.rawValue, Double((orientation ?? .up).rawValue))
    edit.set(Line.width.rawValue, Double(stored.width))
    edit.set(Line.height.rawValue, Double(stored.height))
    guard let all = edit.carriedOut(on: old) else { throw .notUnderstood }
    return all
  }

  /// What says that a crop is carried out already.
  package static var appliedField: MarkField { Line.alreadyApplied.field }
}
