import CropCore
import CropImaging
import FoundationEssentials
import Glibc

extension PhotoLibrary {
  /// The crop that another program stored for a photo, in a sidecar or in the photo itself. Blocks.
  ///
  /// Nil if there is none, if it is already applied, or if it can't be read or reproduced: a bad
  /// sidecar must not prevent a photo from being shown.
  public func mark(of photo: Photo) -> CropMark? {
    guard let opened = try? files.open(photo), let info = try? engine.info(opened.source),
      let folder = try? root.folder(photo.place.folder)
    else { return nil }
    let limits = Limits(bytes: CropMark.maxBytes)
    for name in Self.sidecars(of: photo.place.name) {
      guard let source = try? folder.picture(name, limits: limits),
        let mark = try? CropMark(sidecar: source, info, of: photo.place.name.name),
        !mark.isApplied
      else { continue }
      return mark
    }
    guard let mark = try? CropMark(in: opened.source, info), !mark.isApplied else { return nil }
    return mark
  }

  /// The names of a photo's sidecars, in order of precedence.
  private static func sidecars(of name: PathBytes) -> [PathBytes] {
    let lightroom = MarkFormat.lightroom.place(of: name)
    let stem = lightroom.bytes.dropLast(4)
    return [
      lightroom, MarkFormat.rawtherapee.place(of: name), PathBytes(stem + Array(".AAE".utf8)),
      PathBytes(stem + Array(".aae".utf8)),
    ]
  }

  /// Stores a crop in a sidecar next to a photo, which stays unchanged. Blocks.
  ///
  /// In an existing sidecar, only the values of the crop change.
  ///
  /// - Parameters:
  ///   - format: the program; not ``CropImaging/MarkFormat/embedded``.
  ///   - version: the version of the photo that the recipe is for; nil accepts any.
  /// - Returns: the sidecar's name.
  /// - Throws: as ``saveCrop(of:as:options:version:)``.
  public func mark(
    _ photo: Photo, recipe: CropRecipe, for format: MarkFormat, version: String? = nil
  ) throws -> String {
    guard format != .embedded else {
      throw CropError.usage(detail: "the library writes sidecars only")
    }
    let opened = try files.open(photo, version: version)
    let info = try opened.reading { try engine.info($0) }
    let folder = try root.folder(photo.place.folder)
    let name = format.place(of: photo.place.name)
    var old: Data?
    do throws(CropError) {
      old = try folder.picture(name, limits: Limits(bytes: CropMark.maxBytes)).allBytes()
    } catch {
      // Swift 6.2 crashes if clauses catch only these cases.
      switch error {
      case .inputMissing, .empty: break
      default: throw error
      }
    }
    let sidecar = try format.file(
      with: recipe, for: info, changing: old, name: name.name, of: photo.place.name.name)
    try AtomicFile.save(
      ImageSource(bytes: sidecar, name: name.name), as: name, in: folder, replacing: .existing)
    return name.name
  }
}
