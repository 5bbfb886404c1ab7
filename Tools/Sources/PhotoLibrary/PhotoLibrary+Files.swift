import CropCore
import CropImaging
import Foundation
import Glibc

/// The file of a photo, opened.
public struct OpenedPhoto: Sendable {
  /// Its bytes.
  public let source: PictureSource
  /// The state in which it was opened.
  public let stamp: FileStamp

  /// Whether the file is still in the state in which it was opened.
  public var isUnchanged: Bool {
    source.descriptor.flatMap { FileStamp(of: $0) } == stamp
  }
}

extension PhotoLibrary {
  /// Opens the file of a photo. Blocks.
  ///
  /// `version` is the one the caller saw, nil where any will do; one that has been changed or is gone
  /// is noted in the index.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)`` or what the file system
  ///   says.
  public func open(_ photo: Photo, version: String? = nil) throws -> OpenedPhoto {
    let raw: Int32
    do throws(CropError) {
      raw = try root.open(photo.place.path)
    } catch .inputMissing {
      noteLater(photo.place)
      throw LibraryError.gone(name: photo.name)
    }
    guard let stamp = FileStamp(of: raw) else {
      close(raw)
      noteLater(photo.place)
      throw LibraryError.gone(name: photo.name)
    }
    let source = try PictureSource(adopting: raw, name: photo.name, limits: engine.limits)
    if stamp != photo.stamp { noteLater(photo.place) }
    if let version, version != stamp.version { throw LibraryError.changed(name: photo.name) }
    return OpenedPhoto(source: source, stamp: stamp)
  }

  /// Looks at a file again in the background, not at once: where it was renamed, its new name is to be
  /// seen first.
  func noteLater(_ place: PhotoPlace) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { [indexer] in
      try? indexer.refresh([place])
    }
  }
}
