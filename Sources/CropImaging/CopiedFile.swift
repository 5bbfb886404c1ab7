import CropCore
import FoundationEssentials

/// Makes results that are the file itself with other metadata: coded data stay the same byte for
/// byte. The image is only decoded to check that it is complete.
struct CopiedFile {
  let engine: CropEngine
  let picture: OpenedImage
  let plan: CropPlan

  var source: ImageSource { picture.source }
  var info: ImageInfo { picture.info }

  /// A copy without the parts to remove; nil if the format does not allow parts to be removed.
  func copied(into file: ResultFile?) throws(CropError) -> CropResult? {
    let options = plan.options
    if options.metadata.keepsAll(of: info), let density = plan.density.density {
      return try restated(density)
    }
    // Anything beyond a copy, such as removing bytes or ignoring damage, is handled as a normal
    // crop.
    guard try engine.checkWhole(picture).isEmpty else { return nil }
    if options.metadata.keepsAll(of: info), let place = file ?? .temporary(for: source),
      source.byteCount > ResultFile.least
    {
      try source.copy(to: place)
      var result = result(Data(), warnings: info.warnings, gainMap: info.gainMap)
      // Nobody but the engine knows its temporary file.
      result.content = file == nil ? .memory(try place.bytes()) : .file(place)
      return result
    }
    var bytes = try source.allBytes()
    var warnings = info.warnings
    var gainMap = info.gainMap
    if !options.metadata.keepsAll(of: info) {
      // Otherwise the orientation is stored in another place, which is kept.
      let turn = info.format.isTurnedByDecoder ? .up : info.orientation
      let density = turn.isTransposing ? plan.density.transposed : plan.density
      let edit = MetadataEdit(
        width: info.stored.width, height: info.stored.height, policy: options.metadata,
        orientation: turn, density: density)
      let kept = EditedMetadata(
        ImageMetadata(source, page: picture.page), edit: edit, info: info, format: info.format)
      let editor = FileEditor(
        kept, dropsOthers: options.metadata == .stripAll, density: density)
      guard let edited = editor.edited(bytes, info.format),
        let made = inspected(edited, less: options.metadata)
      else { return nil }
      bytes = edited
      gainMap = made.gainMap
      let dropped = kept.dropped.filter { !made.metadata.contains($0) }
      if !dropped.isEmpty { warnings.append(.metadataDropped(dropped)) }
      if options.hdr == .keep, made.gainMap == nil,
        let obstacle = info.gainMapObstacle(info.format, options)
      {
        warnings.append(.hdrDropped(obstacle))
      }
    }
    return result(bytes, warnings: warnings, gainMap: gainMap)
  }

  /// The result with the bytes of a copy that still has all pages and the image's orientation.
  func result(_ bytes: Data, warnings: [CropWarning], gainMap: GainMapInfo?) -> CropResult {
    var result = CropResult(
      bytes: bytes, format: info.format,
      size: FrameSize(width: info.shown.width, height: info.shown.height),
      warnings: warnings, isLossless: true)
    result.gainMap = GainMapOutcome(copied: gainMap)
    result.pictureCount = info.pictureCount
    return result
  }

  /// The edited file, after checking that it still has the same image and the right orientation,
  /// and lacks everything that was to be removed: data that the editor overlooked in an unusual
  /// file must not remain.
  func inspected(
    _ bytes: Data, less policy: MetadataPolicy,
    turned orientation: Orientation = .up, count: Int? = nil
  ) -> ImageInfo? {
    var generous = engine.limits
    generous.bytes = .max
    let copy = ImageSource(bytes: bytes, name: "copy")
    guard let made = try? ImageInfo(copy, limits: generous, isLenient: false) else { return nil }
    let shown = OrientationMap<ImageSpace, FrameSpace>(orientation, of: info.shown).target
    let isSame =
      made.format == info.format && made.shown.width == shown.width
      && made.shown.height == shown.height
      && made.orientation == info.orientation.followed(by: orientation)
      && made.pictureCount == count ?? info.pictureCount
      && (policy == .keep || !made.metadata.contains(.location))
      && (policy != .stripAll
        || made.metadata.allSatisfy { [.icc, .exif, .gainMap].contains($0) })
    return isSame ? made : nil
  }
}
