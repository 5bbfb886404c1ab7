import CropCore

/// The crop in a RawTherapee sidecar (`photo.jpg.pp3`).
///
/// It uses the same model as CropKit: the upright image is turned by quarter turns, then mirrored;
/// `Degree` turns it counterclockwise about the frame's center while the frame stays fixed; X, Y, W
/// and H are pixels of the frame. RawTherapee does not know the mirrored EXIF orientations: it
/// shows the pixels of such a photo as they are stored. Verified by rendering with RawTherapee 5.9.
package struct RawTherapeeCrop: Hashable, Sendable {
  /// The part to keep, in frame pixels.
  package var rect: FrameRect
  /// The mirror and turns from the image as RawTherapee loads it to the frame.
  package var orientation: Orientation
  /// The clockwise tilt of the image.
  package var tilt: CropAngle

  /// The crop that RawTherapee shows for this one, on a photo with the orientation `shown`; x and y
  /// are rounded to whole pixels.
  package init(_ crop: ResolvedCrop, shown: Orientation) {
    orientation = Self.missing(of: shown).followed(by: crop.orientation)
    tilt = crop.tilt
    rect = crop.rect
    rect.x = rect.x.rounded(.toNearestOrAwayFromZero)
    rect.y = rect.y.rounded(.toNearestOrAwayFromZero)
  }

  /// The part of an orientation that RawTherapee does not apply.
  private static func missing(of shown: Orientation) -> Orientation {
    shown.isMirrored ? shown : .up
  }

  /// The recipe that cuts this from an image with the orientation `shown`, and how far the
  /// rectangle extends past its edges, in pixels.
  ///
  /// - Throws: ``RecipeError`` for a rectangle that can't be cut.
  package func recipe(
    for image: ImageSize, shown: Orientation
  ) throws(RecipeError) -> (recipe: CropRecipe, overhang: Double) {
    var recipe = CropRecipe(rect: rect, tilt: tilt)
    recipe.orientation = Self.missing(of: shown).inverse.followed(by: orientation)
    let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
    try recipe.checkNumbers()
    let picture = TiltedPicture(frame: frame, tilt: tilt)
    let overhang = picture.overhang(of: rect)
    guard overhang < 1 else {
      if tilt.degrees == 0 { throw .outside(rect, frame: frame) }
      throw .blankCorner(rect, frame: frame)
    }
    if overhang > CropRecipe.cornerTolerance {
      recipe.rect = SelectionRules(bounds: picture).moved(rect, to: rect.origin)
    }
    return (recipe, max(0, overhang))
  }
}

extension RawTherapeeCrop {
  /// The keys that are read or written, in the order of ``Line``, then those of settings that
  /// distort or enlarge the image.
  static var names: StaticString {
    """
    [Crop] Enabled
    [Crop] X
    [Crop] Y
    [Crop] W
    [Crop] H
    [Coarse Transformation] Rotate
    [Coarse Transformation] HorizontalFlip
    [Coarse Transformation] VerticalFlip
    [Rotation] Degree
    [LensProfile] LcMode
    [LensProfile] UseDistortion
    [Common Properties for Transformations] AutoFill
    [Distortion] Amount
    [Perspective] Horizontal
    [Perspective] Vertical
    [Perspective] CameraPitch
    [Perspective] CameraRoll
    [Perspective] CameraYaw
    [Perspective] CameraShiftHorizontal
    [Perspective] CameraShiftVertical
    [Perspective] ProjectionPitch
    [Perspective] ProjectionRotate
    [Perspective] ProjectionYaw
    [Perspective] ProjectionShiftHorizontal
    [Perspective] ProjectionShiftVertical

    """
  }

  /// The lines of ``names``.
  enum Line: Int, CaseIterable {
    case enabled, x, y, width, height, rotate, horizontalFlip, verticalFlip, degree
    case lensProfile, lensDistortion, autoFill
    case distortion, perspectiveHorizontal, perspectiveVertical, cameraPitch, cameraRoll, cameraYaw
    case cameraShiftHorizontal, cameraShiftVertical
    case projectionPitch, projectionRotate, projectionYaw
    case projectionShiftHorizontal, projectionShiftVertical

    var field: MarkField { MarkField(rawValue, of: RawTherapeeCrop.names) }

    /// Section and key: `[Crop] X`.
    fileprivate var name: ArraySlice<UInt8> {
      let names = RawTherapeeCrop.names
      var (row, start) = (0, 0)
      for index in 0..<names.utf8CodeUnitCount where names.utf8Start[index] == 0x0A {
        if row == rawValue {
          var line: [UInt8] = []
          for place in start..<index { line.append(names.utf8Start[place]) }
          return line[...]
        }
        (row, start) = (row + 1, index + 1)
      }
      return []
    }
  }

  /// Reads the crop from the text of a sidecar; nil if its crop is not enabled.
  ///
  /// - Throws: why the crop can't be read.
  package init?(pp3: [UInt8]) throws(MarkProblem) {
    guard let file = KeyFile(pp3) else { throw .notUnderstood }
    guard try Self.flag(.enabled, in: file) == true else { return nil }
    func side(_ line: Line) throws(MarkProblem) -> Double {
      guard let value = try Self.number(line, in: file) else { throw .missing(line.field) }
      guard value == value.rounded(.down) else { throw .unreadable(line.field) }
      return value
    }
    rect = FrameRect(
      x: try side(.x), y: try side(.y), width: try side(.width), height: try side(.height))
    let turns = (try Self.number(.rotate, in: file) ?? 0) / 90
    guard let turns = Int(exactly: turns), (0...3).contains(turns) else {
      throw .unreadable(Line.rotate.field)
    }
    orientation = Orientation(isMirrored: false, quarterTurns: turns)
    if try Self.flag(.horizontalFlip, in: file) == true {
      orientation = orientation.followed(by: .upMirrored)
    }
    if try Self.flag(.verticalFlip, in: file) == true {
      orientation = orientation.followed(by: .downMirrored)
    }
    tilt = CropAngle(degrees: -(try Self.number(.degree, in: file) ?? 0) + 0)
    for line in Line.allCases where line.rawValue > Line.autoFill.rawValue {
      if let value = try Self.number(line, in: file), value != 0 {
        throw .unsupportedEdit(line.field)
      }
    }
    if !Self.hasNone(.lensProfile, in: file), try Self.flag(.lensDistortion, in: file) ?? true {
      throw .unsupportedEdit(Line.lensProfile.field)
    }
    // By default, RawTherapee enlarges the image until a tilt leaves no blank corner.
    if tilt.degrees != 0, try Self.flag(.autoFill, in: file) ?? true {
      throw .unsupportedEdit(Line.autoFill.field)
    }
  }

  private static func number(_ line: Line, in file: KeyFile) throws(MarkProblem) -> Double? {
    guard let place = file.value(of: line.name) else { return nil }
    guard let number = file.source.decimal(from: place.start, to: place.end) else {
      throw .unreadable(line.field)
    }
    return number
  }

  private static func flag(_ line: Line, in file: KeyFile) throws(MarkProblem) -> Bool? {
    guard let (start, end) = word(line, in: file) else { return nil }
    if end - start == 4, file.source.has("true", at: start) { return true }
    if end - start == 5, file.source.has("false", at: start) { return false }
    throw .unreadable(line.field)
  }

  /// Whether a setting is missing, empty or `none`.
  private static func hasNone(_ line: Line, in file: KeyFile) -> Bool {
    guard let (start, end) = word(line, in: file), start < end else { return true }
    return end - start == 4 && file.source.has("none", at: start)
  }

  /// Where a value starts and ends without spaces around it.
  private static func word(_ line: Line, in file: KeyFile) -> (start: Int, end: Int)? {
    guard var (start, end) = file.value(of: line.name) else { return nil }
    while start < end, file.source[start].isSpace { start += 1 }
    while start < end, file.source[end - 1].isSpace { end -= 1 }
    return (start, end)
  }
}

extension RawTherapeeCrop {
  /// The sidecar with this crop in it: `old` with these keys changed and everything else unchanged
  /// byte for byte, or a new one that contains nothing else.
  ///
  /// - Throws: ``MarkProblem/notUnderstood`` for a sidecar that is not RawTherapee's.
  package func written(into old: [UInt8]?) throws(MarkProblem) -> [UInt8] {
    // Without a version, it would be read as a file of 2010, with other rules.
    var start: [UInt8] = []
    start.append("[Version]\nAppVersion=5.9\nVersion=349\n")
    guard var file = KeyFile(old ?? start) else { throw .notUnderstood }
    func set(_ line: Line, _ value: StaticString) {
      var text: [UInt8] = []
      text.append(value)
      file.set(line.name, to: text)
    }
    func set(_ line: Line, _ value: Double) {
      var text: [UInt8] = []
      text.append(decimal: value)
      file.set(line.name, to: text)
    }
    set(.enabled, "true")
    set(.x, rect.x)
    set(.y, rect.y)
    set(.width, rect.width)
    set(.height, rect.height)
    // There, turns come first: a mirror before turns equals the opposite turns before a mirror.
    let turns =
      orientation.isMirrored ? (4 - orientation.quarterTurns) & 3 : orientation.quarterTurns
    set(.rotate, Double(turns * 90))
    set(.horizontalFlip, orientation.isMirrored ? "true" : "false")
    set(.verticalFlip, "false")
    set(.degree, -tilt.degrees)
    set(.autoFill, "false")
    return file.source
  }
}
