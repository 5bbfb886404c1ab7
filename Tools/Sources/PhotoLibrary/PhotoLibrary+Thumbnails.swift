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

extension PhotoLibrary {
  /// The thumbnail of a photo: a cached one, without waiting, or a new one. Leaves the queue if the
  /// task is cancelled.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/busy``, or why the image can't be
  ///   shown.
  public func thumbnail(of photo: Photo, _ size: ThumbnailSize) async throws -> Thumbnail {
    if let problem = photo.problem { throw PhotoFailure(problem) }
    if let kept = try await readers.run({ [self] in try kept(photo, size, try open(photo)) }) {
      return kept
    }
    let key = ThumbnailQueue.Key(photo: photo.id, stamp: photo.stamp, size: size)
    return try await thumbnailQueue.thumbnail(key) { [self] in try made(photo, size) }
  }

  /// The maximum number of a page's thumbnails that are made in advance.
  private static let mostAhead = 60

  /// Makes thumbnails when idle.
  func prepareThumbnails(of photos: [Photo]) {
    thumbnailQueue.prepare(
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
    ThumbnailStore.Subject(absolutePath(of: photo.place), stamp: opened.stamp)
  }

  /// The cached thumbnail; nil if there is none. Only blocks for the disk.
  private func kept(
    _ photo: Photo, _ size: ThumbnailSize, _ opened: OpenedPhoto
  ) throws -> Thumbnail? {
    let subject = subject(photo, opened)
    if let kept = thumbnails.thumbnail(of: subject, size) {
      return Thumbnail(bytes: kept, stamp: opened.stamp)
    }
    if let failure = thumbnails.failure(of: subject) {
      note(failure, photo)
      throw PhotoFailure(failure)
    }
    return nil
  }

  /// Finds or makes a thumbnail. Blocks.
  private func made(_ photo: Photo, _ size: ThumbnailSize) throws -> Thumbnail {
    let opened = try open(photo)
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
      thumbnails.keep(problem, of: subject)
      note(problem, photo)
      throw PhotoFailure(problem)
    }
    // It may be half old and half new: show it, but do not cache it.
    guard opened.isUnchanged else { return Thumbnail(bytes: result.bytes, stamp: nil) }
    return Thumbnail(
      bytes: thumbnails.keep(result.bytes, of: subject, size), stamp: opened.stamp)
  }

  private func note(_ problem: PhotoProblem, _ photo: Photo) {
    if (try? index.note(problem, of: photo.id, stamp: photo.stamp)) == true {
      events.note(.changed, photo.id, in: photo.place.folder)
    }
  }
}

/// A photo that can't be shown.
public struct PhotoFailure: Error, Sendable {
  /// The reason.
  public let problem: PhotoProblem

  init(_ problem: PhotoProblem) { self.problem = problem }
}
