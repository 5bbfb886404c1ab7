import CropImaging
import Glibc

/// Reads what the index keeps of a file.
struct FileReader: Sendable {
  let root: ConfinedFolder
  let engine: CropEngine

  /// The row of the file that is at `place` now; nil where there is none.
  func row(at place: PhotoPlace) -> PhotoRow? {
    let source: PictureSource
    let stamp: FileStamp
    do throws(CropError) {
      let raw = try root.open(place.path)
      guard let now = FileStamp(of: raw) else {
        close(raw)
        return nil
      }
      stamp = now
      // A file of any length is listed.
      source = try PictureSource(
        adopting: raw, name: place.name.name, limits: Limits(bytes: .max))
    } catch {
      return unreadable(place, error)
    }
    var row = PhotoRow(place: place, stamp: stamp, kind: .picture)
    do throws(CropError) {
      let glance = try engine.glance(source)
      row.format = glance.format
      row.width = glance.width
      row.height = glance.height
      row.captured = glance.captured
      if glance.hasXMP { row.provenance = Provenance(in: source) }
    } catch {
      row.kind = Self.kind(of: error, place)
      row.problem = row.kind == .broken ? PhotoProblem(error) : nil
    }
    return row
  }

  private func unreadable(_ place: PhotoPlace, _ error: CropError) -> PhotoRow? {
    guard case .inputUnreadable = error, place.isNamedLikePicture,
      let folder = try? ConfinedFolder(place.folder, beneath: root),
      let stamp = folder.stamp(of: place.name)
    else { return nil }
    return PhotoRow(place: place, stamp: stamp, kind: .broken, problem: PhotoProblem(error))
  }

  /// What is no picture by its content is listed only if its name promises one.
  private static func kind(of error: CropError, _ place: PhotoPlace) -> PhotoRow.Kind {
    switch error {
    case .unsupportedFormat, .empty: place.isNamedLikePicture ? .broken : .other
    default: .broken
    }
  }
}

extension PhotoPlace {
  /// Whether the name ends like that of a picture.
  fileprivate var isNamedLikePicture: Bool {
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let ending = String(decoding: name.bytes[(dot + 1)...], as: UTF8.self).lowercased()
    return Self.endings.contains(ending)
  }

  private static let endings: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "tif", "tiff", "heic", "heif", "avif",
  ]
}
