import ArgumentParser
import CropImaging
import Glibc

/// A file on the command line: a path of any bytes, or a `file:` URL. `-` is standard input or
/// output.
struct FileArgument: ExpressibleByArgument, Equatable {
  let path: PathBytes

  init(argument: String) {
    let bytes = RawArguments.bytes(of: argument)
    path = PathBytes(Address(bytes)?.localPath ?? bytes)
  }

  init(path: PathBytes) { self.path = path }

  var folder: FileArgument { FileArgument(path: path.split.folder) }

  /// The path for messages; invalid UTF-8 is shown as replacement characters.
  var name: String { path.name }

  /// Whether it means standard input or output.
  var isStandardStream: Bool { path.bytes == [UInt8(ascii: "-")] }

  /// The text after the last dot of the last component; nil without a dot.
  var fileExtension: String? {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex, !last.hasSuffix(".") else {
      return nil
    }
    return String(last[last.index(after: dot)...])
  }

  /// The format for the file name's extension; nil without a known extension.
  ///
  /// - Throws: `CropError.usage` for an extension of an unsupported format.
  func format() throws(CropError) -> ImageFormat? {
    guard let fileExtension, !isStandardStream else { return nil }
    guard let format = ImageFormat(fileExtension: fileExtension) else {
      let known = ImageFormat.allCases.map(\.fileExtension).joined(separator: ", ")
      throw .usage(
        detail: "\(name): .\(fileExtension) is not a known file extension; use one of "
          + "\(known), or set the format with --format")
    }
    return format
  }

  /// Opens the file for reading. Messages call it an image, or what the second argument says.
  ///
  /// - Throws: `CropError.usage` for a terminal or a URL of another scheme, otherwise as
  ///   `ImageSource.init(path:limits:)`.
  func source(
    limits: Limits, called what: String = "an image"
  ) throws(CropError) -> ImageSource {
    if isStandardStream {
      guard isatty(STDIN_FILENO) == 0 else {
        throw .usage(detail: "standard input is a terminal; pipe \(what) into it")
      }
      return try .standardInput(limits: limits)
    }
    try checkIsLocal()
    return try ImageSource(path: path, limits: limits)
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}
