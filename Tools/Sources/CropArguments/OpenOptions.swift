import ArgumentParser

/// What `cropkit open` takes, and `cropkit-server open`, which it becomes.
package struct OpenOptions: ParsableArguments {
  /// What it is, in a line.
  package static let abstract = "Crop pictures in the browser, and save beside them."
  /// How it is called.
  package static let usage = "cropkit open [FILE...]"
  /// What it does.
  package static let discussion = """
    Opens each picture framed on the page: in a window of its own where Chromium or Chrome is there, \
    else in your browser. Several pictures are gone through one after the other. A crop is saved \
    beside its picture as name-cropped, or takes its place; the original then goes to the trash, and \
    can be brought back. Without a file the page asks for one.

      cropkit open photo.jpg
      cropkit open *.heic

    The page comes from a server of your own that is started where none runs. It listens on this \
    machine alone, knows no other files than those that were opened and their crops, and ends by \
    itself when no page is open any more.
    """

  @Argument(help: ArgumentHelp("The pictures.", valueName: "file"), completion: .file())
  package var files: [String] = []

  /// The program is to be the server.
  @Flag(help: .hidden)
  package var asServer = false

  /// None of them given.
  package init() {}
}
