import CropCore
import CropImaging
import Foundation

/// A crop that was saved.
public struct SavedCrop: Sendable {
  /// The new photo.
  public let photo: Photo
  /// The result it was made from.
  public let result: CropResult
}

extension PhotoLibrary {
  /// Cuts a part out of a photo and saves it in the album Cropped, beside the original. Blocks.
  ///
  /// Where the work is stopped (``CropImaging/CropStop``) nothing is saved.
  ///
  /// - Parameter version: the version of the photo that the recipe is meant for; nil takes any.
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)``, or what is wrong with the
  ///   picture, the recipe, the options or the disk.
  public func saveCrop(
    of photo: Photo, recipe: CropRecipe, options: ResultOptions, version: String? = nil
  ) throws -> SavedCrop {
    let opened = try open(photo, version: version)
    let provenance = Provenance(
      recipe: recipe, sourceName: photo.name, sourceBytes: opened.source.byteCount,
      checksum: try Digests.sha256(of: opened.source))
    var options = options
    options.provenance = provenance
    let picture = try engine.open(
      opened.source, isLenient: options.isLenient, page: options.page.first)
    let name = CropName(
      croppedFrom: photo.place.name, format: options.format ?? picture.info.format)
    let (result, place) = try save(from: opened.source, in: AlbumNames.cropped, name) { file in
      let result = try engine.crop(picture, recipe: recipe, options: options, into: file)
      guard opened.isUnchanged else { throw LibraryError.changed(name: photo.name) }
      return result
    }
    try indexer.refresh([place])
    let saved = try known(place)
    try index.store(provenance, of: saved.id, source: photo.id)
    return SavedCrop(photo: try self.photo(now: saved.id), result: result)
  }

  /// Saves a picture in the album Camera. Blocks.
  ///
  /// - Throws: what is wrong with the picture or the disk.
  public func add(_ source: PictureSource, name: String?) throws -> Photo {
    let info = try engine.info(source)
    let bytes = try source.allBytes()
    let file: CropName
    if let name, let stem = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last {
      let dot = stem.lastIndex(of: ".") ?? stem.endIndex
      file = CropName(
        stem: String(dot == stem.startIndex ? stem : stem[..<dot]), format: info.format)
    } else {
      let now = Date.now.formatted(
        Date.ISO8601FormatStyle(timeZone: .current).year().month().day().time(
          includingFractionalSeconds: false
        )
        .timeSeparator(.omitted).dateSeparator(.dash).dateTimeSeparator(.space))
      file = CropName(stem: "Photo \(now)", format: info.format)
    }
    let place = try save(bytes, in: AlbumNames.camera, file)
    try indexer.refresh([place])
    return try photo(now: known(place).id)
  }

  /// Saves bytes under the first free name.
  private func save(_ bytes: Data, in folder: PathBytes, _ name: CropName) throws -> PhotoPlace {
    try root.makeFolder(folder)
    let target = try ConfinedFolder(folder, beneath: root)
    for number in 1...100_000 {
      do throws(CropError) {
        try AtomicFile.save(bytes, as: name[number], in: target, replacing: .nothing)
        return PhotoPlace(folder: folder, name: name[number])
      } catch .outputExists {
        continue
      }
    }
    throw CropError.outputExists(path: name[1].name)
  }

  /// Saves the result that `make` makes, in a file if it likes, under the first free name.
  private func save(
    from input: PictureSource, in folder: PathBytes, _ name: CropName,
    _ make: (ResultFile?) throws -> CropResult
  ) throws -> (CropResult, PhotoPlace) {
    try root.makeFolder(folder)
    let target = try ConfinedFolder(folder, beneath: root)
    var made: CropResult?
    for number in 1...100_000 {
      do {
        let pending = try PendingSave(
          as: name[number], in: target, replacing: .nothing, input: input)
        let result = try made ?? make(pending.file)
        made = result
        try pending.save(result)
        return (result, PhotoPlace(folder: folder, name: name[number]))
      } catch CropError.outputExists {
        continue
      }
    }
    throw CropError.outputExists(path: name[1].name)
  }

  /// What the index has of a file that was just saved.
  private func known(_ place: PhotoPlace) throws -> PhotoIndex.Known {
    guard let known = try index.known(place) else {
      throw LibraryError.gone(name: place.name.name)
    }
    return known
  }
}
