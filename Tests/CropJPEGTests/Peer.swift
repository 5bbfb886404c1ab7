import Foundation
import Testing

/// The programs of libjpeg-turbo, run on files of a temporary folder.
enum Peer {
  /// Whether they are there; said aloud once if they aren't.
  static let isThere: Bool = {
    let found = ["cjpeg", "jpegtran"].allSatisfy { path(of: $0) != nil }
    if !found { print("SKIPPED: comparisons with jpegtran; install libjpeg-turbo-progs") }
    return found
  }()

  /// How many times as many seeds are tried as in a quick run.
  static let thoroughness: Int =
    ProcessInfo.processInfo.environment["CROPKIT_SOAK"] == nil ? 1 : 20

  private static func path(of program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What `program` writes for `input`; nil if it fails.
  static func run(_ program: String, _ arguments: [String], on input: [UInt8]) -> [UInt8]? {
    guard let path = path(of: program) else { return nil }
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

/// Makes pictures that have something to compress everywhere.
enum TestPicture {
  /// Smooth shapes and noise as PPM, or PGM if gray; the seed decides about both.
  static func netpbm(width: Int, height: Int, isGray: Bool, random: inout Seeded) -> [UInt8] {
    var bytes = Array("\(isGray ? "P5" : "P6") \(width) \(height) 255\n".utf8)
    let channels = isGray ? 1 : 3
    let noise = random.element([0, 2, 30, 200])
    let period = random.int(5...60)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels {
          let shape = ((x * (c + 1) / period + y / (period + c)) % 7) * 36
          let grain = noise == 0 ? 0 : Int(random.next() % UInt64(noise))
          bytes.append(UInt8(clamping: shape + grain - noise / 2))
        }
      }
    }
    return bytes
  }

  /// A JPEG by cjpeg with arguments that the seed chooses; nil for want of cjpeg.
  static func jpeg(
    width: Int, height: Int, isGray: Bool = false, arguments: [String], random: inout Seeded
  ) -> [UInt8]? {
    let picture = netpbm(width: width, height: height, isGray: isGray, random: &random)
    return Peer.run("cjpeg", arguments, on: picture)
  }
}

/// Files with few words.
enum Files {
  static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static func read(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
