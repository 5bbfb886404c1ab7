import CropCore
import CropFormats
import CropSystem
import Glibc

/// Everything in an image file besides its pixels that a result must also contain before it may
/// replace the file.
///
/// Thumbnails and previews don't count as losses, nor do locations in the old image (faces, spots,
/// masks), since they are no longer valid, nor anything that the options remove.
struct Replacement {
  private let info: ImageInfo
  private let options: ResultOptions

  init(_ info: ImageInfo, _ options: ResultOptions) {
    self.info = info
    self.options = options
  }

  /// The data that a result with the properties `made` has lost.
  func losses(in made: ImageInfo, _ result: CropResult) -> [DataLoss] {
    var lost = Set(info.metadata).subtracting(made.metadata)
    for warning in result.warnings { lost.formUnion(warning.dropped ?? []) }
    let hasChannels = !result.warnings.contains(.channelsDropped)
    return others(kept: result.pictureCount) + losses(lost)
      + (hasChannels ? [] : [DataLoss(code: "channels", name: "further channels")])
  }

  /// Losses that are certain before any work is done, because they do not depend on the crop.
  /// `metadata` is that of the image.
  func certainLosses(_ metadata: ImageMetadata) -> [DataLoss] {
    let edit = MetadataEdit(
      width: info.stored.width, height: info.stored.height, policy: options.metadata)
    var kinds = Set(info.neverKept(under: options.metadata))
    kinds.formUnion(metadata.blocks.edited(edit).lost.kinds)
    if info.gainMapObstacle(options.format ?? info.format, options) != nil {
      kinds.insert(.gainMap)
    }
    return others(kept: options.pageCount(of: info)) + losses(kinds)
  }

  /// The frames or pages that a result with `count` of them does not have.
  private func others(kept count: Int) -> [DataLoss] {
    let lost = info.pictureCount - count
    guard lost > 0 else { return [] }
    let (code, one) = info.frameCount > 1 ? ("frames", "frame") : ("pages", "page")
    return [
      DataLoss(code: code, name: lost == 1 ? "another \(one)" : "\(lost) other \(one)s")
    ]
  }

  private func losses(_ kinds: Set<MetadataKind>) -> [DataLoss] {
    let lost = kinds.subtracting(mayGo)
    return MetadataKind.allCases.filter(lost.contains)
      .map { DataLoss(code: $0.rawValue, name: $0.displayName) }
  }

  private var mayGo: Set<MetadataKind> {
    var kinds: Set<MetadataKind> = [.thumbnail, .preview, .regions, .edits]
    switch options.metadata {
    case .keep: break
    case .stripLocation: kinds.formUnion([.location, .text, .originalJPEG])
    case .stripAll:
      kinds.formUnion([
        .exif, .location, .xmp, .photoshop, .text, .extendedXMP, .credentials, .embeddedPictures,
        .applicationData, .originalJPEG, .panorama,
      ])
    }
    if options.convertsToSRGB { kinds.insert(.icc) }
    if options.hdr == .drop { kinds.insert(.gainMap) }
    return kinds
  }
}

extension CropEngine {
  /// Checks, before any work is done, whether a crop that replaces its image is certain to lose
  /// data. `crop` checks for losses that only the finished result shows.
  ///
  /// - Throws: `CropError.wouldLoseData`; an invalid recipe is not reported here.
  public func checkReplacing(
    _ picture: OpenedImage, by recipe: CropRecipe, options: ResultOptions
  ) throws(CropError) {
    let (info, source) = (picture.info, picture.source)
    guard let crop = try? options.sized(recipe, on: info.shown).resolved(for: info.shown),
      options.sheet != nil || !crop.isIdentity
    else { return }
    // An image that is turned by a property keeps its metadata.
    guard !crop.isTurn || !options.withoutSize.keepPixelsTurned(of: info) else { return }
    let losses = Replacement(info, options)
      .certainLosses(ImageMetadata(source, page: picture.page))
    guard losses.isEmpty else { throw .wouldLoseData(path: source.name, losses: losses) }
  }
}

extension ImageSource {
  /// The number of other names of the file (hard links); nil if there are none, and for bytes in
  /// memory.
  var otherNames: Int? {
    var status = stat()
    guard let descriptor, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink > 1
    else { return nil }
    return Int(clamping: status.st_nlink) - 1
  }
}
