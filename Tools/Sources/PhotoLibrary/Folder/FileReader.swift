import CropImaging
import Glibc

/// Reads the data of a file that the index stores.
struct FileReader: Sendable {
  let root: LibraryRoot
  let engine: CropEngine

  /// The row for the file at `place`; nil if there is none.
  func row(at place: PhotoPlace) -> PhotoRow? {
    let source: ImageSource
    let stamp: FileStamp
    do throws(CropError) {
      let raw = try root.open(place)
      guard let now = FileStamp(of: raw) else {
        close(raw)
        return nil
      }
      stamp = now
      // Files of any length are listed.
      source = try ImageSource(
        adopting: raw, name: place.name.name, limits: Limits(bytes: .max))
    } catch {
      return unreadable(place, error)
    }
    var row = PhotoRow(place: place, stamp: stamp, kind: .picture)
    do throws(CropError) {
      let summary = try engine.summary(source)
      row.format = summary.format
      row.width = summary.width
      row.height = summary.height
      row.captured = summary.captured
      if summary.hasXMP { row.provenance = Provenance(in: source) }
    } catch {
      row.kind = Self.kind(of: error, place)
      row.problem = row.kind == .broken ? PhotoProblem(error) : nil
    }
    return row
  }

  private func unreadable(_ place: PhotoPlace, _ error: CropError) -> PhotoRow? {
    guard case .inputUnreadable = error, place.isNamedLikePicture,
      let stamp = root.stamp(of: place)
    else { return nil }
    return PhotoRow(place: place, stamp: stamp, kind: .broken, problem: PhotoProblem(error))
  }

  /// A file that is not an image by its content is only listed if its name suggests one.
  private static func kind(of error: CropError, _ place: PhotoPlace) -> PhotoRow.Kind {
    switch error {
    case .unsupportedFormat, .empty: place.isNamedLikePicture ? .broken : .other
    default: .broken
    }
  }
}

extension PhotoPlace {
  /// Whether the name has the extension of an image.
  fileprivate var isNamedLikePicture: Bool {
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let ending = String(decoding: name.bytes[(dot + 1)...], as: UTF8.self)
    return ImageFormat(fileExtension: ending) != nil
  }
}
