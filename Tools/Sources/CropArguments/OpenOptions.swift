import ArgumentParser

/// The options of `cropkit open`, which runs `cropkit-server open`.
package struct OpenOptions: ParsableArguments {
  /// The one-line description.
  package static let abstract = "Crop images in the browser and save the results next to them."
  /// How it is called.
  package static let usage = "cropkit open [FILE...]"
  /// The long description.
  package static let discussion = """
    Opens the editor in its own window if Chromium or Chrome is installed, otherwise in your browser. With several \
    images, you crop one after the other. A crop is saved next to its image as name-cropped, or overwrites it; the \
    original is then moved to the trash and can be restored. Without a file, the web app asks for one. \
    immich:ID and dav:PATH name photos of the galleries in server.toml; open them one at a time.

      cropkit open photo.jpg
      cropkit open *.heic
      cropkit open immich:6f3c0a52-9d1e-4b7a-8c55-2f0f6d7b9e10

    Starts a private server if none is running. It listens on this machine only, can access only the opened files \
    and their crops, and stops after the last page is closed.
    """

  @Argument(help: ArgumentHelp("The images.", valueName: "file"), completion: .file())
  package var files: [String] = []

  /// Whether this program is the server itself.
  @Flag(help: .hidden)
  package var asServer = false

  /// No options given.
  package init() {}
}
