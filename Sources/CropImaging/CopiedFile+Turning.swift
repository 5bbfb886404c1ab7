import CropCore
import CropFormats

extension CopiedFile {
  /// The file of a HEIC or AVIF with its orientation properties changed.
  ///
  /// Like any crop, it contains one image. Data of that image, such as a gain map, are turned with
  /// it and kept, since nothing was cut off. Nil if the file can't express the orientation.
  func turned() throws(CropError) -> CropResult? {
    let (orientation, options) = (plan.crop.orientation, plan.options)
    // Anything beyond a copy, such as ignoring damage, is handled as a normal crop.
    guard try engine.checkWhole(picture).isEmpty else { return nil }
    let size = OrientationMap<ImageSpace, FrameSpace>(orientation, of: info.shown).target
    let kept = EditedMetadata(
      ImageMetadata(source, page: picture.page),
      edit: MetadataEdit(
        width: size.width, height: size.height, policy: options.metadata, density: plan.density),
      info: info, format: info.format, provenance: options.provenance)
    let editor = FileEditor(
      kept, dropsOthers: options.metadata == .stripAll,
      turning: .init(
        page: picture.page, by: orientation, keepsOtherMetadata: options.metadata == .keep))
    guard let edited = editor.edited(try source.allBytes(), info.format),
      let made = inspected(edited, less: options.metadata, turned: orientation, count: 1)
    else { return nil }
    let dropped = kept.dropped.filter { !made.metadata.contains($0) }
    var losses: [CropWarning] = dropped.isEmpty ? [] : [.metadataDropped(dropped)]
    if info.gainMap != nil, made.gainMap == nil {
      losses.append(
        .hdrDropped(
          options.metadata == .stripAll
            ? "removing all metadata removes it" : "it belongs to another image"))
    }
    var result = CropResult(
      bytes: edited, format: info.format, size: size,
      warnings: CropWarning.merged(
        info.warnings, losses, CropWarning.losses(from: info, to: made, options)),
      isLossless: true)
    result.gainMap = GainMapOutcome(copied: made.gainMap)
    return result
  }
}
