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

  /// The folder of the programs: `CROPKIT_BIN`, otherwise that of the tests.
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["CROPKIT_BIN"] { return folder }
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    // In a bundle, the tests are a few folders deeper than the programs.
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
  /// A copy in a folder in which it finds no other program.
  func alone(in folder: Folder) async throws -> Program {
    let name = "cropkit"
    // Copied by a child process: if it were open here, a child of another test could inherit it and
    // keep it busy.
    let copied = try await Program.shell("cp '\(path)' \(name)", folder: folder.path)
    try #require(copied.status == 0, "\(copied)")
    var copy = self
    copy.path = folder.path(name)
    return copy
  }
}

extension Folder {
  /// Writes an executable shell script; returns its path.
  func writeScript(_ text: String, as name: String) async throws -> String {
    _ = try write(text.utf8, as: "\(name).text")
    // Copied by a child process: if it were open here, a child of another test could inherit it and
    // keep it busy.
    let copied = try await Program.shell(
      "cp '\(name).text' '\(name)' && chmod 755 '\(name)'", folder: self.path)
    try #require(copied.status == 0, "\(copied)")
    return path(name)
  }
}

/// How a program ended, and its output.
struct Outcome: CustomStringConvertible {
  /// The exit status, or 128 + the signal that killed it.
  let status: Int32
  let output: Data
  let errors: String

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// The objects of JSON on the lines of standard output; a line that is none fails the test.
  var objects: [[String: Any]] {
    text.split(separator: "\n").map { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if object == nil { Issue.record("no object: \(line)") }
      return object ?? [:]
    }
  }

  /// The value of a key of each object, or of its error, as text.
  func values(_ key: String) -> [String] {
    objects.map { "\($0[key] ?? ($0["error"] as? [String: Any])?[key] ?? "nil")" }
  }
  /// The lines of standard error.
  var lines: [Substring] { errors.split(separator: "\n") }

  var description: String { "status \(status), errors \(errors)" }
}

extension Program {
  /// Runs the program until it exits.
  ///
  /// - Parameters:
  ///   - input: the file for standard input; empty by default.
  ///   - output: the file for standard output; by default, the output is returned.
  func run(
    _ arguments: String..., input: String = "/dev/null", output: String? = nil,
    folder: String? = nil
  ) async throws -> Outcome {
    try await run(arguments, input: input, output: output, folder: folder)
  }

  /// Runs the program to its end.
  func run(
    _ arguments: [String], input: String = "/dev/null", output: String? = nil,
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
    let outputPath = output ?? scratch.path("output")
    let running = try start(
      bytes: arguments, input: input, output: outputPath, errors: scratch.path("errors"),
      folder: folder)
    let status = await running.end()
    return Outcome(
      status: status, output: output == nil ? try Data(contentsOf: scratch.url("output")) : Data(),
      errors: String(decoding: try Data(contentsOf: scratch.url("errors")), as: UTF8.self))
  }

  /// Runs a shell command.
  static func shell(_ line: String, folder: String) async throws -> Outcome {
    var shell = Program("sh")
    shell.path = "/bin/sh"
    return try await shell.run("-c", line, folder: folder)
  }

  /// Longer than any image takes on a busy machine: the default limit is wall time.
  static let patience = ["--limit-seconds", "600"]

  /// The arguments with that limit, for commands that have it; a limit in a test comes later and
  /// takes precedence.
  private func patient(_ arguments: [[UInt8]]) -> [[UInt8]] {
    let commands = ["crop", "batch", "targets"].map { Array($0.utf8) }
    guard path.hasSuffix("/cropkit"), let command = arguments.first, commands.contains(command)
    else { return arguments }
    return [command] + Self.patience.map { Array($0.utf8) } + arguments.dropFirst()
  }

  /// Starts the program, which runs as long as the result is retained.
  func start(
    _ arguments: [String], input: String = "/dev/null", output: String, errors: String,
    folder: String? = nil
  ) throws -> RunningProgram {
    try start(
      bytes: arguments.map { Array($0.utf8) }, input: input, output: output, errors: errors,
      folder: folder)
  }

  /// Starts the program with arguments of any bytes.
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
    // Foundation opens some files without O_CLOEXEC: other tests' files would count against a
    // program whose open files are limited.
    for descriptor in Int32(3)..<1024 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    let prefix = folder.map { ["/usr/bin/env", "-C", $0, path] } ?? [path]
    var words = (prefix.map { Array($0.utf8) } + patient(arguments)).map { word in
      strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process = pid_t()
    var error = posix_spawn(&process, prefix[0], &actions, nil, words, environ)
    // A program that was just copied is busy while a child of another test, which has not called
    // exec yet, has it open.
    for _ in 0..<3000 where error == ETXTBSY {
      usleep(20_000)
      error = posix_spawn(&process, prefix[0], &actions, nil, words, environ)
    }
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    return RunningProgram(process)
  }
}
