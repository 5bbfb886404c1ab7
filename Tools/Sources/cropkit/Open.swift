import ArgumentParser
import CropArguments
import CropImaging

/// `cropkit open`: becomes `cropkit-server open`.
struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: OpenOptions.abstract,
    usage: OpenOptions.usage,
    discussion: OpenOptions.discussion)

  /// Read here for their help; the other program reads them again.
  @OptionGroup
  var options: OpenOptions

  func run() throws {
    throw ServerProgram.become(Array(OwnProgram.arguments.dropFirst()))
  }
}
