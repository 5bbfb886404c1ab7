import CropImaging
import Glibc
import PhotoLibrary

/// The file by which a browser is opened.
///
/// The arguments of a process can be read by every user of the machine, so the browser is given the name
/// of a file that only its user may read, and that leads on to an address with a one-time code.
enum OpenFile {
  /// Writes a file that leads to the page at `start`, which ends in a slash, and is removed once a browser
  /// has come. Blocks.
  ///
  /// - Parameters:
  ///   - name: what tells it from others, such as the server's port.
  ///   - place: what is opened there, such as `#/open`.
  /// - Returns: its path.
  static func write(
    leadingTo start: String, place: String = "", named name: String, codes: OneTimeCodes,
    places: LibraryPlaces
  ) throws(CropError) -> String {
    let path = "\(try RuntimeFolder.path(places))/open-\(name).html"
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
