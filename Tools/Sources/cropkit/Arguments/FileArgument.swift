import ArgumentParser
import CropImaging
import Glibc

/// A file named on the command line, by any bytes; `-` is standard input or output.
struct FileArgument: ExpressibleByArgument {
  /// The exact bytes of the path.
  let bytes: [UInt8]

  init(argument: String) {
    bytes = RawArguments.bytes(of: argument)
  }

  /// The path for a person; what is not UTF-8 is shown as a replacement character.
  var name: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether standard input or output is meant.
  var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }

  /// What follows the last dot of the last component, nil without one.
  var fileExtension: String? {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
    return String(last[last.index(after: dot)...])
  }

  /// Opens the picture to be read.
  ///
  /// - Throws: `CropError.usage` for a terminal in place of a picture, otherwise as
  ///   `PictureSource.init(path:limits:)`.
  func source(limits: Limits) throws(CropError) -> PictureSource {
    if isStandardStream {
      guard isatty(STDIN_FILENO) == 0 else {
        throw .usage(detail: "standard input is a terminal; pipe a picture into it")
      }
      return try .standardInput(limits: limits)
    }
    if let path = String(validating: bytes, as: UTF8.self) {
      return try PictureSource(path: path, limits: limits)
    }
    // Not blocking, as a named pipe without a writer must not be a hang.
    let path = bytes.map(CChar.init(bitPattern:)) + [0]
    let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR, ENAMETOOLONG: throw .inputMissing(file: name)
      default: throw .inputUnreadable(file: name, detail: String(cString: strerror(errno)))
      }
    }
    return try PictureSource(adopting: descriptor, name: name, limits: limits)
  }
}
