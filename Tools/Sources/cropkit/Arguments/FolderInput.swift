import CropImaging
import Glibc

/// An image that is named on the command line, or that is in a named folder.
struct FolderInput {
  let file: FileArgument
  /// The folders between the named folder and the image.
  var folders: [[UInt8]] = []

  /// The inputs, with each folder replaced by its images, sorted by name. Images in subfolders are
  /// only included if `isRecursive`; images in `results` never are.
  ///
  /// - Throws: `CropError.usage` for a folder without images, `CropError.readFailed` for an
  ///   unreadable one.
  static func all(
    _ inputs: [FileArgument], isRecursive: Bool, besides results: FileArgument?
  ) throws(CropError) -> [FolderInput] {
    let left = results?.fileNumber
    var all: [FolderInput] = []
    for input in inputs {
      guard !input.isStandardStream, input.isFolder else {
        all.append(FolderInput(file: input))
        continue
      }
      let found = try pictures(in: input, [], isRecursive, besides: left)
      guard !found.isEmpty else {
        throw .usage(
          detail: "\(input.name): no images in this folder"
            + (isRecursive ? "" : "; use -r to include its subfolders"))
      }
      all += found
    }
    return all
  }

  /// The folders for the results of `inputs` in a directory; parents come first.
  static func folders(of inputs: [FolderInput], in directory: FileArgument) -> [FileArgument] {
    [directory]
      + inputs.flatMap { input in
        input.folders.indices.map { directory.appending(Array(input.folders[...$0])) }
      }
  }

  private static func pictures(
    in folder: FileArgument, _ folders: [[UInt8]], _ isRecursive: Bool, besides left: FileNumber?
  ) throws(CropError) -> [FolderInput] {
    var found: [FolderInput] = []
    var inner: [[UInt8]] = []
    for name in try folder.names() where name.first != UInt8(ascii: ".") {
      let file = folder.appending([name])
      switch file.kind {
      case .file where file.fileExtension.flatMap(ImageFormat.init(fileExtension:)) != nil:
        found.append(FolderInput(file: file, folders: folders))
      // A link to a folder is not followed, since it may lead to a parent.
      case .folder where isRecursive:
        if left == nil || file.fileNumber != left { inner.append(name) }
      default: break
      }
    }
    for name in inner {
      found += try pictures(
        in: folder.appending([name]), folders + [name], isRecursive, besides: left)
    }
    return found
  }
}

/// Identifies a file, independent of its name.
private struct FileNumber: Equatable {
  let device: dev_t
  let number: ino_t
}

/// The type of a directory entry.
private enum FileKind {
  /// A file, or a link to one.
  case file
  /// A folder, not a link to one.
  case folder
  case other
}

extension FileArgument {
  /// Appends path components to this folder.
  func appending(_ names: [[UInt8]]) -> FileArgument {
    var bytes = path.bytes
    for name in names {
      if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += name
    }
    return FileArgument(path: PathBytes(bytes))
  }

  fileprivate var fileNumber: FileNumber? {
    var status = stat()
    guard stat(path.terminated, &status) == 0 else { return nil }
    return FileNumber(device: status.st_dev, number: status.st_ino)
  }

  fileprivate var kind: FileKind {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { return .other }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    guard stat(path.terminated, &status) == 0 else { return .other }
    return status.st_mode & S_IFMT == S_IFREG ? .file : .other
  }

  /// The names in this folder, sorted by their bytes.
  ///
  /// - Throws: `CropError.readFailed`.
  fileprivate func names() throws(CropError) -> [[UInt8]] {
    guard let stream = opendir(path.terminated) else {
      throw .readFailed(file: name, detail: String(cString: strerror(errno)))
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
