import CropImaging
import FoundationEssentials
import Glibc

/// What the program says: machine output on standard output, everything else on standard error.
enum Terminal {
  /// One line on standard error, under the program's name.
  static func complain(_ message: String) {
    let line = "cropkit: \(message.onOneLine)\n"
    try? write(Array(line.utf8), to: STDERR_FILENO, name: "standard error")
  }

  /// One line on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func print(_ line: String) throws(CropError) {
    try write(Array("\(line)\n".utf8), to: STDOUT_FILENO, name: "standard output")
  }

  /// A value as one line of JSON on standard output, keys in alphabetical order.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func print(json value: some Encodable) throws(CropError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try print(String(decoding: encoder.encode(value), as: UTF8.self))
    } catch let error as CropError {
      throw error
    } catch {
      throw .writeFailed(path: "standard output", detail: "\(error)")
    }
  }

  /// Whether standard output is a pipe that nobody reads from any more.
  static var isUnread: Bool {
    var look = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&look, 1, 0) > 0 && look.revents & Int16(POLLERR) != 0
  }

  /// Bytes on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func write(_ bytes: Data) throws(CropError) {
    try write(bytes, to: STDOUT_FILENO, name: "standard output")
  }

  private static func write(
    _ bytes: some ContiguousBytes & Collection<UInt8>, to descriptor: Int32, name: String
  ) throws(CropError) {
    let error: Int32 = bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return errno }
        done += count
      }
      return 0
    }
    switch error {
    case 0: return
    case ENOSPC, EDQUOT: throw .diskFull(path: name)
    case EBADF: throw .writeFailed(path: name, detail: "it is closed or can only be read")
    default: throw .writeFailed(path: name, detail: String(cString: strerror(error)))
    }
  }
}

extension String {
  /// The text with `?` in place of what would break a line or steer a terminal, as file names may.
  var onOneLine: String { CropError.line(self) }
}
