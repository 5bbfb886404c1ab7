import ArgumentParser
import CropCore
import CropImaging
import Glibc

/// The names of results in a folder: a pattern with `{name}`, `{ext}`, `{number}`, `{target}`,
/// `{width}` and `{height}`.
struct ResultNames: ExpressibleByArgument, Equatable {
  private let pattern: NamePattern

  /// Whether the pattern contains the target's name.
  var hasTarget: Bool { pattern.parts.contains(.target) }

  /// Whether the pattern contains the result's size.
  var hasSize: Bool { pattern.parts.contains(.width) || pattern.parts.contains(.height) }

  /// `{name}-{target}.{ext}`.
  static let ofTargets = Self(
    NamePattern([.name, .text([UInt8(ascii: "-")]), .target, .text([UInt8(ascii: ".")]), .ext]))

  private init(_ pattern: NamePattern) { self.pattern = pattern }

  /// `{name}.{ext}`.
  init() { self.init(NamePattern([.name, .text([UInt8(ascii: ".")]), .ext])) }

  /// Nil for an invalid pattern.
  init?(argument: String) {
    guard let pattern = NamePattern(RawArguments.bytes(of: argument)) else { return nil }
    self.init(pattern)
  }

  /// The output file for an input, in a folder; `size` is required if it is in the pattern.
  ///
  /// - Throws: `CropError` if the format can't be determined from the input's name or content, and
  ///   for a target whose name can't be part of a file name.
  func output(
    of input: FileArgument, number: Int, target: String? = nil, format: ImageFormat?,
    size: FrameSize? = nil, in folder: FileArgument
  ) throws(CropError) -> FileArgument {
    let last = input.lastName
    let dot = last.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == 0 ? nil : $0 }
    let named = dot == nil ? nil : input.fileExtension.flatMap(ImageFormat.init(fileExtension:))
    var result = folder.path.bytes
    if result.last != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
    for part in pattern.parts {
      switch part {
      case .text(let bytes): result += bytes
      case .name: result += input.stem
      case .number: result += Array(String(number).utf8)
      case .width: result += Array(String(size?.width ?? 0).utf8)
      case .height: result += Array(String(size?.height ?? 0).utf8)
      case .target: result += try Self.bytes(ofTarget: target ?? "")
      case .ext:
        if let dot, let named, format == nil || format == named {
          result += last[(dot + 1)...]
        } else if let format {
          result += Array(format.fileExtension.utf8)
        } else {
          // A name without a known extension does not show the format, so read the content.
          result += Array(try input.formatOfContent().fileExtension.utf8)
        }
      }
    }
    return FileArgument(argument: RawArguments.text(for: result))
  }
}

extension ResultNames {
  /// - Throws: `CropError.usage` for a name that would lead elsewhere, or not to a file.
  private static func bytes(ofTarget name: String) throws(CropError) -> [UInt8] {
    guard !name.isEmpty else { throw .usage(detail: "a target has no name") }
    guard !name.contains("/"), !name.utf8.contains(0) else {
      throw .usage(
        detail: "\(name.onOneLine): a target's name becomes part of a file name, so it "
          + "can't contain a slash")
    }
    return RawArguments.bytes(of: name)
  }
}

extension FileArgument {
  /// The last component of the path.
  fileprivate var lastName: [UInt8] {
    path.bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
  }

  /// The last component without its extension.
  var stem: [UInt8] {
    let last = lastName
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return last }
    return Array(last[..<dot])
  }

  /// The format, determined from the first bytes of the file.
  ///
  /// - Throws: `CropError` for an unreadable file or one that is not an image, and `.usage` for a
  ///   pipe, which can be read only once.
  fileprivate func formatOfContent() throws(CropError) -> ImageFormat {
    var status = stat()
    if stat(cString, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw .usage(detail: "\(name): a pipe has no file extension; set the format with --format")
    }
    return try ImageFormat(contentOf: source(limits: Limits(bytes: .max)))
  }

  /// Creates a folder with this name, unless it exists.
  ///
  /// - Throws: `CropError.outputUncreatable`, and `CropError.usage` for a URL that is not a file's.
  func makeFolder() throws(CropError) {
    try checkIsLocal()
    guard mkdir(cString, 0o777) != 0 else { return }
    let error = errno
    guard !isFolder else { return }
    throw .outputUncreatable(
      path: name,
      detail: error == EEXIST
        ? "a file with this name exists"
        : error == ENOENT
          ? "its folder does not exist" : String(cString: strerror(error)))
  }

  /// Whether a folder with this name exists.
  var isFolder: Bool {
    var status = stat()
    return stat(cString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private var cString: [CChar] { path.bytes.map(CChar.init(bitPattern:)) + [0] }
}
