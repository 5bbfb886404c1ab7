import ArgumentParser
import CropArguments
import CropImaging
import Glibc

/// `cropkit serve`: becomes `cropkit-server`.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: ServerOptions.abstract,
    usage: ServerOptions.usage,
    discussion: ServerOptions.discussion)

  /// Parsed here for the help; the server parses them again.
  @OptionGroup
  var options: ServerOptions

  func validate() throws { try options.checkTogether() }

  func run() throws {
    // The arguments after "serve", with their exact bytes.
    throw ServerProgram.become(Array(OwnProgram.arguments.dropFirst(2)))
  }
}

/// The program that contains the server.
enum ServerProgram {
  /// Replaces this program with it.
  ///
  /// - Parameter arguments: its arguments.
  /// - Returns: the error, if that failed.
  static func become(_ arguments: [[UInt8]]) -> CropError {
    guard let server = OwnProgram.helper("cropkit-server") else {
      return .componentMissing(
        component: "cropkit-server",
        advice:
          "install it next to cropkit or in ../libexec/cropkit; Debian: the package cropkit-server")
    }
    let all = [Array(server.utf8)] + arguments
    let pointers = all.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
    execv(server, pointers)
    return .componentMissing(
      component: server, advice: "it can't be started: \(String(cString: strerror(errno)))")
  }
}

/// `cropkit open`: becomes `cropkit-server open`.
struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: OpenOptions.abstract,
    usage: OpenOptions.usage,
    discussion: OpenOptions.discussion)

  /// Parsed here for the help; the other program parses them again.
  @OptionGroup
  var options: OpenOptions

  func run() throws {
    throw ServerProgram.become(Array(OwnProgram.arguments.dropFirst()))
  }
}
