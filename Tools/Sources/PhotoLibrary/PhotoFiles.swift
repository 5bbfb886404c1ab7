import CropCore
import CropImaging
import Dispatch
import Glibc

/// The open file of a photo.
public struct OpenedPhoto: Sendable {
  /// Its bytes.
  public let source: ImageSource
  /// The version that was opened.
  public let stamp: FileStamp

  /// Whether the file still has the version that was opened.
  public var isUnchanged: Bool {
    source.descriptor.flatMap { FileStamp(of: $0) } == stamp
  }

  /// Reads the file with `work`. If another program is writing it in the meantime, it may look
  /// damaged, and the error of `work` is not what the user needs to know.
  ///
  /// - Throws: ``LibraryError/changed(name:)`` instead of an error about the content, if the file no
  ///   longer has the version that was opened; otherwise what `work` throws.
  public func reading<Value>(_ work: (ImageSource) throws -> Value) throws -> Value {
    do {
      return try work(source)
    } catch let error as CropError where error.isAboutContent && !isUnchanged {
      throw LibraryError.changed(name: source.name)
    }
  }
}

extension CropError {
  /// Whether the error will recur, because the content causes it, unlike a limit, which may change.
  var isAboutContent: Bool {
    switch self {
    case .empty, .corrupt, .truncated, .unsupportedFormat, .unsupportedFeature: true
    default: false
    }
  }
}

/// The files of a library's photos.
public struct PhotoFiles: Sendable {
  let indexer: Indexer
  let limits: Limits
  /// Checks files again. It is a serial queue, so that it does not block other work.
  private let later = DispatchQueue(label: "cropkit.library.later", qos: .utility)

  var root: LibraryRoot { indexer.root }
  var index: PhotoIndex { indexer.index }

  /// Opens the file of a photo. Blocks.
  ///
  /// - Parameter version: the version that the caller saw; nil accepts any. If the file was changed
  ///   or is missing, the index is updated.
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)`` or an error of the
  ///   file system.
  public func open(_ photo: Photo, version: String? = nil) throws -> OpenedPhoto {
    let raw: Int32
    do throws(CropError) {
      raw = try root.open(photo.place)
    } catch {
      // Swift 6.2 crashes if a clause catches only this case.
      guard case .inputMissing = error else { throw error }
      checkLater(photo.place)
      throw LibraryError.gone(name: photo.name)
    }
    guard let stamp = FileStamp(of: raw) else {
      close(raw)
      checkLater(photo.place)
      throw LibraryError.gone(name: photo.name)
    }
    let source = try ImageSource(adopting: raw, name: photo.name, limits: limits)
    if stamp != photo.stamp { checkLater(photo.place) }
    if let version, version != stamp.version { throw LibraryError.changed(name: photo.name) }
    return OpenedPhoto(source: source, stamp: stamp)
  }

  /// The folder of a photo whose file exists.
  ///
  /// - Throws: ``LibraryError/gone(name:)``.
  func folder(of photo: Photo) throws -> ConfinedFolder {
    do throws(CropError) {
      let folder = try root.folder(photo.place.folder)
      if folder.stamp(of: photo.place.name) != nil { return folder }
    } catch {}
    checkLater(photo.place)
    throw LibraryError.gone(name: photo.name)
  }

  func absolutePath(of photo: Photo) -> PathBytes { root.path.child(photo.place.path) }

  /// Checks a file again in the background. The delay gives a renamed file time to be found under
  /// its new name first.
  private func checkLater(_ place: PhotoPlace) {
    later.asyncAfter(deadline: .now() + .milliseconds(500)) { [indexer] in
      try? indexer.refresh([place])
    }
  }
}

extension PhotoLibrary {
  /// Adds a file to a library of named files. Blocks.
  ///
  /// - Parameter path: an absolute path; symbolic links are followed.
  /// - Throws: ``CropImaging/CropError`` for a file that is missing or not an image. Damaged images
  ///   are accepted.
  public func admit(_ path: PathBytes) throws -> Photo {
    guard let files = root.files, let real = UserFolders.real(path), let name = real.last else {
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
        throw CropError.inputUnreadable(file: path.name, detail: "it is not a regular file")
      }
      do {
        let photo = try index.photo(now: known.id)
        watch.look(at: place.folder)
        return photo
      } catch LibraryError.noPhoto {
        // The index has it as another kind of file; the engine throws the reason.
        _ = try engine.info(ImageSource(path: path, limits: engine.limits))
        throw CropError.unsupportedFormat(file: path.name, found: nil)
      }
    } catch {
      if isNew { files.remove(place) }
      throw error
    }
  }
}
