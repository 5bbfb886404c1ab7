import CropArguments
import Foundation
import Glibc
import TestMaterial
import Testing

/// An invalid option prints one line with the expected values.
struct MistakeTests {
  /// The options of each command that have a value.
  private static func options(of program: Program) async throws -> [(
    command: [String], option: String
  )] {
    let outcome = try await program.run("--experimental-dump-help")
    let help = try JSONDecoder().decode(Help.self, from: outcome.output)
    let commands =
      [([], help.command)] + (help.command.subcommands ?? []).map { ([$0.commandName], $0) }
    return commands.flatMap { words, command in
      (command.arguments ?? []).filter { $0.kind == "option" }.compactMap { argument in
        argument.names?.first { $0.kind == "long" }.map { (words, $0.name) }
      }
    }
  }

  private struct Help: Decodable {
    let command: Command

    struct Command: Decodable {
      let commandName: String
      let arguments: [Argument]?
      let subcommands: [Command]?
    }

    struct Argument: Decodable {
      let kind: String
      let names: [Name]?
    }

    struct Name: Decodable {
      let kind: String
      let name: String
    }
  }

  /// Options whose value is the name of a file or any text.
  private static let takingAnything: Set = [
    "focus", "recipe", "crop-from", "output", "directory", "name", "backup", "targets",
    "write-regions",
  ]

  @Test func `every option that refuses a value names what it expects`() async throws {
    let options = try await Self.options(of: .cropkit).filter { $0.0 != ["serve"] }
    for (command, option) in Thorough.all(options, or: 12) {
      // The image is missing, so that a command with an accepted value does nothing. A word after
      // --trim that is not a tolerance is an image.
      let words = command + (option == "trim" ? ["--trim=?!"] : ["--\(option)", "?!"])
      let outcome = try await Program.cropkit.run(words)
      #expect(outcome.status == 64 && outcome.lines.count == 1, "\(words): \(outcome)")
      #expect(!outcome.errors.contains("is invalid"), "\(words): \(outcome)")
      let isRefused = outcome.errors.hasPrefix("cropkit: --\(option) ?!: expected ")
      #expect(isRefused != Self.takingAnything.contains(option), "\(words): \(outcome)")
    }
  }

  @Test(arguments: ["port", "queue", "connections", "jobs", "limit-pixels", "limit-memory"])
  func `the server's options name what they expect`(option: String) async throws {
    let outcome = try await Program.server.run("--\(option)", "?!")
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.hasPrefix("cropkit: --\(option) ?!: expected a "), "\(outcome)")
  }

  @Test(arguments: [
    ("--aspect", "1;5", "such as 16:9"), ("--rect", "10,10,20", "such as 100,50,800,600"),
    ("--max-bytes", "10kB", "200K"), ("--rotate", "45", "expected 90, 180 or 270"),
    ("--gravity", "nort", "expected center, north, "), ("--flip", "x", "horizontal or vertical"),
    ("--size", "it's is invalid for 'it", "--size it's is invalid for 'it: expected "),
  ])
  func `the form is named with an example`(option: String, value: String, words: String)
    async throws
  {
    let outcome = try await Program.cropkit.run("crop", "a.jpg", option, value, "-o", "b.jpg")
    #expect(outcome.status == 64 && outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.errors.hasSuffix("; see 'cropkit crop --help'\n"), "\(outcome)")
  }

  @Test func `an option without its value shows what it expects`() {
    #expect(
      OptionMistake("Missing value for '--aspect <w:h>'").words
        == "--aspect needs a value: WIDTH:HEIGHT or a number, such as 16:9, 16x9, 1.91:1 or 1.5")
    #expect(OptionMistake("Missing value for '-o <out>'").words == "-o needs a value")
  }

  @Test(arguments: [
    ("--asect", "--aspect"), ("--qualty", "--quality"), ("--roatte", "--rotate"),
    ("--subsmapling", "--subsampling"), ("--max-bite", "--max-side"),
  ])
  func `a typo shows the nearest option`(option: String, near: String) {
    let message = "Unknown option '\(option)'. Did you mean '\(near)'?"
    #expect(
      OptionMistake(message).words == "unknown option \(option) (did you mean \(near)?)")
  }

  @Test(arguments: [
    ("--turn", "--rotate"), ("--mirror", "--flip"), ("--resize", "--size, "),
    ("--square", "--aspect 1:1"), ("--explain", "--dry-run --json"),
  ])
  func `an option of another name is named`(option: String, name: String) {
    let words = OptionMistake("Unknown option '\(option)'").words
    #expect(words.hasPrefix("unknown option \(option); use \(name)"))
  }

  @Test(arguments: [("--width", "--tilt"), ("--top", "--to"), ("--left", "--set")])
  func `another word is not`(option: String, far: String) {
    // Only --to is near: it has one letter less.
    let message = "Unknown option '\(option)'. Did you mean '\(far)'?"
    let isNear = option == "--top"
    #expect(OptionMistake(message).words.contains("did you mean") == isNear)
  }

  @Test func `no other option is suggested for one that is far from all`() async throws {
    let outcome = try await Program.cropkit.run("crop", "a.jpg", "--sharpen", "9", "-o", "b.jpg")
    #expect(outcome.errors == "cropkit: unknown option --sharpen; see 'cropkit crop --help'\n")
  }

  @Test func `help that can't be written fails`() async throws {
    for words in [["--help"], ["crop", "--help"], ["--version"], []] {
      let outcome = try await Program.cropkit.run(words, output: "/dev/full")
      #expect(outcome.status == 74 && outcome.errors.contains("standard output"), "\(outcome)")
    }
    let outcome = try await Program.server.run("--help", output: "/dev/full")
    #expect(outcome.status == 74 && outcome.errors.contains("standard output"), "\(outcome)")
  }

  @Test func `a port in use is named, and what to do`() async throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, address, &length) == 0
      } ? Int(UInt16(bigEndian: pointer.pointee.sin_port)) : 0
    }
    try #require(port > 0)
    let outcome = try await Program.server.run("--port", "\(port)", "--library", "none")
    #expect(outcome.status == 69, "\(outcome)")
    #expect(
      outcome.lines.last
        == "cropkit: port \(port) is in use by another program; choose another with --port")
  }
}
