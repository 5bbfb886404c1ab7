import CropCore
import CropFormats

extension CropWarning {
  /// The data that the source has and the result lacks, although it was not requested to be
  /// removed.
  static func losses(
    from info: ImageInfo, to made: ImageInfo, _ options: ResultOptions
  ) -> [CropWarning] {
    var losses: [CropWarning] = []
    if options.page == .automatic, info.pictureCount > 1, made.pictureCount == 1 {
      losses.append(
        .framesDropped(kept: 1, of: info.pictureCount, arePages: info.pageCount > 1))
    }
    if info.hasAlpha, !made.format.holdsAlpha { losses.append(.alphaFlattened) }
    if info.bitDepth > 8, options.depth == nil {
      if made.bitDepth < info.bitDepth {
        losses.append(.depthReduced(from: info.bitDepth, to: made.bitDepth))
      } else if made.format.isHEIF, made.bitDepth > info.bitDepth {
        losses.append(.depthRaised(from: info.bitDepth, to: made.bitDepth))
      }
    }
    let dropped = info.neverKept(under: options.metadata).filter { !made.metadata.contains($0) }
    if !dropped.isEmpty { losses.append(.metadataDropped(dropped)) }
    return losses
  }

  /// All warnings, each code only once, with its first message.
  static func merged(_ lists: [CropWarning]...) -> [CropWarning] {
    var all: [CropWarning] = []
    for warning in lists.joined() where !all.contains(where: { $0.code == warning.code }) {
      all.append(warning)
    }
    return all
  }
}
