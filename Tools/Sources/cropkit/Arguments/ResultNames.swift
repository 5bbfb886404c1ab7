import ArgumentParser
import CropCore
import CropImaging
import Glibc

/// What results in a folder are called: a name with `{name}`, `{ext}`, `{number}` and `{target}` in it.
struct ResultNames: ExpressibleByArgument {
  private let pattern: NamePattern

  /// Whether the target's name is in it.
  var hasTarget: Bool { pattern.parts.contains(.target) }

  /// `{name}-{target}.{ext}`.
  static let ofTargets = Self(
    NamePattern([.name, .text([UInt8(ascii: "-")]), .target, .text([UInt8(ascii: ".")]), .ext]))

  private init(_ pattern: NamePattern) { self.pattern = pattern }

  /// `{name}.{ext}`.
  init() { self.init(NamePattern([.name, .text([UInt8(ascii: ".")]), .ext])) }

  /// Nil for what is no pattern.
  init?(argument: String) {
    guard let pattern = NamePattern(RawArguments.bytes(of: argument)) else { return nil }
    self.init(pattern)
  }

  /// The result of an input, in a folder.
  ///
  /// - Throws: `CropError` for an input whose name says no format and whose content is none either or can't be
  ///   read, and for a target whose name can't be part of a file's.
  func output(
    of input: FileArgument, number: Int, target: String? = nil, format: PictureFormat?,
    in folder: FileArgument
  ) throws(CropError) -> FileArgument {
    let last = input.lastName
    let dot = last.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == 0 ? nil : $0 }
    let named = dot == nil ? nil : input.fileExtension.flatMap(PictureFormat.init(fileExtension:))
    var result = folder.path.bytes
    if result.last != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
    for part in pattern.parts {
      switch part {
      case .text(let bytes): result += bytes
      case .name: result += input.stem
      case .number: result += Array(String(number).utf8)
      case .target: result += try Self.bytes(ofTarget: target ?? "")
      case .ext:
        if let dot, let named, format == nil || format == named {
          result += last[(dot + 1)...]
        } else if let format {
          result += Array(format.fileExtension.utf8)
        } else {
          // A name without a known extension says nothing of the format; the content does.
          result += Array(try input.formatOfContent().fileExtension.utf8)
        }
      }
    }
    return FileArgument(argument: RawArguments.text(for: result))
  }
}

extension ResultNames {
  /// - Throws: `CropError.usage` for a name that would lead elsewhere, or to no file.
  private static func bytes(ofTarget name: String) throws(CropError) -> [UInt8] {
    guard !name.isEmpty else { throw .usage(detail: "a target has no name") }
    guard !name.contains("/"), !name.utf8.contains(0) else {
      throw .usage(
        detail: "\(name.onOneLine): the name of a target is part of a file's, so it has no slash")
    }
    return RawArguments.bytes(of: name)
  }
}

extension FileArgument {
  /// The last component of the path.
  fileprivate var lastName: [UInt8] {
    path.bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
  }

  /// The same without its extension.
  var stem: [UInt8] {
    let last = lastName
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return last }
    return Array(last[..<dot])
  }

  /// The format by the first bytes of the file.
  ///
  /// - Throws: `CropError` for what can't be read or is no picture, and `.usage` for a pipe, which can be read
  ///   only once.
  fileprivate func formatOfContent() throws(CropError) -> PictureFormat {
    var status = stat()
    if stat(cString, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw .usage(detail: "\(name): the name of a pipe says no format; say it with --format")
    }
    return try PictureFormat(contentOf: source(limits: Limits(bytes: .max)))
  }

  /// Makes the folder of this name, unless it is there.
  ///
  /// - Throws: `CropError.outputUncreatable`, and `CropError.usage` for an address that is no file's.
  func makeFolder() throws(CropError) {
    try checkIsLocal()
    guard mkdir(cString, 0o777) != 0 else { return }
    let error = errno
    guard !isFolder else { return }
    throw .outputUncreatable(
      path: name,
      detail: error == EEXIST
        ? "a file of this name is there"
        : error == ENOENT
          ? "the folder that it would be in is not there" : String(cString: strerror(error)))
  }

  /// Whether a folder has this name.
  var isFolder: Bool {
    var status = stat()
    return stat(cString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private var cString: [CChar] { path.bytes.map(CChar.init(bitPattern:)) + [0] }
}
