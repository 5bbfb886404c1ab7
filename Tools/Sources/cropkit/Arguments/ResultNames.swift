import ArgumentParser
import CropImaging
import Glibc

/// What results in a folder are called: a name with `{name}`, `{ext}`, `{number}` and `{target}` in it.
struct ResultNames: ExpressibleByArgument {
  /// The parts between and in braces, in turn.
  private let parts: [Part]

  private enum Part {
    case text([UInt8])
    case name, ext, number, target
  }

  /// Whether the target's name is in it.
  var hasTarget: Bool {
    parts.contains { part in
      if case .target = part { true } else { false }
    }
  }

  /// `{name}-{target}.{ext}`.
  static var ofTargets: Self {
    Self(parts: [
      .name, .text([UInt8(ascii: "-")]), .target, .text([UInt8(ascii: ".")]), .ext,
    ])
  }

  private init(parts: [Part]) { self.parts = parts }

  /// `{name}.{ext}`.
  init() { parts = [.name, .text([UInt8(ascii: ".")]), .ext] }

  /// Nil for a pattern with an unknown or open brace, a slash or nothing in it.
  init?(argument: String) {
    var parts: [Part] = []
    for (index, piece) in argument.split(separator: "{", omittingEmptySubsequences: false)
      .enumerated()
    {
      var text = piece
      if index > 0 {
        guard let end = piece.firstIndex(of: "}") else { return nil }
        switch piece[..<end] {
        case "name": parts.append(.name)
        case "ext": parts.append(.ext)
        case "number": parts.append(.number)
        case "target": parts.append(.target)
        default: return nil
        }
        text = piece[piece.index(after: end)...]
      }
      parts.append(.text(RawArguments.bytes(of: String(text))))
    }
    guard !argument.isEmpty, !argument.contains("/"), argument != ".", argument != ".." else {
      return nil
    }
    self.parts = parts
  }

  /// The result of an input, in a folder.
  ///
  /// - Throws: `CropError.usage` if there is no extension to be had for the name, and for a target whose
  ///   name can't be part of a file's.
  func output(
    of input: FileArgument, number: Int, target: String? = nil, format: PictureFormat?,
    in folder: FileArgument
  ) throws(CropError) -> FileArgument {
    let last = input.lastName
    let dot = last.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == 0 ? nil : $0 }
    let isNamed = dot != nil && input.fileExtension.map { PictureFormat(fileExtension: $0) } != nil
    var result = folder.path.bytes
    if result.last != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
    for part in parts {
      switch part {
      case .text(let bytes): result += bytes
      case .name: result += input.stem
      case .number: result += Array(String(number).utf8)
      case .target: result += try Self.bytes(ofTarget: target ?? "")
      case .ext:
        if let format, format != input.fileExtension.flatMap(PictureFormat.init(fileExtension:)) {
          result += Array(format.fileExtension.utf8)
        } else if isNamed, let dot {
          result += last[(dot + 1)...]
        } else {
          throw .usage(
            detail:
              "\(input.name): no format is known by its name; say --format for what is written")
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

  /// Makes the folder of this name, unless it is there.
  ///
  /// - Throws: `CropError.outputUncreatable`.
  func makeFolder() throws(CropError) {
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
