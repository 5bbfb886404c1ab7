import FoundationEssentials
import Glibc

/// The desktop's web browser.
enum Browser {
  /// Whether a display is available for one.
  static var isAvailable: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens a file. Every user can read the arguments of a process, so they hold no secret.
  static func show(_ file: String) { _ = start(["xdg-open", file]) }

  /// Opens a file in a separate window if the browser can do that, otherwise like ``show(_:)``. Blocks
  /// until the browser has loaded the page, for some seconds at most.
  ///
  /// - Parameter file: a file that is removed once a browser has opened it.
  /// - Returns: false if all browsers failed.
  static func showWindow(_ file: String) -> Bool {
    let window = names.lazy.compactMap(program).first.map { browser in
      [browser, "--app=\(URL(fileURLWithPath: file).absoluteString)"]
    }
    if let window, opens(file, window) { return true }
    return opens(file, ["xdg-open", file])
  }

  /// How long a browser may take before it is trusted to show the page later.
  private static let patience = Duration.seconds(10)

  /// Whether a browser opens a file, or hands it to one that runs already.
  private static func opens(_ file: String, _ words: [String]) -> Bool {
    guard let browser = start(words) else { return false }
    let end = ContinuousClock.now + patience
    while access(file, F_OK) == 0, ContinuousClock.now < end {
      if !browser.isRunning { return browser.terminationStatus == 0 }
      usleep(20_000)
    }
    return true
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

  private static func start(_ words: [String]) -> BackgroundProgram? {
    BackgroundProgram(words)
  }
}
