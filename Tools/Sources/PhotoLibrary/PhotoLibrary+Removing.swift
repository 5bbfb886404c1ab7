import CropCore
import CropImaging
import Foundation
import GRDB

extension PhotoLibrary {
  /// Puts a photo's file into the trash of the desktop. Blocks.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/trash(detail:)`` or
  ///   ``LibraryError/diskFull(place:)``.
  public func trash(_ photo: Photo) throws {
    let folder = try existingFolder(of: photo)
    let item = try Trash(places: places).put(
      photo.place.name, of: folder, path: absolutePath(of: photo.place), keeps: false)
    try remember(Removal(place: photo.place, replacement: nil, item: item), of: photo.id, folder)
  }

  /// Puts a crop into the place of the photo it is cut from; the original goes to the trash. At every
  /// moment the file is the old one or the new one. Where the work is stopped
  /// (``CropImaging/CropStop``) it stays the old one. Blocks.
  ///
  /// A crop in another format gets the photo's name all the same: its content says what it is.
  ///
  /// - Throws: as ``saveCrop(of:recipe:options:version:)``, and ``LibraryError/trash(detail:)``.
  public func replace(
    _ photo: Photo, recipe: CropRecipe, options: ResultOptions, version: String? = nil
  ) throws -> SavedCrop {
    let opened = try open(photo, version: version)
    let folder = try existingFolder(of: photo)
    let pending = try PendingSave(
      as: photo.place.name, in: folder, replacing: .input, input: opened.source)
    let picture = try engine.open(
      opened.source, isLenient: options.isLenient, page: options.page.first)
    let result = try engine.crop(picture, recipe: recipe, options: options, into: pending.file)
    try CropStop.check()
    guard folder.stamp(of: photo.place.name) == opened.stamp else {
      throw LibraryError.changed(name: photo.name)
    }
    let item = try Trash(places: places).put(
      photo.place.name, of: folder, path: absolutePath(of: photo.place), keeps: true)
    do throws(CropError) {
      try pending.save(result)
    } catch {
      try? Trash(places: places).restore(
        item, to: photo.place.name, of: folder, isReplacing: true)
      throw error
    }
    // One that is gone again already has no state to be in; that of the original is never met again.
    let removal = Removal(
      place: photo.place, replacement: folder.stamp(of: photo.place.name) ?? opened.stamp,
      item: item)
    try remember(removal, of: photo.id, folder)
    return SavedCrop(photo: try self.photo(now: photo.id), result: result)
  }

  /// Takes note of what was removed from `folder`; what can't be noted, as on a full disk, is put back,
  /// as nobody could bring it back later.
  private func remember(_ removal: Removal, of id: LibraryID, _ folder: ConfinedFolder) throws {
    let earlier = try? index.removal(of: id)
    do {
      try index.note(removal, of: id)
      try indexer.refresh([removal.place])
    } catch {
      guard (try? bringBack(removal, to: folder)) != nil else { throw error }
      if let earlier {
        try? index.note(earlier, of: id)
      } else {
        try? index.forgetRemoval(of: id)
      }
      throw error
    }
  }

  /// Moves what was removed from the trash to where it was.
  private func bringBack(_ removal: Removal, to folder: ConfinedFolder) throws {
    let now = folder.stamp(of: removal.place.name)
    if let replacement = removal.replacement, let now, now != replacement {
      // Somebody else's work: not to be thrown away.
      throw LibraryError.changed(name: removal.place.name.name)
    }
    try Trash(places: places).restore(
      removal.item, to: removal.place.name, of: folder,
      isReplacing: removal.replacement != nil)
  }

  /// Brings back what was trashed or replaced last. Blocks.
  ///
  /// - Throws: ``LibraryError/nothingToRestore``, ``LibraryError/changed(name:)`` where another program
  ///   has written what would be replaced, ``LibraryError/trash(detail:)`` or
  ///   ``LibraryError/diskFull(place:)``.
  public func restore(_ id: LibraryID) throws -> Photo {
    guard let removal = try index.removal(of: id) else { throw LibraryError.nothingToRestore }
    let place = removal.place
    let folder: ConfinedFolder
    do throws(CropError) {
      folder = try ConfinedFolder(place.folder, beneath: root)
    } catch {
      throw LibraryError.trash(detail: "the folder it was in is no longer there")
    }
    // Before it is done, so that an index that can't be written is found out in time.
    try index.forgetRemoval(of: id)
    do {
      try bringBack(removal, to: folder)
    } catch {
      if error as? LibraryError != .nothingToRestore { try? index.note(removal, of: id) }
      throw error
    }
    try indexer.refresh([place])
    if let known = try index.known(place), known.id != id { try index.rename(known.id, to: id) }
    guard let known = try index.known(place) else {
      throw LibraryError.gone(name: place.name.name)
    }
    try indexer.findSources(ofSize: Int(known.stamp.size))
    return try self.photo(now: known.id)
  }

  private func existingFolder(of photo: Photo) throws -> ConfinedFolder {
    do throws(CropError) {
      let folder = try ConfinedFolder(photo.place.folder, beneath: root)
      if folder.stamp(of: photo.place.name) != nil { return folder }
    } catch {}
    noteLater(photo.place)
    throw LibraryError.gone(name: photo.name)
  }

  /// Where a file is on the whole disk.
  func absolutePath(of place: PhotoPlace) -> PathBytes { path.child(place.path) }
}

/// Something that was removed or replaced and can be brought back.
struct Removal: Sendable {
  let place: PhotoPlace
  /// The state of the file that took its place; nil where nothing did.
  let replacement: FileStamp?
  let item: Trash.Item
}

extension PhotoIndex {
  /// Remembers what was removed last of a photo.
  func note(_ removal: Removal, of id: LibraryID) throws {
    try database.write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO removal VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          id.number, removal.place.folder.stored, removal.place.name.stored,
          removal.replacement?.size, removal.replacement?.modified, removal.replacement?.inode,
          removal.item.trash.stored, removal.item.name.stored,
        ])
    }
  }

  /// What was removed last of a photo.
  func removal(of id: LibraryID) throws -> Removal? {
    try database.read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT folder, name, size, modified, inode, trash, trashName FROM removal WHERE photo = ?
          """, arguments: [id.number]
      ).map { row in
        Removal(
          place: PhotoPlace(folder: PathBytes(row.bytes(0)), name: PathBytes(row.bytes(1))),
          replacement: (row[2] as Int64?).map {
            FileStamp(size: $0, modified: row[3], inode: row[4])
          },
          item: Trash.Item(trash: PathBytes(row.bytes(5)), name: PathBytes(row.bytes(6))))
      }
    }
  }

  func forgetRemoval(of id: LibraryID) throws {
    try database.write { database in
      try database.execute(sql: "DELETE FROM removal WHERE photo = ?", arguments: [id.number])
    }
  }
}
