import CropCore

/// The crop among Camera Raw's settings, which Lightroom and Camera Raw keep in XMP (`crs:`).
///
/// Top, left, bottom and right are shares of the stored pixels, before EXIF orientation. (left, top) and
/// (right, bottom) are opposite corners of the rectangle once it is turned clockwise by the angle about its own
/// centre. Settled on files of Lightroom and Camera Raw 5 to 15.
package struct CameraRawCrop: Hashable, Sendable {
  /// Shares of the stored height, from the top.
  package var top: Double, bottom: Double
  /// Shares of the stored width, from the left.
  package var left: Double, right: Double
  /// How far the rectangle is turned clockwise.
  package var angle: Angle
  /// How the sidecar says that the stored pixels are laid down; nil where it doesn't.
  package var orientation: Orientation?
  /// Whether the crop is already carried out on the pixels, as in a photo that was exported.
  package var isApplied: Bool
  /// Whether Lightroom says that it wrote the packet.
  package var isOfLightroom: Bool

  /// The rectangle over stored pixels of this size.
  ///
  /// - Parameter isSidecar: whether what the packet says of the orientation counts; in a picture its EXIF does.
  package func area(of stored: BitmapSize, isSidecar: Bool) -> BitmapCrop {
    let (across, down) = (Double(stored.width), Double(stored.height))
    var area = BitmapCrop(
      from: BitmapPoint(x: left * across, y: top * down),
      to: BitmapPoint(x: right * across, y: bottom * down), angle: angle)
    if isSidecar { area.orientation = orientation }
    return area
  }

  /// The numbers that say the place of a crop over stored pixels of this size.
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
  /// The properties that are read or written, in the order of ``Line``; the last is how several names begin.
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
      creator
    case perspectiveVertical, perspectiveHorizontal, perspectiveRotate, perspectiveAspect
    case perspectiveScale, perspectiveX, perspectiveY, upright, uprightTransform

    var field: MarkField { MarkField(rawValue, of: CameraRawCrop.names) }
  }

  /// The crop in an XMP packet; nil for a packet that has none in force.
  ///
  /// - Throws: what is wrong with it.
  package init?(xmp: [UInt8]) throws(MarkProblem) {
    guard let found = XMPPhotoProperties(xmp, named: Self.names) else { throw .notUnderstood }
    guard try Self.flag(.hasCrop, in: found) == true else { return nil }
    top = try Self.edge(.top, in: found)
    left = try Self.edge(.left, in: found)
    bottom = try Self.edge(.bottom, in: found)
    right = try Self.edge(.right, in: found)
    angle = Angle(degrees: try Self.number(.angle, in: found) ?? 0)
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

  /// - Throws: ``MarkProblem/unrepeatable(_:)`` where the picture is bent before it is cropped.
  private static func checkUnbent(_ found: XMPPhotoProperties) throws(MarkProblem) {
    for line in Line.perspectiveVertical.rawValue...Line.upright.rawValue {
      guard let line = Line(rawValue: line) else { continue }
      let neutral: Double = line == .perspectiveScale ? 100 : 0
      if let value = try number(line, in: found), value != neutral {
        throw .unrepeatable(line.field)
      }
    }
    // Matrices stay behind when Upright is turned off; without its switch they count.
    if case .one = found[Line.upright.rawValue] { return }
    for property in found.all where property.line == Line.uprightTransform.rawValue {
      if !isIdentity(property, in: found.source) {
        throw .unrepeatable(Line.uprightTransform.field)
      }
    }
  }

  /// Whether nine numbers between commas are the matrix that leaves everything in place.
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
