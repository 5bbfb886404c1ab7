import ArgumentParser
import CropArguments
import CropImaging

/// `cropkit serve`: becomes `cropkit-server`.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: ServerOptions.abstract,
    usage: ServerOptions.usage,
    discussion: ServerOptions.discussion)

  /// Read here for their help; the server reads them again.
  @OptionGroup
  var options: ServerOptions

  func validate() throws { try options.checkTogether() }

  func run() throws {
    // The arguments after "serve", byte by byte as they came.
    throw ServerProgram.become(Array(OwnProgram.arguments.dropFirst(2)))
  }
}
