import CropImaging
import Glibc

/// The program that holds the server.
enum ServerProgram {
  /// Replaces this program by it.
  ///
  /// - Parameter words: its arguments.
  /// - Returns: why that can't be.
  static func become(_ words: [[UInt8]]) -> CropError {
    guard let server = OwnProgram.helper("cropkit-server") else {
      return .componentMissing(
        component: "cropkit-server",
        advice:
          "install it beside cropkit or in ../libexec/cropkit; Debian: the package cropkit-server")
    }
    let all = [Array(server.utf8)] + words
    let arguments = all.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
    execv(server, arguments)
    return .componentMissing(
      component: server, advice: "it can't be started: \(String(cString: strerror(errno)))")
  }
}
