import CropCore
import CropImaging
import FoundationEssentials
import Glibc

/// A photo's saved targets.
public struct SavedTargets: Sendable {
  /// The saved crops, in the order of the targets.
  public let saved: [(target: String, crop: SavedCrop)]
  /// The targets that failed, in the same order.
  public let failed: [TargetFailure]
  /// The tag of the stored document.
  public let tag: String
}

/// A photo's stored targets.
public struct StoredTargets: Sendable {
  /// The targets.
  public let document: TargetDocument
  /// The photo they belong to; nil if it is not in the library, or unknown.
  public let photo: LibraryID?
  /// The target whose crop was requested; nil if the request was not for a target's crop.
  public let target: String?
  /// The tag of this version of the document.
  public let tag: String
}

extension PhotoLibrary {
  /// Called with the tag of the stored targets, nil if there are none; an error it throws stops the
  /// change.
  public typealias TargetCheck = (_ tag: String?) throws -> Void

  /// Saves the crops of a photo's targets in the album Cropped or, for a named file, in its folder,
  /// and stores the document. The photo is decoded once. Blocks.
  ///
  /// A target whose file can't be made does not stop the others. On any other failure, and if the
  /// work is cancelled (``CropImaging/CropStop``), none of them stays saved. A target whose crop
  /// already exists under its name, with the same bytes, is not saved again.
  ///
  /// - Throws: ``CropImaging/TargetFailure`` for an unknown target, before anything is made, and if
  ///   no file can be made; as ``saveCrop(of:as:options:version:)``; what `check` throws.
  public func saveTargets(
    of photo: Photo, _ order: TargetRequest, names: TargetNames = .usual, version: String? = nil,
    unless check: TargetCheck = { _ in }
  ) throws -> SavedTargets {
    let opened = try files.open(photo, version: version)
    let content = try targets.content(of: opened)
    try check(targets.record(of: content)?.tag)
    let picture = try opened.reading { try engine.open($0, for: order) }
    try checkCrops(order.document, of: photo, picture.info.shown)
    try order.checkPixels(of: picture, called: photo.name, engine.limits)
    let source = CropSource(photo: photo, opened: opened, checksum: content.checksum)
    var saved: [(target: String, crop: SavedCrop)] = []
    var failed: [TargetFailure] = []
    let record = TargetRecord(
      document: order.document, image: picture.info.shown, jpeg: picture.info.storedJPEG,
      stamp: opened.stamp)
    do {
      for (index, target) in order.document.targets.enumerated() {
        do {
          try CropStop.check()
          let crop = try saveCrop(
            of: source, target, order.plan(target, on: picture), number: index + 1, names,
            besides: saved.map(\.crop.photo.id))
          saved.append((target.name, crop))
        } catch let error as CropError where error.isOfOneCrop {
          try CropStop.check()
          guard opened.isUnchanged else { throw LibraryError.changed(name: photo.name) }
          failed.append(TargetFailure(target: target.name, error: error))
        }
      }
      if saved.isEmpty, let failure = failed.first { throw failure }
      try targets.keep(record, of: content, unless: check)
    } catch {
      discard(saved.map(\.crop))
      throw error
    }
    return SavedTargets(saved: saved, failed: failed, tag: record.tag)
  }

  private func saveCrop(
    of source: CropSource, _ target: PhotoTarget, _ planned: PlannedCrop, number: Int,
    _ names: TargetNames, besides others: [LibraryID]
  ) throws -> SavedCrop {
    let name = names.name(
      of: source.photo.place.name.withoutEnding, target: target.name, number: number,
      format: planned.format, size: try planned.size())
    return try saveCrop(of: source, planned, as: name) { crop in
      // Each target has a separate file, even if several have the same crop.
      name.isName(crop.place.name) && !others.contains(crop.id)
    }
  }
}

extension PhotoLibrary {
  /// The stored targets of a photo, or of its source; nil if none are stored. Blocks.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)`` or an error of the
  ///   file system.
  public func keptTargets(of photo: Photo) throws -> StoredTargets? {
    if let record = try targets.record(of: files.open(photo)) {
      return StoredTargets(
        document: record.document, photo: photo.id, target: nil, tag: record.tag)
    }
    guard let provenance = try index.provenance(of: photo.id),
      let content = FileContent(bytes: provenance.sourceBytes, checksum: provenance.checksum),
      let record = targets.record(of: content)
    else { return nil }
    return StoredTargets(
      document: record.document, photo: try index.photo(now: photo.id).source,
      target: record.target(of: provenance.recipe, fileName: photo.name), tag: record.tag)
  }

  /// Stores the targets of a photo, replacing earlier ones. Blocks.
  ///
  /// - Returns: the tag of this version.
  /// - Throws: ``CropImaging/TargetFailure`` for a target that can't be made from the photo; as
  ///   ``PhotoFiles/open(_:version:)``; what `check` throws; an error of the image or the disk.
  public func keepTargets(
    _ document: TargetDocument, of photo: Photo, version: String? = nil,
    unless check: TargetCheck = { _ in }
  ) throws -> String {
    let opened = try files.open(photo, version: version)
    let summary = try opened.reading { try engine.summary($0) }
    let image = ImageSize(width: summary.width, height: summary.height)
    try checkCrops(document, of: photo, image)
    let record = TargetRecord(
      document: document, image: image, jpeg: (try? engine.info(opened.source))?.storedJPEG,
      stamp: opened.stamp)
    try targets.keep(record, of: targets.content(of: opened), unless: check)
    return record.tag
  }

  /// Removes the stored targets of a photo. Blocks.
  ///
  /// - Throws: as ``PhotoFiles/open(_:version:)``, and what `check` throws.
  public func forgetTargets(of photo: Photo, unless check: TargetCheck = { _ in }) throws {
    try targets.forget(targets.content(of: files.open(photo)), unless: check)
  }

  /// - Throws: ``CropImaging/TargetFailure`` for a target that does not fit a photo of this upright
  ///   size.
  private func checkCrops(
    _ document: TargetDocument, of photo: Photo, _ image: ImageSize
  ) throws(TargetFailure) {
    for target in document.targets {
      do throws(RecipeError) {
        _ = try document.crop(of: target, on: image)
      } catch {
        throw TargetFailure(
          target: target.name,
          error: .invalidRecipe(file: photo.name, detail: error.message(for: image)))
      }
    }
  }
}
