import Foundation
import Glibc

/// Where the shipped sample pictures are.
enum SampleFolder {
  /// The folder in the installed or built tree this program belongs to; nil if there is none.
  static var path: String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let program = String(cString: own)
    guard let slash = program.lastIndex(of: "/") else { return nil }
    let folder = program[..<slash]
    // bin/ of the sources; libexec/cropkit and bin of an installation.
    return [
      "\(folder)/../Samples", "\(folder)/../../share/cropkit/samples",
      "\(folder)/../share/cropkit/samples",
    ].first { access($0, R_OK | X_OK) == 0 }
  }
}

/// The browser of a person at this machine.
enum Browser {
  /// Opens an address where there is a screen; otherwise does nothing.
  static func show(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    opener.arguments = ["xdg-open", address]
    opener.standardOutput = FileHandle.nullDevice
    opener.standardError = FileHandle.nullDevice
    try? opener.run()
  }
}

/// What a browser of another machine must know.
enum Token {
  /// 24 letters and digits that nobody can guess: 120 bits.
  static func random() -> String {
    // No letters that are taken for others.
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789-_".prefix(32))
    var generator = SystemRandomNumberGenerator()
    return String((0..<24).compactMap { _ in letters.randomElement(using: &generator) })
  }
}
