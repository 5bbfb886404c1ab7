import CropImaging
import Foundation
import Glibc

/// Where the shipped sample pictures are.
enum SampleFolder {
  /// The folder in the installed or built tree this program belongs to; nil if there is none.
  static var path: String? {
    guard let program = OwnProgram.path, let slash = program.lastIndex(of: "/") else {
      return nil
    }
    let folder = program[..<slash]
    // bin/ of the sources; libexec/cropkit and bin of an installation.
    return [
      "\(folder)/../Samples", "\(folder)/../../share/cropkit/samples",
      "\(folder)/../share/cropkit/samples",
    ].first { access($0, R_OK | X_OK) == 0 }
  }
}

/// The folder that the program was started in.
struct WorkingFolder {
  private let folder: String?

  init() {
    let path = getcwd(nil, 0)
    defer { free(path) }
    folder = path.map { String(cString: $0) }
  }

  /// What a path that may start from this folder is from anywhere.
  func path(_ path: String) -> String {
    guard let folder, !path.isEmpty, !path.hasPrefix("/") else { return path }
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }

  /// The same of a path of any bytes.
  func path(_ path: PathBytes) -> PathBytes {
    guard let folder, path.bytes.first != UInt8(ascii: "/") else { return path }
    return PathBytes(Array((folder == "/" ? "/" : "\(folder)/").utf8) + path.bytes)
  }

  /// Leaves it: a disk that a program works in can't be taken out.
  static func leave() { _ = chdir("/") }
}

/// The browser of a person at this machine.
enum Browser {
  /// Whether there is a screen for one.
  static var isThere: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens a file. Every user can read the arguments of a process, so they hold no secret.
  static func show(_ file: String) { start(["xdg-open", file]) }

  /// Opens a file in a window of its own, where there is a browser that has such, else as ``show(_:)``.
  static func showWindow(_ file: String) {
    guard let browser = names.lazy.compactMap(program).first else { return show(file) }
    start([browser, "--app=\(URL(fileURLWithPath: file).absoluteString)"])
  }

  /// Browsers that know windows without a bar of addresses.
  private static let names = [
    "chromium", "google-chrome", "google-chrome-stable", "chromium-browser",
  ]

  /// Where a program is; nil where it is not there or, as a snap, can't read the file.
  private static func program(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.lazy.map { "\($0)/\(name)" }.first { path in
      access(path, X_OK) == 0
        && !URL(fileURLWithPath: path).resolvingSymlinksInPath().path.hasSuffix("/snap")
    }
  }

  private static func start(_ words: [String]) {
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    opener.arguments = words
    opener.standardInput = FileHandle.nullDevice
    opener.standardOutput = FileHandle.nullDevice
    opener.standardError = FileHandle.nullDevice
    try? opener.run()
  }
}
