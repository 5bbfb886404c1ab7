import CropImaging
import Glibc
import PhotoLibrary

/// The file that opens the page in a browser.
///
/// Every user of the machine can read the arguments of a process. So the browser gets the name of a
/// file that only its user may read; the file redirects to an address with a one-time code.
enum OpenFile {
  /// Writes an HTML file that redirects to the page at `start`, which ends in a slash. It is
  /// removed once a browser has opened it. Blocks.
  ///
  /// - Parameters:
  ///   - name: makes its name unique, such as the server's port.
  ///   - place: the page's fragment to open, such as `#/open`.
  /// - Returns: its path.
  static func write(
    leadingTo start: String, place: String = "", named name: String, codes: OneTimeCodes,
    userFolders: UserFolders
  ) throws(CropError) -> String {
    let path = "\(try RuntimeFolder.path(userFolders))/open-\(name).html"
    let address = "\(start)?code=\(codes.make { unlink(path) })\(place)"
    let text = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="color-scheme" content="dark light">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>CropKit</title>
      <p><a href="\(address)">CropKit</a></p>
      </html>

      """
    try PrivateFile.write(text, to: path, isReplacing: true)
    return path
  }
}

/// The user's folder for files that only last as long as the session.
enum RuntimeFolder {
  /// Its path: in `$XDG_RUNTIME_DIR`, or else in the user's data folder. It is created if missing,
  /// and only the user may enter it. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  static func path(_ userFolders: UserFolders) throws(CropError) -> String {
    var status = stat()
    if let runtime = userFolders.runtime, stat(runtime, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    {
      let folder = "\(runtime)/cropkit"
      try PrivateFile.makeFolder(folder)
      return folder
    }
    let folder = "\(userFolders.data)/cropkit"
    try PrivateFile.makeFolder(folder)
    return folder
  }
}
