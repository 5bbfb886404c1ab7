import ArgumentParser
import CropImaging
import Glibc

/// A file named on the command line, by any bytes or as a `file:` address; `-` is standard input or output.
struct FileArgument: ExpressibleByArgument, Equatable {
  let path: PathBytes

  init(argument: String) {
    let bytes = RawArguments.bytes(of: argument)
    path = PathBytes(Address(bytes)?.localPath ?? bytes)
  }

  init(path: PathBytes) { self.path = path }

  /// The folder that it lies in.
  var folder: FileArgument { FileArgument(path: path.split.folder) }

  /// The path for a person; what is not UTF-8 is shown as a replacement character.
  var name: String { path.name }

  /// Whether standard input or output is meant.
  var isStandardStream: Bool { path.bytes == [UInt8(ascii: "-")] }

  /// What follows the last dot of the last component, nil without one.
  var fileExtension: String? {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex, !last.hasSuffix(".") else {
      return nil
    }
    return String(last[last.index(after: dot)...])
  }

  /// The format that the file name's extension asks for; nil without a known extension.
  ///
  /// - Throws: `CropError.usage` for an extension that stands for none of the formats.
  func format() throws(CropError) -> PictureFormat? {
    guard let fileExtension, !isStandardStream else { return nil }
    guard let format = PictureFormat(fileExtension: fileExtension) else {
      let known = PictureFormat.allCases.map(\.fileExtension).joined(separator: ", ")
      throw .usage(
        detail: "\(name): no format is known by .\(fileExtension); end the name in one of "
          + "\(known), or say --format")
    }
    return format
  }

  /// Opens the picture, or what it is called, to be read.
  ///
  /// - Throws: `CropError.usage` for a terminal in place of a picture or a foreign address, otherwise as
  ///   `PictureSource.init(path:limits:)`.
  func source(
    limits: Limits, called what: String = "picture"
  ) throws(CropError) -> PictureSource {
    if isStandardStream {
      guard isatty(STDIN_FILENO) == 0 else {
        throw .usage(detail: "standard input is a terminal; pipe a \(what) into it")
      }
      return try .standardInput(limits: limits)
    }
    try checkIsLocal()
    return try PictureSource(path: path, limits: limits)
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}
