import CSystemCalls
import Glibc

/// The program that runs.
public enum OwnProgram {
  /// Its arguments as they came, its name first: any bytes but zero.
  ///
  /// `CommandLine` looks for them in `/proc/self/maps`, and has none where that can't be read.
  public static let arguments: [[UInt8]] = {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = Int(ckc_system_arguments(&list))
    return (0..<count).compactMap { list?[$0].map { bytes($0) } }
  }()

  /// Its path; nil if the system can't say.
  public static var path: String? {
    guard let path = ckc_system_program() else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// Where the program `name` is that belongs to this one: beside it, then in `../libexec/cropkit`; nil
  /// if it is in neither place.
  public static func helper(_ name: String) -> String? {
    guard let path, let slash = path.lastIndex(of: "/") else { return nil }
    let folder = path[..<slash]
    let places = ["\(folder)/\(name)", "\(folder)/../libexec/cropkit/\(name)"]
    return places.first { access($0, X_OK) == 0 }
  }

  /// Opens standard input, output and error where they are closed (`>&-`), so that no other file gets
  /// their number and what is meant for one of them. Reading from one or writing to it still fails.
  ///
  /// To be called before anything is opened.
  public static func holdStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where ckc_system_fcntl(stream, F_GETFD, 0) < 0 {
      // The lowest number that is free is this one. It goes on to programs that are started.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Refuses a standard output that nothing can be written to.
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
