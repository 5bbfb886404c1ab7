import ArgumentParser

/// The galleries that photos are opened from and saved to.
package struct GalleryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Open photos of this Immich server, such as https://photos.example.org.",
      discussion: """
        It must start with https://, or http:// for an address of this machine or its private network. In the \
        settings file: url under [immich].
        """, valueName: "url"))
  package var immichUrl: String?

  @Option(
    help: ArgumentHelp("A file (mode 600) with an API key of Immich.", valueName: "file"),
    completion: .file())
  package var immichKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "CA certificates (PEM) that verify Immich (default: those of the system).",
      valueName: "file"), completion: .file())
  package var immichCaFile: String?

  @Option(
    help: ArgumentHelp(
      "Open photos below this folder of a WebDAV server, such as Nextcloud.", valueName: "url"))
  package var webdavUrl: String?

  @Option(help: ArgumentHelp("The user name on the WebDAV server.", valueName: "name"))
  package var webdavUser: String?

  @Option(
    help: ArgumentHelp("A file (mode 600) with that user's password.", valueName: "file"),
    completion: .file())
  package var webdavPasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "CA certificates (PEM) that verify the WebDAV server.", valueName: "file"),
    completion: .file())
  package var webdavCaFile: String?

  @Flag(
    help: ArgumentHelp(
      "The WebDAV server keeps earlier versions, so a replaced photo is not copied first."))
  package var webdavKeepsVersions = false

  /// No options given.
  package init() {}

  /// Checks options against each other.
  package func checkTogether() throws {
    guard (immichUrl == nil) == (immichKeyFile == nil) else {
      throw ValidationError("--immich-url and --immich-key-file need each other")
    }
    let parts = [webdavUrl, webdavUser, webdavPasswordFile].compactMap(\.self)
    guard parts.isEmpty || parts.count == 3 else {
      throw ValidationError(
        "--webdav-url, --webdav-user and --webdav-password-file need each other")
    }
  }
}
