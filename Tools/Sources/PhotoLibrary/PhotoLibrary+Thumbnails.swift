import CropImaging
import Foundation

/// A small picture of a photo.
public struct Thumbnail: Sendable {
  /// A PNG.
  public let bytes: Data
  /// The state of the file that it shows; nil for one that was written to meanwhile, of which it may
  /// show something old and something new.
  public let stamp: FileStamp?
}

extension PhotoLibrary {
  /// The thumbnail of a photo: the one that is kept, which waits behind none that has to be made, or a new
  /// one. Leaves its place in the queue when the task is cancelled.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/busy``, or why the picture can't be shown.
  public func thumbnail(of photo: Photo, _ size: ThumbnailSize) async throws -> Thumbnail {
    if let problem = photo.problem { throw PhotoFailure(problem) }
    if let kept = try await readers.run({ [self] in try kept(photo, size, try open(photo)) }) {
      return kept
    }
    let key = ThumbnailQueue.Key(photo: photo.id, stamp: photo.stamp, size: size)
    return try await thumbnailQueue.thumbnail(key) { [self] in try made(photo, size) }
  }

  /// How many of a page are made ahead.
  private static let mostAhead = 60

  /// Makes thumbnails when nothing else is to be done.
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

  /// The thumbnail that is kept, nil if none is. Blocks for the disk alone.
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
    do throws(CropError) {
      result = try engine.preview(opened.source, maxSide: size.side, format: .png)
    } catch {
      guard error.isAboutContent else { throw error }
      let problem = PhotoProblem(error)
      thumbnails.keep(problem, of: subject)
      note(problem, photo)
      throw PhotoFailure(problem)
    }
    // Half old, half new: shown, not kept.
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

/// A picture that can't be shown, as was found out before.
public struct PhotoFailure: Error, Sendable {
  /// Why.
  public let problem: PhotoProblem

  init(_ problem: PhotoProblem) { self.problem = problem }
}

extension CropError {
  /// Whether it will be the same the next time, as it lies in the file: not a limit, which may be
  /// another one then.
  fileprivate var isAboutContent: Bool {
    switch self {
    case .empty, .corrupt, .truncated, .unsupportedFormat, .unsupportedFeature: true
    default: false
    }
  }
}
