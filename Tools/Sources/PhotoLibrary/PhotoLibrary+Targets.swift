import CropCore
import CropImaging
import Foundation

/// The targets of a photo that were saved.
public struct SavedTargets: Sendable {
  /// What was saved, in the order of the targets.
  public let saved: [(target: String, crop: SavedCrop)]
  /// What could not be made, in that order too.
  public let failed: [TargetFailure]
  /// What stands for the document that is kept.
  public let tag: String
}

/// The targets of a photo as they were left.
public struct KeptTargets: Sendable {
  /// The targets.
  public let document: TargetDocument
  /// The photo they are for; nil where that is not in the library, or not known to be.
  public let photo: LibraryID?
  /// The target that was asked for, where a crop of it was.
  public let target: String?
  /// What stands for this version of the document.
  public let tag: String
}

extension PhotoLibrary {
  /// Called with the tag of the targets that are kept now, nil where none are; what it throws ends the change.
  public typealias TargetCheck = (_ tag: String?) throws -> Void

  /// Saves the crops of a photo's targets beside each other in the album Cropped, of a file that was named in
  /// its own folder, and keeps the document. The photo is decoded once. Blocks.
  ///
  /// A target whose file can't be made never stops the others. Whatever else fails, and where the work is
  /// stopped (``CropImaging/CropStop``), none of them stays saved. A crop that is there already with the same
  /// bytes under a name of the target is not saved again.
  ///
  /// - Throws: ``CropImaging/TargetFailure`` for a target that is none of the photo, before anything is made,
  ///   and where no file can be made; as
  ///   ``saveCrop(of:recipe:options:version:)``; what `check` throws.
  public func saveTargets(
    of photo: Photo, _ order: TargetOrder, names: TargetNames = .usual, version: String? = nil,
    unless check: TargetCheck = { _ in }
  ) throws -> SavedTargets {
    let opened = try open(photo, version: version)
    let content = try targets.content(of: opened)
    try check(targets.record(of: content)?.tag)
    let picture = try engine.open(opened.source, for: order)
    try checkCrops(order.document, of: photo, picture.info.shown)
    try order.checkPixels(of: picture, called: photo.name, engine.limits)
    let source = CropSource(photo: photo, opened: opened, checksum: content.checksum)
    var saved: [(target: String, crop: SavedCrop)] = []
    var failed: [TargetFailure] = []
    let record = TargetRecord(
      document: order.document, image: picture.info.shown, stamp: opened.stamp)
    do {
      for (index, target) in order.document.targets.enumerated() {
        do {
          try CropStop.check()
          let crop = try saveCrop(
            of: source, target: order.plan(target, on: picture), number: index + 1, picture, names,
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
    of source: CropSource, target planned: PlannedTarget, number: Int, _ picture: OpenedPicture,
    _ names: TargetNames, besides others: [LibraryID]
  ) throws -> SavedCrop {
    var planned = planned
    let recipe = planned.crop.recipe
    planned.options.provenance = source.provenance(of: recipe)
    let name = names.name(
      of: source.photo.place.name.withoutEnding, target: planned.target.name, number: number,
      format: planned.format)
    return try saveCrop(of: source, recipe, as: name) { crop in
      // Each target has a file of its own, also where two have the same crop.
      name.isName(crop.place.name) && !others.contains(crop.id)
    } _: { file in
      try engine.crop(picture, planned, into: file)
    }
  }
}

extension PhotoLibrary {
  /// The targets of a photo as they were left, or of the photo it was cut from; nil where none were kept.
  /// Blocks.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)`` or what the file system says.
  public func keptTargets(of photo: Photo) throws -> KeptTargets? {
    if let record = try targets.record(of: open(photo)) {
      return KeptTargets(
        document: record.document, photo: photo.id, target: nil, tag: record.tag)
    }
    guard let provenance = try index.provenance(of: photo.id),
      let content = FileContent(bytes: provenance.sourceBytes, checksum: provenance.checksum),
      let record = targets.record(of: content)
    else { return nil }
    return KeptTargets(
      document: record.document, photo: try self.photo(now: photo.id).source,
      target: record.target(of: provenance.recipe, fileName: photo.name), tag: record.tag)
  }

  /// Keeps the targets of a photo, in place of those that were kept before. Blocks.
  ///
  /// - Returns: what stands for this version of them.
  /// - Throws: ``CropImaging/TargetFailure`` for a target that can't be made of the photo; as
  ///   ``open(_:version:)``; what `check` throws, what is wrong with the picture or the disk.
  public func keepTargets(
    _ document: TargetDocument, of photo: Photo, version: String? = nil,
    unless check: TargetCheck = { _ in }
  ) throws -> String {
    let opened = try open(photo, version: version)
    let summary = try engine.summary(opened.source)
    let image = ImageSize(width: summary.width, height: summary.height)
    try checkCrops(document, of: photo, image)
    let record = TargetRecord(document: document, image: image, stamp: opened.stamp)
    try targets.keep(record, of: targets.content(of: opened), unless: check)
    return record.tag
  }

  /// Forgets the targets of a photo. Blocks.
  ///
  /// - Throws: as ``open(_:version:)``, and what `check` throws.
  public func forgetTargets(of photo: Photo, unless check: TargetCheck = { _ in }) throws {
    try targets.forget(targets.content(of: open(photo)), unless: check)
  }

  /// - Throws: ``CropImaging/TargetFailure`` for a target that is none of a photo of this upright size.
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
