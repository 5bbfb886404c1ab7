import CropCore
import CropImaging
import FoundationEssentials
import Glibc

/// A saved crop.
public struct SavedCrop: Sendable {
  /// The new photo, or the existing one.
  public let photo: Photo
  /// The result of the crop.
  public let result: CropResult
  /// Whether a file was written; an identical crop of a photo is only saved once.
  public let isNew: Bool
}

/// What to crop from a photo.
public enum RequestedCrop: Sendable {
  /// The crop of a recipe.
  case recipe(CropRecipe)
  /// The largest centered crop of a ratio, on the block grid of a JPEG.
  case ratio(AspectRatio)

  func planned(of picture: OpenedImage, _ options: ResultOptions) -> PlannedCrop {
    let info = picture.info
    let recipe =
      switch self {
      case .recipe(let recipe): recipe
      case .ratio(let ratio):
        CropRecipe(
          rect: CropArea.ratio(ratio, .center).rect(
            of: info.shown, PictureTransform(), jpeg: info.storedJPEG))
      }
    return PlannedCrop(recipe, of: picture, options: options)
  }
}

extension PhotoLibrary {
  /// Crops a photo and saves the result in the album Cropped or, for a named file, in the file's
  /// folder. Blocks.
  ///
  /// Nothing is saved if the work is cancelled (``CropImaging/CropStop``), or if an identical crop
  /// of this photo already exists, which is then returned.
  ///
  /// - Parameter version: the version of the photo that the recipe is for; nil accepts any.
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)``, or an error of the
  ///   image, the recipe, the options or the disk.
  public func saveCrop(
    of photo: Photo, as wanted: RequestedCrop, options: ResultOptions, version: String? = nil
  ) throws -> SavedCrop {
    let opened = try files.open(photo, version: version)
    let checksum = try Digests.sha256(of: opened.source) { _ in try CropStop.check() }
    let source = CropSource(photo: photo, opened: opened, checksum: checksum)
    let picture = try opened.reading { try engine.open($0, options: options) }
    var planned = wanted.planned(of: picture, options)
    planned.options = options.keepingShape(of: planned.recipe, from: picture.info.format)
    let name = CropName(croppedFrom: photo.place.name, format: planned.format)
    return try saveCrop(of: source, planned, as: name)
  }

  /// A photo that is being cropped.
  struct CropSource {
    let photo: Photo
    let opened: OpenedPhoto
    /// The SHA-256 of its file.
    let checksum: String

    func provenance(of recipe: CropRecipe, _ options: ResultOptions) -> Provenance {
      Provenance(
        recipe: recipe, canvas: options.filledCanvas, sourceName: photo.name,
        sourceBytes: opened.source.byteCount, checksum: checksum)
    }
  }

  /// Crops a photo and saves the result, unless a crop with the same bytes exists that `isEqual`
  /// accepts as this one.
  func saveCrop(
    of source: CropSource, _ planned: PlannedCrop, as name: CropName,
    unless isEqual: (Photo) -> Bool = { _ in true }
  ) throws -> SavedCrop {
    let provenance = source.provenance(of: planned.recipe, planned.options)
    var planned = planned
    planned.options.provenance = provenance
    let photo = source.photo
    var known: Photo?
    let folder = root.files == nil ? AlbumNames.cropped : photo.place.folder
    let (result, place) = try save(from: source.opened.source, in: folder, name) { file in
      let result = try source.opened.reading { _ in try planned.result(by: engine, into: file) }
      guard source.opened.isUnchanged else { throw LibraryError.changed(name: photo.name) }
      return result
    } unless: { result in
      known = try crop(of: photo, equal: result, isEqual)
      return known != nil
    }
    if let known { return SavedCrop(photo: known, result: result, isNew: false) }
    return try listed(place) { saved in
      try index.store(provenance, of: saved, source: photo.id)
      return SavedCrop(photo: try index.photo(now: saved), result: result, isNew: true)
    }
  }

  /// An existing crop of a photo with the same bytes as a result, which include the recipe.
  private func crop(
    of photo: Photo, equal result: CropResult, _ isEqual: (Photo) -> Bool
  ) throws -> Photo? {
    let crops = try index.database.read { try PhotoIndex.crops($0, of: photo.id) }
    return crops.first { crop in
      guard crop.stamp.size == result.byteCount, isEqual(crop), let opened = try? files.open(crop)
      else {
        return false
      }
      return (try? opened.source.allBytes()) == result.bytes
    }
  }

  /// Saves an image in the album Camera. Blocks.
  ///
  /// - Throws: an error of the image or the disk; ``LibraryError/noAlbum`` if the library consists
  ///   of named files.
  public func add(_ source: ImageSource, name: String?) throws -> Photo {
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
    let folder = try album(AlbumNames.camera)
    let place = try withFreeName(file) { name in
      try AtomicFile.save(source, as: name, in: folder, replacing: .nothing)
      return PhotoPlace(folder: AlbumNames.camera, name: name)
    }
    return try listed(place) { try index.photo(now: $0) }
  }

  /// Calls `save` with one name after the other, until no file has it yet.
  private func withFreeName<Result>(
    _ name: CropName, _ save: (PathBytes) throws -> Result
  ) throws -> Result {
    for number in 1...100_000 {
      do { return try save(name[number]) } catch CropError.outputExists { continue }
    }
    throw CropError.outputExists(path: name[1].name)
  }

  /// The folder of an album, created if missing.
  private func album(_ folder: PathBytes) throws(CropError) -> ConfinedFolder {
    let root = try self.root.opened()
    if self.root.files == nil { try root.makeFolder(folder) }
    do throws(CropError) {
      return try ConfinedFolder(folder, beneath: root)
    } catch .inputUnreadable(let name, let detail) {
      throw .outputUncreatable(path: name, detail: detail)
    } catch .inputMissing(let name) {
      throw .outputUncreatable(path: name, detail: "it is not a folder; rename it")
    }
  }

  /// Saves the result of `make`, which may be written to a file, under the first free name, unless
  /// it already exists.
  private func save(
    from input: ImageSource, in folder: PathBytes, _ name: CropName,
    _ make: (ResultFile?) throws -> CropResult, unless isKnown: (CropResult) throws -> Bool
  ) throws -> (CropResult, PhotoPlace) {
    let target = try album(folder)
    var made: CropResult?
    return try withFreeName(name) { name in
      let pending = try PendingSave(as: name, in: target, replacing: .nothing, input: input)
      let result = try made ?? make(pending.file)
      let isSaved = try made == nil && isKnown(result)
      made = result
      if !isSaved { try pending.save(result) }
      return (result, PhotoPlace(folder: folder, name: name))
    }
  }

  /// Adds a saved file to the index. If that fails, for example on a full disk, the file is
  /// removed, since the client will retry.
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

  /// Removes a file that was just saved, unless it has changed since.
  private func discard(_ place: PhotoPlace, _ stamp: FileStamp?, in folder: ConfinedFolder) {
    root.files?.remove(place)
    if let stamp, folder.stamp(of: place.name) == stamp {
      FileReplacement.discard(place.name.terminated, in: folder.descriptor)
    }
  }

  /// Removes saved crops that were not reported. Those that can't be removed stay listed.
  func discard(_ crops: [SavedCrop]) {
    let photos = crops.filter(\.isNew).map(\.photo)
    for photo in photos {
      guard let folder = try? root.folder(photo.place.folder) else { continue }
      discard(photo.place, photo.stamp, in: folder)
    }
    try? indexer.refresh(photos.map(\.place))
  }
}
