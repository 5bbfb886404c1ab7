import CSystemCalls
import Glibc

/// The running program: its arguments, its path and its standard streams.
public enum OwnProgram {
  /// The raw arguments, starting with the program's name: any bytes except zero.
  ///
  /// They are read directly because `CommandLine` reads them from `/proc/self/maps` and is empty if
  /// that fails.
  public static let arguments: [[UInt8]] = {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = Int(ckc_system_arguments(&list))
    return (0..<count).compactMap { list?[$0].map { bytes($0) } }
  }()

  /// The path of the program; nil if the system can't report it.
  public static var path: String? {
    guard let path = ckc_system_program() else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// The path of a helper program that is installed with this one: in the same folder or in
  /// `../libexec/cropkit`; nil if it is in neither.
  public static func helper(_ name: String) -> String? {
    guard let path, let slash = path.lastIndex(of: "/") else { return nil }
    let folder = path[..<slash]
    let places = ["\(folder)/\(name)", "\(folder)/../libexec/cropkit/\(name)"]
    return places.first { access($0, X_OK) == 0 }
  }

  /// Opens standard input, output and error if they are closed (`>&-`), so that no other file gets
  /// their numbers and receives what is written to them. Reading from or writing to them still
  /// fails.
  ///
  /// Call this before opening anything else.
  public static func holdStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where ckc_system_fcntl(stream, F_GETFD, 0) < 0 {
      // `open` uses the lowest free number, which is this one. Child processes inherit it.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Checks that standard output can be written to.
  ///
  /// - Throws: ``CropError/outputUncreatable(path:detail:)``.
  public static func checkStandardOutput() throws(CropError) {
    let flags = ckc_system_fcntl(STDOUT_FILENO, F_GETFL, 0)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
      throw .outputUncreatable(path: "standard output", detail: "it is closed or can only be read")
    }
  }

  /// Writes text to standard output.
  ///
  /// - Throws: ``CropError/writeFailed(path:detail:)`` or ``CropError/diskFull(path:)``.
  public static func writeToStandardOutput(_ text: String) throws(CropError) {
    let bytes = Array(text.utf8)
    let error = bytes.withUnsafeBytes { buffer -> CropError? in
      do throws(CropError) {
        try Descriptor.writeAll(buffer, to: STDOUT_FILENO, path: "standard output")
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
