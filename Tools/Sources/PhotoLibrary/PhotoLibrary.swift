import CropCore
import CropImaging
import Dispatch
import FoundationEssentials
import Glibc

/// The photos in a folder: albums, lists, thumbnails, saved crops.
///
/// Its data are a cache of the disk, updated in the background, except for the records of removed
/// photos that can be restored (``RemovalRecords``) and the targets of photos (``TargetRecords``).
/// It only writes saved images to the folder. Names are bytes; symbolic links are not followed.
public final class PhotoLibrary: Sendable {
  /// The library's name for users: the name of its folder.
  public let name: String
  let root: LibraryRoot
  let engine: CropEngine
  let index: PhotoIndex
  let indexer: Indexer
  let sources: SourceSearch
  /// The photos' files.
  public let files: PhotoFiles
  /// The removed photos.
  public let trash: LibraryTrash
  let targets: TargetRecords
  let events = LibraryEvents()
  /// The small versions of the photos.
  public let thumbnails: LibraryThumbnails
  let watch: FolderWatch

  /// Opens the library in a folder.
  ///
  /// - Parameters:
  ///   - folder: the path of the folder.
  ///   - engine: makes thumbnails and crops.
  ///   - thumbnailsAtOnce: how many thumbnails are made at the same time, at least 1.
  /// - Throws: ``CropImaging/CropError`` if the folder does not exist or is a file; a
  ///   `DatabaseError` if no index can be stored.
  public convenience init(
    folder: String, engine: CropEngine, userFolders: UserFolders = UserFolders(),
    thumbnailsAtOnce: Int = 2
  ) throws {
    guard let path = UserFolders.real(folder) else { throw CropError.inputMissing(file: folder) }
    guard UserFolders.real(PathBytes(path.bytes + Array("/.".utf8))) != nil else {
      throw CropError.inputUnreadable(file: folder, detail: "it is not a folder; choose another")
    }
    try self.init(
      LibraryRoot(path: path), index: userFolders.index(of: path), engine: engine,
      userFolders: userFolders,
      thumbnailsAtOnce: thumbnailsAtOnce)
  }

  /// A library that consists only of the files that are named later (``admit(_:)``), wherever they
  /// are, and of crops saved next to them.
  ///
  /// - Throws: a `DatabaseError` if no index can be stored.
  public convenience init(
    ofNamedFilesWith engine: CropEngine, userFolders: UserFolders = UserFolders(),
    thumbnailsAtOnce: Int = 2
  ) throws {
    try self.init(
      LibraryRoot(path: PathBytes("/"), files: NamedFiles()),
      index: userFolders.indexOfNamedFiles(),
      engine: engine, userFolders: userFolders, thumbnailsAtOnce: thumbnailsAtOnce)
  }

  private init(
    _ root: LibraryRoot, index path: String, engine: CropEngine, userFolders: UserFolders,
    thumbnailsAtOnce: Int
  ) throws {
    self.engine = engine
    self.root = root
    _ = try root.opened()
    name = root.path.last?.name ?? "/"
    do {
      index = try PhotoIndex(path: path)
    } catch let error as DatabaseError where error.isUnopenable {
      var status = stat()
      let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      throw CropError.outputUncreatable(
        path: path, detail: isFolder ? "it is a folder; remove it" : error.message)
    }
    targets = TargetRecords(folder: try userFolders.targets())
    indexer = Indexer(root: root, index: index, engine: engine, events: events)
    sources = SourceSearch(root: root, index: index, events: events, limits: engine.limits)
    files = PhotoFiles(indexer: indexer, limits: engine.limits)
    trash = try LibraryTrash(files, engine, userFolders)
    thumbnails = LibraryThumbnails(files, engine, userFolders, places: thumbnailsAtOnce)
    watch = FolderWatch(indexer: indexer, sources: sources)
  }

  /// The maximum number of seconds for one image, or for a set of crops.
  public var seconds: Int { engine.limits.longestWait }

  /// Whether the library's folder can be opened now. Blocks.
  public var isReachable: Bool { (try? root.opened()) != nil }

  /// Starts to scan and watch the folder.
  ///
  /// - Parameter onProblem: called when the index can't be written, so that the lists are
  ///   incomplete, with the reason; with nil when it can again. It is retried automatically.
  public func start(onProblem: (@Sendable (String?) -> Void)? = nil) {
    events.progress(done: 0, total: 0)
    DispatchQueue.global(qos: .utility).async { [trash] in trash.removeOrphanedNotes() }
    watch.start(onProblem: onProblem)
  }

  /// Stops all background work.
  public func stop() {
    indexer.stop()
    sources.stop()
    watch.stop()
    events.finish()
  }

  /// All events from now on.
  public func changes() -> AsyncStream<LibraryEvent> { events.listen() }

  /// The progress of the current scan; nil if there is none.
  public var progress: IndexingProgress? { events.progress }
}

extension PhotoLibrary {
  /// All, Recent, Camera and Cropped, followed by the folders by name.
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
        kind: $0.path.bytes.isEmpty ? .root : .folder, count: $0.count, cover: $0.cover)
    }
    // Named files can be anywhere, so crops do not go into an album.
    let own = root.files == nil ? first : Array(first.prefix(1))
    return own
      + rest.sorted { AlbumNames.areInOrder($0.name, $1.name) }
  }

  private func albumName(of folder: PathBytes) -> String {
    if folder.bytes.isEmpty { return name }
    return root.files == nil ? folder.name : folder.last?.name ?? name
  }

  /// A page of an album, newest first, and the position of the next one; nil at the end.
  ///
  /// `limit` is 1 to 1000. The first thumbnails of the page are made in advance.
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
    let next = found.count > limit ? page.last.map(PhotoPosition.init) : nil
    thumbnails.prepare(page)
    return (page, next?.text)
  }

  private static func list(named name: String, _ database: Database) throws -> PhotoList {
    switch Album.Kind(rawValue: name) {
    case .all: return .all
    case .recent: return .recent
    case .camera: return .folder(AlbumNames.camera)
    case .cropped: return .folder(AlbumNames.cropped)
    case .root: return .folder(PathBytes([]))
    case .folder, nil:
      guard
        let path = try database.row("SELECT path FROM folder WHERE album = ?", [name])
      else { throw LibraryError.noAlbum }
      return .folder(try path[0])
    }
  }

  /// The photo with this id.
  ///
  /// - Throws: ``LibraryError/noPhoto``.
  public func photo(_ id: LibraryID) async throws -> Photo {
    guard let photo = try await index.database.read({ try PhotoIndex.photo($0, id) }) else {
      throw LibraryError.noPhoto
    }
    return photo
  }
}

extension PhotoIndex {
  /// The photo with this id. Blocks.
  ///
  /// - Throws: ``LibraryError/noPhoto``.
  func photo(now id: LibraryID) throws -> Photo {
    guard let photo = try database.read({ try PhotoIndex.photo($0, id) }) else {
      throw LibraryError.noPhoto
    }
    return photo
  }
}
