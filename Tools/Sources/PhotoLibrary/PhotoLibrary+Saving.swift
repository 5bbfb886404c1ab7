import CropCore
import CropImaging
import Foundation
import Glibc

/// A crop that was saved.
public struct SavedCrop: Sendable {
  /// The new photo, or the one that was there.
  public let photo: Photo
  /// The result it was made from.
  public let result: CropResult
  /// Whether a file was written: of two equal crops of a photo there is one.
  public let isNew: Bool
}

extension PhotoLibrary {
  /// Cuts a part out of a photo and saves it in the album Cropped; of a file that was named, in the
  /// file's own folder. Blocks.
  ///
  /// Where the work is stopped (``CropImaging/CropStop``) nothing is saved, nor where a crop of this photo
  /// with the same bytes is there already, which then is the result.
  ///
  /// - Parameter version: the version of the photo that the recipe is meant for; nil takes any.
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)``, or what is wrong with the
  ///   picture, the recipe, the options or the disk.
  public func saveCrop(
    of photo: Photo, recipe: CropRecipe, options: ResultOptions, version: String? = nil
  ) throws -> SavedCrop {
    let opened = try open(photo, version: version)
    let checksum = try Digests.sha256(of: opened.source) { _ in try CropStop.check() }
    let source = CropSource(photo: photo, opened: opened, checksum: checksum)
    let picture = try engine.open(
      opened.source, isLenient: options.isLenient, page: options.page.first)
    var options = options.keepingShape(of: recipe, from: picture.info.format)
    options.provenance = source.provenance(of: recipe)
    let name = CropName(
      croppedFrom: photo.place.name, format: options.format ?? picture.info.format)
    return try saveCrop(of: source, recipe, as: name) { file in
      try engine.crop(picture, recipe: recipe, options: options, into: file)
    }
  }

  /// A photo that is being cropped.
  struct CropSource {
    let photo: Photo
    let opened: OpenedPhoto
    /// SHA-256 of its file.
    let checksum: String

    /// What a crop of it says of where it comes from.
    func provenance(of recipe: CropRecipe) -> Provenance {
      Provenance(
        recipe: recipe, sourceName: photo.name, sourceBytes: opened.source.byteCount,
        checksum: checksum)
    }
  }

  /// Saves the crop that `make` makes of a photo, in a file if it likes, unless there is one already with the
  /// same bytes that `isEqual` takes for this one.
  func saveCrop(
    of source: CropSource, _ recipe: CropRecipe, as name: CropName,
    unless isEqual: (Photo) -> Bool = { _ in true },
    _ make: (ResultFile?) throws -> CropResult
  ) throws -> SavedCrop {
    let photo = source.photo
    var known: Photo?
    let folder = root.files == nil ? AlbumNames.cropped : photo.place.folder
    let (result, place) = try save(from: source.opened.source, in: folder, name) { file in
      let result = try make(file)
      guard source.opened.isUnchanged else { throw LibraryError.changed(name: photo.name) }
      return result
    } unless: { result in
      known = try crop(of: photo, equal: result, isEqual)
      return known != nil
    }
    if let known { return SavedCrop(photo: known, result: result, isNew: false) }
    return try listed(place) { saved in
      try index.store(source.provenance(of: recipe), of: saved, source: photo.id)
      return SavedCrop(photo: try self.photo(now: saved), result: result, isNew: true)
    }
  }

  /// A crop of a photo that is there already with the bytes of a result; they hold the recipe too.
  private func crop(
    of photo: Photo, equal result: CropResult, _ isEqual: (Photo) -> Bool
  ) throws -> Photo? {
    let crops = try index.database.read { try PhotoIndex.crops($0, of: photo.id) }
    return crops.first { crop in
      guard crop.stamp.size == result.byteCount, isEqual(crop), let opened = try? open(crop) else {
        return false
      }
      return (try? opened.source.allBytes()) == result.bytes
    }
  }

  /// Saves a picture in the album Camera. Blocks.
  ///
  /// - Throws: what is wrong with the picture or the disk; ``LibraryError/noAlbum`` where the library is
  ///   one of files that were named.
  public func add(_ source: PictureSource, name: String?) throws -> Photo {
    guard root.files == nil else { throw LibraryError.noAlbum }
    let info = try engine.info(source)
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
    let place = try save(source, in: AlbumNames.camera, file)
    return try listed(place) { try photo(now: $0) }
  }

  /// Saves a picture as it is under the first free name.
  private func save(
    _ source: PictureSource, in folder: PathBytes, _ name: CropName
  ) throws -> PhotoPlace {
    let target = try album(folder)
    for number in 1...100_000 {
      do throws(CropError) {
        try AtomicFile.save(source, as: name[number], in: target, replacing: .nothing)
        return PhotoPlace(folder: folder, name: name[number])
      } catch .outputExists {
        continue
      }
    }
    throw CropError.outputExists(path: name[1].name)
  }

  /// The folder of an album, made where it is missing.
  private func album(_ folder: PathBytes) throws(CropError) -> ConfinedFolder {
    let root = try self.root.opened()
    if self.root.files == nil { try root.makeFolder(folder) }
    do throws(CropError) {
      return try ConfinedFolder(folder, beneath: root)
    } catch .inputUnreadable(let name, let detail) {
      throw .outputUncreatable(path: name, detail: detail)
    } catch .inputMissing(let name) {
      throw .outputUncreatable(path: name, detail: "it is no folder; rename it")
    }
  }

  /// Saves the result that `make` makes, in a file if it likes, under the first free name, unless it is
  /// there already.
  private func save(
    from input: PictureSource, in folder: PathBytes, _ name: CropName,
    _ make: (ResultFile?) throws -> CropResult, unless isKnown: (CropResult) throws -> Bool
  ) throws -> (CropResult, PhotoPlace) {
    let target = try album(folder)
    var made: CropResult?
    for number in 1...100_000 {
      do {
        let pending = try PendingSave(
          as: name[number], in: target, replacing: .nothing, input: input)
        let result = try made ?? make(pending.file)
        if made == nil, try isKnown(result) {
          return (result, PhotoPlace(folder: folder, name: name[number]))
        }
        made = result
        try pending.save(result)
        return (result, PhotoPlace(folder: folder, name: name[number]))
      } catch CropError.outputExists {
        continue
      }
    }
    throw CropError.outputExists(path: name[1].name)
  }

  /// Puts a file that was just saved into the index. One that can't be put there, as on a full disk, is
  /// removed: whoever is told that it failed will save it again.
  private func listed<Result>(
    _ place: PhotoPlace, _ then: (LibraryID) throws -> Result
  ) throws -> Result {
    let folder = try root.folder(place.folder)
    let stamp = folder.stamp(of: place.name)
    root.files?.insert(place)
    do {
      try indexer.refresh([place])
      guard let known = try index.known(place) else {
        throw LibraryError.gone(name: place.name.name)
      }
      return try then(known.id)
    } catch {
      discard(place, stamp, in: folder)
      throw error
    }
  }

  /// Removes a file that was just saved, unless it is another by now.
  private func discard(_ place: PhotoPlace, _ stamp: FileStamp?, in folder: ConfinedFolder) {
    root.files?.remove(place)
    if let stamp, folder.stamp(of: place.name) == stamp {
      FileReplacement.discard(place.name.terminated, in: folder.descriptor)
    }
  }

  /// Removes crops that were just saved, as nobody is told of them. What can't be removed stays listed.
  func discard(_ crops: [SavedCrop]) {
    let photos = crops.filter(\.isNew).map(\.photo)
    for photo in photos {
      guard let folder = try? root.folder(photo.place.folder) else { continue }
      discard(photo.place, photo.stamp, in: folder)
    }
    try? indexer.refresh(photos.map(\.place))
  }
}
