import CropCore
import CropFormats

extension CropEngine {
  /// The file of a HEIC or AVIF whose properties turn its picture further; nothing that is coded changes.
  ///
  /// Like any crop it holds one picture. What belongs to that, such as a gain map, is turned with it and kept:
  /// nothing was cut away. nil where the file can't say it so.
  func turned(
    _ picture: OpenedPicture, by orientation: Orientation, _ options: ResultOptions
  ) throws(CropError) -> CropResult? {
    let (source, info) = (picture.source, picture.info)
    // What is more than a copy (damage to pass over) is a crop like any other.
    guard try checkWhole(picture).isEmpty else { return nil }
    let size = OrientationMap<ImageSpace, FrameSpace>(orientation, of: info.shown).target
    let kept = EditedMetadata(
      PictureMetadata(source, page: picture.page), policy: options.metadata, info: info,
      format: info.format, size: (size.width, size.height), provenance: options.provenance)
    let editor = FileEditor(
      kept, dropsOthers: options.metadata == .stripAll,
      turning: .init(
        page: picture.page, by: orientation, keepsOtherMetadata: options.metadata == .keep))
    guard let edited = editor.edited(try source.allBytes(), info.format),
      let made = inspected(
        edited, as: info, less: options.metadata, turned: orientation, count: 1)
    else { return nil }
    let dropped = kept.dropped.filter { !made.metadata.contains($0) }
    var losses: [CropWarning] = dropped.isEmpty ? [] : [.metadataDropped(dropped)]
    if info.gainMap != nil, made.gainMap == nil {
      losses.append(
        .hdrDropped(
          options.metadata == .stripAll
            ? "all but the picture is left out" : "it is another picture's"))
    }
    return CropResult(
      bytes: edited, format: info.format, size: size,
      warnings: Self.merged(
        info.warnings, losses, Self.losses(from: info, to: made, options)),
      isLossless: true)
  }
}
