import CropCore

/// The crop in Camera Raw's settings, which Lightroom and Camera Raw store in XMP (`crs:`).
///
/// Top, left, bottom and right are shares of the stored pixels, before EXIF orientation. (left,
/// top) and (right, bottom) are opposite corners of the rectangle after it is turned clockwise by
/// the angle about its center. Verified with files of Lightroom and Camera Raw 5 to 15.
package struct CameraRawCrop: Hashable, Sendable {
  /// Shares of the stored height, from the top.
  package var top: Double, bottom: Double
  /// Shares of the stored width, from the left.
  package var left: Double, right: Double
  /// The clockwise angle of the rectangle.
  package var angle: CropAngle
  /// The orientation of the stored pixels in the sidecar; nil if not stated.
  package var orientation: Orientation?
  /// Whether the pixels are already cropped, as in an exported photo.
  package var isApplied: Bool
  /// Whether the packet states that Lightroom wrote it.
  package var isOfLightroom: Bool

  /// The rectangle on stored pixels of this size.
  ///
  /// - Parameter isSidecar: whether to use the orientation in the packet; for settings in an image
  ///   file, its EXIF states it.
  package func area(of stored: BitmapSize, isSidecar: Bool) -> BitmapCrop {
    let (across, down) = (Double(stored.width), Double(stored.height))
    var area = BitmapCrop(
      from: BitmapPoint(x: left * across, y: top * down),
      to: BitmapPoint(x: right * across, y: bottom * down), angle: angle)
    if isSidecar { area.orientation = orientation }
    return area
  }

  /// The settings for a crop on stored pixels of this size.
  package init(_ area: BitmapCrop, of stored: BitmapSize) {
    let (across, down) = (Double(stored.width), Double(stored.height))
    let (start, end) = (area.start, area.end)
    (left, top, right, bottom) = (
      start.x / across, start.y / down, end.x / across, end.y / down
    )
    angle = area.angle
    orientation = area.orientation
    isApplied = false
    isOfLightroom = false
  }
}

// Reading.
extension CameraRawCrop {
  /// The properties that are read or written, in the order of ``Line``; the last is a common prefix
  /// of several names.
  static var names: StaticString {
    """
    crs:HasCrop
    crs:CropTop
    crs:CropLeft
    crs:CropBottom
    crs:CropRight
    crs:CropAngle
    crs:AlreadyApplied
    tiff:Orientation
    tiff:ImageWidth
    tiff:ImageLength
    xmp:CreatorTool
    photoshop:SidecarForExtension
    crs:RawFileName
    crs:LensProfileEnable
    crs:LensProfileDistortionScale
    crs:LensManualDistortionAmount
    crs:PerspectiveVertical
    crs:PerspectiveHorizontal
    crs:PerspectiveRotate
    crs:PerspectiveAspect
    crs:PerspectiveScale
    crs:PerspectiveX
    crs:PerspectiveY
    crs:PerspectiveUpright
    crs:UprightTransform_

    """
  }

  /// The lines of ``names``.
  enum Line: Int {
    case hasCrop, top, left, bottom, right, angle, alreadyApplied, orientation, width, height,
      creator, sidecarExtension, rawFileName
    case lensProfile, lensProfileScale, lensDistortion
    case perspectiveVertical, perspectiveHorizontal, perspectiveRotate, perspectiveAspect
    case perspectiveScale, perspectiveX, perspectiveY, upright, uprightTransform

    var field: MarkField { MarkField(rawValue, of: CameraRawCrop.names) }
  }

  /// Reads the crop from an XMP packet; nil if it has no active crop.
  ///
  /// - Throws: why the crop can't be read.
  package init?(xmp: [UInt8]) throws(MarkProblem) {
    guard let found = XMPPhotoProperties(xmp, named: Self.names) else { throw .notUnderstood }
    guard try Self.flag(.hasCrop, in: found) == true else { return nil }
    top = try Self.edge(.top, in: found)
    left = try Self.edge(.left, in: found)
    bottom = try Self.edge(.bottom, in: found)
    right = try Self.edge(.right, in: found)
    angle = CropAngle(degrees: try Self.number(.angle, in: found) ?? 0)
    isApplied = try Self.flag(.alreadyApplied, in: found) ?? false
    orientation = try Self.number(.orientation, in: found).flatMap {
      Int(exactly: $0).flatMap { Orientation(rawValue: $0) }
    }
    isOfLightroom = false
    if case .one(let creator) = found[Line.creator.rawValue] {
      for at in creator.value..<creator.valueEnd where xmp.has("Lightroom", at: at) {
        isOfLightroom = true
      }
    }
    if !isApplied { try Self.checkUnbent(found) }
  }

  /// Checks that the image is not distorted before the crop.
  ///
  /// - Throws: ``MarkProblem/unsupportedEdit(_:)`` if it is.
  private static func checkUnbent(_ found: XMPPhotoProperties) throws(MarkProblem) {
    // A profile straightens lines, unless the amount of that is 0.
    if let value = try number(.lensProfile, in: found), value != 0,
      try number(.lensProfileScale, in: found) != 0
    {
      throw .unsupportedEdit(Line.lensProfile.field)
    }
    for line in Line.lensDistortion.rawValue...Line.upright.rawValue {
      guard let line = Line(rawValue: line) else { continue }
      let neutral: Double = line == .perspectiveScale ? 100 : 0
      if let value = try number(line, in: found), value != neutral {
        throw .unsupportedEdit(line.field)
      }
    }
    // When Upright is turned off, its matrices remain; if its switch is missing, they apply.
    if case .one = found[Line.upright.rawValue] { return }
    for property in found.all where property.line == Line.uprightTransform.rawValue {
      if !isIdentity(property, in: found.source) {
        throw .unsupportedEdit(Line.uprightTransform.field)
      }
    }
  }

  /// Whether the value is nine comma-separated numbers that make an identity matrix.
  private static func isIdentity(_ property: XMPPhotoProperties.Property, in source: [UInt8])
    -> Bool
  {
    var (count, start) = (0, property.value)
    for at in property.value...property.valueEnd
    where at == property.valueEnd || source[at] == UInt8(ascii: ",") {
      guard source.decimal(from: start, to: at) == (count % 4 == 0 ? 1 : 0) else { return false }
      (count, start) = (count + 1, at + 1)
    }
    return count == 9
  }

  private static func edge(_ line: Line, in found: XMPPhotoProperties) throws(MarkProblem) -> Double
  {
    guard let share = try number(line, in: found) else { throw .missing(line.field) }
    return share
  }

  private static func number(_ line: Line, in found: XMPPhotoProperties) throws(MarkProblem)
    -> Double?
  {
    switch found[line.rawValue] {
    case .none: return nil
    case .one(let property):
      guard let number = found.number(property) else { throw .unreadable(line.field) }
      return number
    case .unclear: throw .unreadable(line.field)
    }
  }

  private static func flag(_ line: Line, in found: XMPPhotoProperties) throws(MarkProblem) -> Bool?
  {
    switch found[line.rawValue] {
    case .none: return nil
    case .one(let property):
      if found.has(property, "True") || found.has(property, "true") { return true }
      if found.has(property, "False") || found.has(property, "false") { return false }
      throw .unreadable(line.field)
    case .unclear: throw .unreadable(line.field)
    }
  }
}

extension CameraRawCrop {
  /// The XMP packet with this crop in it: `old` with these properties changed and everything else byte for byte, or
  /// a new one without other settings.
  ///
  /// The size and the orientation of the stored pixels are included: darktable reads no crop without them.
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

  /// The extension of the photo that a sidecar belongs to, as it states it; nil if it does not.
  ///
  /// Lightroom and Camera Raw name the sidecar of `photo.cr2` like that of `photo.jpg`.
  package static func owner(ofSidecar xmp: [UInt8]) -> ArraySlice<UInt8>? {
    guard let found = XMPPhotoProperties(xmp, named: names) else { return nil }
    if case .one(let property) = found[Line.sidecarExtension.rawValue] {
      return xmp[property.value..<property.valueEnd]
    }
    guard case .one(let property) = found[Line.rawFileName.rawValue] else { return nil }
    let name = xmp[property.value..<property.valueEnd]
    return name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] }
  }

  /// The field that states that a crop is already applied.
  package static var appliedField: MarkField { Line.alreadyApplied.field }
}
