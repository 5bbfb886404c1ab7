import ArgumentParser
import CropImaging
import Glibc

/// `cropkit serve`: becomes `cropkit-server`.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Crop in the browser: serve the page on this machine.",
    usage: "cropkit serve [--port 8080] [--host 127.0.0.1] [--open] [--token T] …",
    discussion: "See 'cropkit serve --help' for all options.")

  @Argument(parsing: .captureForPassthrough)
  var options: [String] = []

  func run() throws {
    guard let server = HelperProgram.path(of: "cropkit-server") else {
      throw CropError.componentMissing(
        component: "cropkit-server",
        advice: "install it beside cropkit or in ../libexec/cropkit")
    }
    // The arguments after "serve", byte by byte as they came.
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(server)]
    arguments += (2..<max(2, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] }
    arguments.append(nil)
    execv(server, arguments)
    throw CropError.componentMissing(
      component: server, advice: "it can't be started: \(String(cString: strerror(errno)))")
  }
}

/// A program that belongs to CropKit and is started by another of its programs.
enum HelperProgram {
  /// Where the program is: beside this one, then in `../libexec/cropkit`; nil if in neither.
  static func path(of name: String) -> String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let program = String(cString: own)
    guard let slash = program.lastIndex(of: "/") else { return nil }
    let folder = program[..<slash]
    return ["\(folder)/\(name)", "\(folder)/../libexec/cropkit/\(name)"].first {
      access($0, X_OK) == 0
    }
  }
}
