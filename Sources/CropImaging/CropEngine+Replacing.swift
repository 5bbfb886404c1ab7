import CropCore
import CropFormats
import CropSystem
import Glibc

/// What the file of a picture holds beside its pixels, and a result that takes its place must hold too.
///
/// Thumbnails and previews are no loss, nor what speaks of places in the old picture (faces, spots, masks), since it no longer
/// holds; nor is what the options leave out.
struct Replacement {
  private let info: ImageInfo
  private let options: ResultOptions

  init(_ info: ImageInfo, _ options: ResultOptions) {
    self.info = info
    self.options = options
  }

  /// What a result that holds `made` does not hold.
  func losses(in made: ImageInfo, _ result: CropResult) -> [DataLoss] {
    var lost = Set(info.metadata).subtracting(made.metadata)
    for warning in result.warnings { lost.formUnion(warning.dropped ?? []) }
    let hasChannels = !result.warnings.contains(.channelsDropped)
    return others(kept: result.pictureCount) + losses(lost)
      + (hasChannels ? [] : [DataLoss(code: "channels", name: "further channels")])
  }

  /// What is lost however the picture is cut, known before any work is done.
  var certainLosses: [DataLoss] {
    let keepsAll = options.takesAllPages(of: info) || options.animates(info)
    var kinds = Set(info.neverKept(under: options.metadata))
    if let map = info.gainMap,
      CropEngine.obstacle(map, options.format ?? info.format, options) != nil
    {
      kinds.insert(.gainMap)
    }
    return others(kept: keepsAll ? info.pictureCount : 1) + losses(kinds)
  }

  /// The frames or pages that a result of `count` of them lacks.
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
    case .stripLocation: kinds.formUnion([.location, .text])
    case .stripAll:
      kinds.formUnion([
        .exif, .location, .xmp, .photoshop, .text, .extendedXMP, .credentials, .embeddedPictures,
        .applicationData, .panorama,
      ])
    }
    if options.convertsToSRGB { kinds.insert(.icc) }
    if options.hdr == .drop { kinds.insert(.gainMap) }
    return kinds
  }
}

extension CropEngine {
  /// Makes sure that nothing is sure to be lost where a crop takes the place of its picture, before any work is
  /// done. What only the result shows is looked at again by `crop`.
  ///
  /// - Throws: `CropError.wouldLoseData`; a recipe that can't be carried out is not reported here.
  public func checkReplacing(
    _ info: ImageInfo, by recipe: CropRecipe, options: ResultOptions, file: String
  ) throws(CropError) {
    guard let crop = try? recipe.resolved(for: info.shown), !crop.isIdentity else { return }
    // What is turned by its properties keeps what belongs to the picture.
    guard !crop.isTurn || !options.keepPixelsTurned(of: info) else { return }
    let losses = Replacement(info, options).certainLosses
    guard losses.isEmpty else { throw .wouldLoseData(path: file, losses: losses) }
  }
}

extension PictureSource {
  /// How many further names the file has (hard links); nil where there are none, and for bytes in memory.
  var otherNames: Int? {
    var status = stat()
    guard let descriptor, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink > 1
    else { return nil }
    return Int(clamping: status.st_nlink) - 1
  }
}
