import CropCore
import CropImaging
import Dispatch
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
  /// Makes a file part of a library of named files. Blocks.
  ///
  /// - Parameter path: an absolute path; a link on it is followed.
  /// - Throws: ``CropImaging/CropError`` for a file that is not there or is no picture. A damaged picture
  ///   is one.
  public func admit(_ path: PathBytes) throws -> Photo {
    guard let files = root.files, let real = LibraryPlaces.real(path), let name = real.last else {
      throw CropError.inputMissing(file: path.name)
    }
    let folder = real.bytes.dropFirst().dropLast(name.bytes.count)
    let place = PhotoPlace(
      folder: PathBytes(Array(folder.last == UInt8(ascii: "/") ? folder.dropLast() : folder)),
      name: name)
    let isNew = !files.contains(place)
    files.insert(place)
    do {
      try indexer.refresh([place])
      guard let known = try index.known(place) else {
        throw CropError.inputUnreadable(file: path.name, detail: "it is no file that can be read")
      }
      do {
        let photo = try photo(now: known.id)
        watch.look(at: place.folder)
        return photo
      } catch LibraryError.noPhoto {
        // The index has it as something else; the engine says what is wrong.
        _ = try engine.info(PictureSource(path: path, limits: engine.limits))
        throw CropError.unsupportedFormat(file: path.name, found: nil)
      }
    } catch {
      if isNew { files.remove(place) }
      throw error
    }
  }

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
      raw = try root.open(photo.place)
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
    later.asyncAfter(deadline: .now() + .milliseconds(500)) { [indexer] in
      try? indexer.refresh([place])
    }
  }
}
