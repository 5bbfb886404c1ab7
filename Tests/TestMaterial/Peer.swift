import Foundation

/// The programs of libjpeg-turbo, run on files in a temporary folder.
public enum Peer {
  private static func path(of program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The output of `program` for `input`; nil if it fails. It must be installed.
  public static func run(
    _ program: String, _ arguments: [String], on input: [UInt8]
  ) -> [UInt8]? {
    guard let path = path(of: program) else {
      fatalError("\(program) is missing; install libjpeg-turbo-progs")
    }
    let folder = FileManager.default.temporaryDirectory
    let stem = folder.appendingPathComponent("cropjpeg-\(UUID().uuidString)").path
    defer {
      try? FileManager.default.removeItem(atPath: stem + ".in")
      try? FileManager.default.removeItem(atPath: stem + ".out")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments + ["-outfile", stem + ".out", stem + ".in"]
    process.standardError = FileHandle.nullDevice
    do {
      try Data(input).write(to: URL(fileURLWithPath: stem + ".in"))
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return nil }
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: stem + ".out")))
    } catch { return nil }
  }
}
