import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird

/// A photo in a gallery.
struct GalleryOriginal {
  let source: ImageSource
  let info: ImageInfo
  /// A file name without folders.
  let name: String
  /// Changes with the photo, and with anything else that a save must not overwrite.
  let version: String
  /// The ways to save its crop, the default first.
  let ways: [GallerySaveMode]
  /// The crop that the gallery has stored for it; nil if there is none.
  var recipe: CropRecipe?
  /// A message for the user.
  var note: String?
}

/// The outcome of saving a crop.
struct GallerySaved: Encodable {
  /// Its name in the gallery; nil for an edit of the photo itself.
  var name: String?
  /// Whether it did not exist before.
  var isNew: Bool
  /// The new name of the photo that was replaced; nil if it is not kept.
  var kept: String?
  /// The photo's new version.
  var version: String?

  private enum CodingKeys: String, CodingKey {
    case name, kept, version
    case isNew = "new"
  }
}

/// A crop to be saved in a gallery.
struct GalleryResult {
  let source: ImageSource
  let format: ImageFormat

  /// The file's descriptor. Uploads are always files.
  var file: Int32 { source.descriptor ?? -1 }
}

extension GalleryClient {
  /// Downloads a file into an anonymous one. Blocks.
  ///
  /// - Parameter most: the maximum number of bytes.
  /// - Returns: the response, and the file; nil for a status other than 200.
  func download(
    _ path: String, fields: [String] = [], most: Int, limits: Limits, name: String,
    until stop: CropStop?
  ) throws -> (source: ImageSource?, answer: GalleryResponse) {
    let file = try AnonymousFile.opened()
    let answer: GalleryResponse
    do throws(Problem) {
      answer = try send(
        GalleryRequest(method: "GET", path: path, fields: fields, limit: most), into: file,
        until: stop)
    } catch {
      close(file)
      throw error
    }
    guard answer.status == 200 else {
      close(file)
      return (nil, answer)
    }
    return (try ImageSource(adopting: file, name: name, limits: limits), answer)
  }
}

extension Problem {
  /// The codes of the errors for redirects, and for photos that have changed.
  static let (galleryRedirect, galleryChanged) = ("gallery-redirect", "gallery-changed")

  /// The photo has changed since it was opened.
  static func galleryChanged(_ title: String) -> Self {
    Self(
      .conflict, code: Self.galleryChanged,
      "the photo was changed in \(title) after you opened it; nothing was overwritten")
  }

  /// The gallery has no such photo.
  static func galleryMissing(_ title: String) -> Self {
    Self(.notFound, code: "gallery-missing", "\(title) has no such photo")
  }

  /// The gallery does not support this way of saving.
  static func noWay(_ way: GallerySaveMode, _ title: String) -> Self {
    Self(.badRequest, code: "usage", "\(title) can't save with as=\(way.rawValue)")
  }
}
