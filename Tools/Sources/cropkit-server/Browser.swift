import Foundation
import Glibc

/// The desktop's web browser.
enum Browser {
  /// Whether a display is available for one.
  static var isAvailable: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens a file. Every user can read the arguments of a process, so they hold no secret.
  static func show(_ file: String) { start(["xdg-open", file]) }

  /// Opens a file in a separate window if the browser can do that, otherwise like ``show(_:)``.
  static func showWindow(_ file: String) {
    guard let browser = names.lazy.compactMap(program).first else { return show(file) }
    start([browser, "--app=\(URL(fileURLWithPath: file).absoluteString)"])
  }

  /// Browsers that can open a window without an address bar.
  private static let names = [
    "chromium", "google-chrome", "google-chrome-stable", "chromium-browser",
  ]

  /// The path of a program; nil if it is missing, or a snap, which can't read the file.
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
