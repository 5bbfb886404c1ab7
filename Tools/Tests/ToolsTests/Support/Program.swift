import Foundation
import Glibc
import Testing

/// One of the programs under test, started as a process.
struct Program {
  /// The path of the executable.
  var path: String

  init(_ name: String) {
    path = "\(Self.folder)/\(name)"
  }

  static let cropkit = Program("cropkit")
  static let server = Program("cropkit-server")

  /// Where the programs are: `CROPKIT_BIN`, otherwise beside the tests.
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["CROPKIT_BIN"] { return folder }
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    // In a bundle the tests lie a few folders deeper than the programs.
    var folder = own.deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("cropkit").path
      if access(candidate, X_OK) == 0 { return folder.path }
      folder.deleteLastPathComponent()
    }
    return FileManager.default.currentDirectoryPath + "/.build/debug"
  }()
}

extension Program {
  /// A copy in a folder where it finds none of the others.
  func alone(in folder: Folder) async throws -> Program {
    let name = "cropkit"
    // Were it open here, a child of another test that does not run yet would hold it, and it be busy.
    let copied = try await Program.shell("cp '\(path)' \(name)", folder: folder.path)
    try #require(copied.status == 0, "\(copied)")
    var copy = self
    copy.path = folder.path(name)
    return copy
  }
}

extension Folder {
  /// Writes a shell script that can be run; its path.
  func writeScript(_ text: String, as name: String) async throws -> String {
    _ = try write(text.utf8, as: "\(name).text")
    // Were it open here, a child of another test that does not run yet would hold it, and it be busy.
    let copied = try await Program.shell(
      "cp '\(name).text' '\(name)' && chmod 755 '\(name)'", folder: self.path)
    try #require(copied.status == 0, "\(copied)")
    return path(name)
  }
}

/// How a program ended and what it said.
struct Outcome: CustomStringConvertible {
  /// The exit status, or 128 + the signal that ended it.
  let status: Int32
  let output: Data
  let errors: String

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// The lines of standard error.
  var lines: [Substring] { errors.split(separator: "\n") }

  var description: String { "status \(status), errors \(errors)" }
}

extension Program {
  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: the file that is standard input; an empty one unless said.
  ///   - output: the file that is standard output; otherwise it is returned.
  func run(
    _ arguments: String..., input: String = "/dev/null", output: String? = nil,
    folder: String? = nil
  ) async throws -> Outcome {
    try await run(
      bytes: arguments.map { Array($0.utf8) }, input: input, output: output, folder: folder)
  }

  /// Runs the program with arguments of any bytes.
  func run(
    bytes arguments: [[UInt8]], input: String = "/dev/null", output: String? = nil,
    folder: String? = nil
  ) async throws -> Outcome {
    let scratch = try Folder()
    defer { scratch.remove() }
    let outputPath = output ?? scratch.path("output")
    let running = try start(
      bytes: arguments, input: input, output: outputPath, errors: scratch.path("errors"),
      folder: folder)
    let status = await running.end()
    return Outcome(
      status: status, output: output == nil ? try Data(contentsOf: scratch.url("output")) : Data(),
      errors: String(decoding: try Data(contentsOf: scratch.url("errors")), as: UTF8.self))
  }

  /// Runs a line for the shell.
  static func shell(_ line: String, folder: String) async throws -> Outcome {
    var shell = Program("sh")
    shell.path = "/bin/sh"
    return try await shell.run("-c", line, folder: folder)
  }

  /// More seconds than any picture takes on a busy machine: the usual limit goes by the clock on the wall.
  static let patience = ["--limit-seconds", "600"]

  /// The arguments with that limit, for commands that have it; a test's own one comes later and wins.
  private func patient(_ arguments: [[UInt8]]) -> [[UInt8]] {
    let commands = ["crop", "batch", "targets"].map { Array($0.utf8) }
    guard path.hasSuffix("/cropkit"), let command = arguments.first, commands.contains(command)
    else { return arguments }
    return [command] + Self.patience.map { Array($0.utf8) } + arguments.dropFirst()
  }

  /// Starts the program, which runs for as long as the result is held.
  func start(
    bytes arguments: [[UInt8]], input: String = "/dev/null", output: String, errors: String,
    folder: String? = nil
  ) throws -> RunningProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, writing, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, writing, 0o600)
    let prefix = folder.map { ["/usr/bin/env", "-C", $0, path] } ?? [path]
    var words = (prefix.map { Array($0.utf8) } + patient(arguments)).map { word in
      strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process = pid_t()
    var error = posix_spawn(&process, prefix[0], &actions, nil, words, environ)
    // A program just copied is busy while a child of another test, not yet running, holds it open.
    for _ in 0..<3000 where error == ETXTBSY {
      usleep(20_000)
      error = posix_spawn(&process, prefix[0], &actions, nil, words, environ)
    }
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    return RunningProgram(process)
  }
}
