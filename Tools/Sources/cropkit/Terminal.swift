import CropImaging
import FoundationEssentials
import Glibc

/// The program's output: for programs on standard output, everything else on standard error.
enum Terminal {
  /// Prints a line on standard error, after the program's name.
  static func warn(_ message: String) {
    let line = "cropkit: \(message.onOneLine)\n"
    try? write(Array(line.utf8), to: STDERR_FILENO, name: "standard error")
  }

  /// A number with its noun, such as "1 crop" or "2 crops".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Prints a line on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func print(_ line: String) throws(CropError) {
    try write(Array("\(line)\n".utf8), to: STDOUT_FILENO, name: standardOutput)
  }

  /// Prints a value as one line of JSON on standard output, with sorted keys.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func print(json value: some Encodable) throws(CropError) {
    try write(line(json: value))
  }

  /// A value as one line of JSON, with sorted keys.
  ///
  /// - Throws: `CropError.writeFailed` for a value that JSON can't represent.
  static func line(json value: some Encodable) throws(CropError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(value) + Data("\n".utf8)
    } catch {
      throw .writeFailed(path: standardOutput, detail: "\(error)")
    }
  }

  /// Whether standard output is a pipe without a reader.
  static var isUnread: Bool {
    var look = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&look, 1, 0) > 0 && look.revents & Int16(POLLERR) != 0
  }

  /// Ends the program silently, as SIGPIPE would, if standard output failed because its reader has
  /// closed it (`| head -1`).
  static func endIfUnread(_ failure: CropError) {
    guard case .writeFailed(standardOutput, _) = failure, isUnread else { return }
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    Glibc.exit(128 + SIGPIPE)
  }

  /// The name of standard output in messages.
  private static let standardOutput = "standard output"

  /// Writes bytes to standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func write(_ bytes: Data) throws(CropError) {
    try write(bytes, to: STDOUT_FILENO, name: standardOutput)
  }

  /// Writes bytes to standard output; once `isStopping`, only as far as they are read.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  static func write(_ bytes: Data, isStopping: () -> Bool) throws(CropError) {
    var rest = bytes[...]
    var stall: ContinuousClock.Instant?
    while !rest.isEmpty {
      var look = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      if poll(&look, 1, 100) > 0 {
        // A pipe that is ready accepts this number of bytes without blocking.
        try write(rest.prefix(4096), to: STDOUT_FILENO, name: standardOutput)
        rest = rest.dropFirst(4096)
        stall = nil
      } else if isStopping() {
        let start = stall ?? .now
        stall = start
        guard start.duration(to: .now) < .seconds(2) else {
          throw .writeFailed(path: standardOutput, detail: "nothing reads it")
        }
      }
    }
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
  /// The text with `?` instead of control characters, which file names may contain.
  var onOneLine: String { CropError.line(self) }
}
