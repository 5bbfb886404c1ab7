import CropCore
import CropImaging
import Dispatch
import Foundation
import GRDB
import Glibc
import Synchronization

/// The photos in a folder: albums, lists, thumbnails, saved crops.
///
/// What it knows is a cache of the disk and kept current in the background, but for what was removed and
/// can be brought back (``RemovalRecords``) and the targets of photos (``TargetRecords``). Nothing is written into the folder but pictures that are
/// saved. Names are bytes; links are not followed.
public final class PhotoLibrary: Sendable {
  /// What a person calls the library: the name of its folder.
  public let name: String
  let root: LibraryRoot
  let engine: CropEngine
  let index: PhotoIndex
  let indexer: Indexer
  let sources: SourceSearch
  let removals: RemovalRecords
  let targets: TargetRecords
  /// Held while a photo is removed, replaced or brought back: one at a time.
  let removing = Mutex(())
  let events = LibraryEvents()
  let thumbnails: ThumbnailStore
  let thumbnailQueue: ThumbnailQueue
  /// Where kept thumbnails are read.
  let readers = BlockingThreads(label: "cropkit.thumbnails.kept", count: 8)
  let places: LibraryPlaces
  /// Where files are looked at again. A serial queue: what blocks there blocks nothing else.
  let later = DispatchQueue(label: "cropkit.library.later", qos: .utility)
  let watch: FolderWatch

  /// Opens the library in a folder.
  ///
  /// - Parameters:
  ///   - folder: the path of the folder.
  ///   - engine: makes thumbnails and crops.
  ///   - thumbnailsAtOnce: how many thumbnails are made at once, at least 1.
  /// - Throws: ``CropImaging/CropError`` where there is no such folder; a `DatabaseError` where no
  ///   index can be kept.
  public convenience init(
    folder: String, engine: CropEngine, places: LibraryPlaces = LibraryPlaces(),
    thumbnailsAtOnce: Int = 2
  ) throws {
    guard let path = LibraryPlaces.real(folder) else { throw CropError.inputMissing(file: folder) }
    try self.init(
      LibraryRoot(path: path), index: places.index(of: path), engine: engine, places: places,
      thumbnailsAtOnce: thumbnailsAtOnce)
  }

  /// A library of no files but those that are named to it later (``admit(_:)``), wherever they are, and
  /// what is saved beside them.
  ///
  /// - Throws: a `DatabaseError` where no index can be kept.
  public convenience init(
    ofNamedFilesWith engine: CropEngine, places: LibraryPlaces = LibraryPlaces(),
    thumbnailsAtOnce: Int = 2
  ) throws {
    try self.init(
      LibraryRoot(path: PathBytes("/"), files: NamedFiles()), index: places.indexOfNamedFiles(),
      engine: engine, places: places, thumbnailsAtOnce: thumbnailsAtOnce)
  }

  private init(
    _ root: LibraryRoot, index path: String, engine: CropEngine, places: LibraryPlaces,
    thumbnailsAtOnce: Int
  ) throws {
    self.engine = engine
    self.places = places
    self.root = root
    _ = try root.opened()
    name = root.path.last?.name ?? "/"
    do {
      index = try PhotoIndex(path: path)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      var status = stat()
      let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      throw CropError.outputUncreatable(
        path: path, detail: isFolder ? "it is a folder; remove it" : error.message ?? "\(error)")
    }
    removals = try RemovalRecords(folder: places.removals(of: root.path))
    targets = TargetRecords(folder: try places.targets())
    indexer = Indexer(root: root, index: index, engine: engine, events: events)
    sources = SourceSearch(root: root, index: index, events: events, limits: engine.limits)
    thumbnails = ThumbnailStore(folder: "\(places.cache)/thumbnails")
    thumbnailQueue = ThumbnailQueue(places: thumbnailsAtOnce)
    watch = FolderWatch(indexer: indexer, sources: sources)
  }

  /// The most seconds that one picture, or a set of crops, may take.
  public var seconds: Int { engine.limits.seconds }

  /// Whether the library's folder can be opened now. Blocks.
  public var isReachable: Bool { (try? root.opened()) != nil }

  /// Begins to look through the folder and to watch it.
  public func start() {
    events.progress(done: 0, total: 0)
    later.async { self.removeOrphanedNotes() }
    watch.start()
  }

  /// Ends all that runs in the background.
  public func stop() {
    indexer.stop()
    sources.stop()
    watch.stop()
    events.finish()
  }

  /// Everything that happens from now on.
  public func changes() -> AsyncStream<LibraryEvent> { events.listen() }

  /// How far the pass through the library is that runs now; nil if none does.
  public var progress: IndexingProgress? { events.progress }
}

extension PhotoLibrary {
  /// All, Recent, Camera and Cropped, then the folders by name.
  public func albums() async throws -> [Album] {
    let (folders, newest) = try await index.database.read { database in
      (try PhotoIndex.folders(database), try PhotoIndex.newest(database))
    }
    let all = folders.reduce(0) { $0 + $1.count }
    func fixed(_ kind: Album.Kind, _ name: String, _ path: PathBytes) -> Album {
      let folder = folders.first { $0.path == path }
      return Album(
        id: kind.rawValue, name: name, kind: kind, count: folder?.count ?? 0, cover: folder?.cover)
    }
    let first = [
      Album(id: "all", name: "All", kind: .all, count: all, cover: newest),
      Album(
        id: "recent", name: "Recent", kind: .recent, count: min(all, PhotoIndex.mostRecent),
        cover: newest),
      fixed(.camera, "Camera", AlbumNames.camera), fixed(.cropped, "Cropped", AlbumNames.cropped),
    ]
    let rest = folders.filter { ![AlbumNames.camera, AlbumNames.cropped].contains($0.path) }.map {
      Album(
        id: AlbumNames.id(of: $0.path), name: albumName(of: $0.path),
        kind: .folder, count: $0.count, cover: $0.cover)
    }
    // Files that were named are where they are: nothing is put into an album of its own.
    let own = root.files == nil ? first : Array(first.prefix(1))
    return own
      + rest.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
  }

  private func albumName(of folder: PathBytes) -> String {
    if folder.bytes.isEmpty { return name }
    return root.files == nil ? folder.name : folder.last?.name ?? name
  }

  /// A page of an album, newest first, and where the next one begins; nil at the end.
  ///
  /// `limit` is 1 to 1000. The first thumbnails of the page are made ahead.
  ///
  /// - Throws: ``LibraryError/noAlbum`` or ``LibraryError/badPosition``.
  public func photos(
    in album: String, after: String?, limit: Int
  ) async throws -> (photos: [Photo], next: String?) {
    let position = try after.map { text in
      guard let position = PhotoPosition(text) else { throw LibraryError.badPosition }
      return position
    }
    let limit = min(max(1, limit), 1000)
    let found = try await index.database.read { database in
      let list = try Self.list(named: album, database)
      return try PhotoIndex.photos(database, in: list, after: position, limit: limit + 1)
    }
    let page = Array(found.prefix(limit))
    let next =
      found.count > limit ? page.last.map { PhotoPosition(order: $0.order, id: $0.id.number) } : nil
    prepareThumbnails(of: page)
    return (page, next?.text)
  }

  private static func list(named name: String, _ database: Database) throws -> PhotoList {
    switch Album.Kind(rawValue: name) {
    case .all: return .all
    case .recent: return .recent
    case .camera: return .folder(AlbumNames.camera)
    case .cropped: return .folder(AlbumNames.cropped)
    case .folder, nil:
      guard
        let path = try Data.fetchOne(
          database, sql: "SELECT path FROM folder WHERE album = ?", arguments: [name])
      else { throw LibraryError.noAlbum }
      return .folder(PathBytes([UInt8](path)))
    }
  }

  /// The photo of the given id.
  ///
  /// - Throws: ``LibraryError/noPhoto``.
  public func photo(_ id: LibraryID) async throws -> Photo {
    guard let photo = try await index.database.read({ try PhotoIndex.photo($0, id) }) else {
      throw LibraryError.noPhoto
    }
    return photo
  }

  /// As ``photo(_:)``, for callers that may block.
  func photo(now id: LibraryID) throws -> Photo {
    guard let photo = try index.database.read({ try PhotoIndex.photo($0, id) }) else {
      throw LibraryError.noPhoto
    }
    return photo
  }
}
