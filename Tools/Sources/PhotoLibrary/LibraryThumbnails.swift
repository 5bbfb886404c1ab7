import CropImaging
import FoundationEssentials
import Glibc

/// A small version of a photo.
public struct Thumbnail: Sendable {
  /// The image as PNG.
  public let bytes: Data
  /// The version of the file that it shows; nil if the file changed while it was read, so that the
  /// thumbnail may mix old and new.
  public let stamp: FileStamp?
}

/// The thumbnails of a library's photos.
public final class LibraryThumbnails: Sendable {
  private let files: PhotoFiles
  private let engine: CropEngine
  private let store: ThumbnailStore
  private let queue: ThumbnailQueue
  /// Threads that read cached thumbnails.
  private let readers = BlockingThreads(label: "cropkit.thumbnails.kept", count: 8)

  /// Makes `places` thumbnails at the same time, at least 1.
  init(_ files: PhotoFiles, _ engine: CropEngine, _ userFolders: UserFolders, places: Int) {
    self.files = files
    self.engine = engine
    store = ThumbnailStore(folder: "\(userFolders.cache)/thumbnails")
    queue = ThumbnailQueue(places: places)
  }

  /// The thumbnail of a photo: a cached one, without waiting, or a new one. Leaves the queue if the
  /// task is cancelled.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/busy``, or why the image can't be
  ///   shown.
  public func thumbnail(of photo: Photo, _ size: ThumbnailSize) async throws -> Thumbnail {
    if let problem = photo.problem { throw PhotoFailure(problem) }
    if let kept = try await readers.run({ [self] in try kept(photo, size, try files.open(photo)) })
    {
      return kept
    }
    let key = ThumbnailQueue.Key(photo: photo.id, stamp: photo.stamp, size: size)
    return try await queue.thumbnail(key) { [self] in try made(photo, size) }
  }

  /// The maximum number of a page's thumbnails that are made in advance.
  private static let mostAhead = 60

  /// Makes thumbnails when idle.
  func prepare(_ photos: [Photo]) {
    queue.prepare(
      photos.prefix(Self.mostAhead).filter { $0.problem == nil }.map { photo in
        (
          ThumbnailQueue.Key(photo: photo.id, stamp: photo.stamp, size: .large),
          { [weak self] in
            try self?.made(photo, .large) ?? Thumbnail(bytes: Data(), stamp: nil)
          }
        )
      })
  }

  private func subject(_ photo: Photo, _ opened: OpenedPhoto) -> ThumbnailStore.Subject {
    ThumbnailStore.Subject(files.absolutePath(of: photo), stamp: opened.stamp)
  }

  /// The cached thumbnail; nil if there is none. Only blocks for the disk.
  private func kept(
    _ photo: Photo, _ size: ThumbnailSize, _ opened: OpenedPhoto
  ) throws -> Thumbnail? {
    let subject = subject(photo, opened)
    if let kept = store.thumbnail(of: subject, size) {
      return Thumbnail(bytes: kept, stamp: opened.stamp)
    }
    if let failure = store.failure(of: subject) {
      note(failure, photo)
      throw PhotoFailure(failure)
    }
    return nil
  }

  /// Finds or makes a thumbnail. Blocks.
  private func made(_ photo: Photo, _ size: ThumbnailSize) throws -> Thumbnail {
    let opened = try files.open(photo)
    if let kept = try kept(photo, size, opened) { return kept }
    let subject = subject(photo, opened)
    let result: CropResult
    do {
      // Everybody who may see the library sees what is kept.
      result = try CropPrincipal.$current.withValue(CropPrincipal("library")) {
        try opened.reading { try engine.preview($0, maxSide: size.side, format: .png) }
      }
    } catch let error as CropError where error.isAboutContent {
      let problem = PhotoProblem(error)
      store.keep(problem, of: subject)
      note(problem, photo)
      throw PhotoFailure(problem)
    }
    // It may be half old and half new: show it, but do not cache it.
    guard opened.isUnchanged else { return Thumbnail(bytes: result.bytes, stamp: nil) }
    return Thumbnail(
      bytes: store.keep(result.bytes, of: subject, size), stamp: opened.stamp)
  }

  private func note(_ problem: PhotoProblem, _ photo: Photo) {
    if (try? files.index.note(problem, of: photo.id, stamp: photo.stamp)) == true {
      files.indexer.events.note(.changed, photo.id, in: photo.place.folder)
    }
  }
}

/// A photo that can't be shown.
public struct PhotoFailure: Error, Sendable {
  /// The reason.
  public let problem: PhotoProblem

  init(_ problem: PhotoProblem) { self.problem = problem }
}
