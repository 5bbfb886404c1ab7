import CropImaging
import Glibc
import PhotoLibrary

/// The user's folder for what ends with the session.
enum RuntimeFolder {
  /// Its path. It is made where it is missing, and nobody else may enter it: in `$XDG_RUNTIME_DIR`, else
  /// among the user's data. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  static func path(_ places: LibraryPlaces) throws(CropError) -> String {
    var status = stat()
    if let runtime = places.runtime, stat(runtime, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    {
      let folder = "\(runtime)/cropkit"
      try PrivateFile.makeFolder(folder)
      return folder
    }
    let folder = "\(places.data)/cropkit"
    try PrivateFile.makeFolder(folder)
    return folder
  }
}
