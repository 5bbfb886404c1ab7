import CSystemCalls
import Glibc

/// The destination of a save: a name in an open folder, with symbolic links resolved.
struct SaveTarget {
  /// The name in messages: the path as given.
  let path: String
  let folder: Descriptor
  /// The name inside `folder`, as a C string.
  let name: [CChar]
  var nameBytes: PathBytes { PathBytes(name.dropLast().map(UInt8.init(bitPattern:))) }
  /// The status of the existing file.
  let existing: stat?
  /// The existing file, open, if it is the input itself.
  let input: ImageSource?
  /// The permissions of a new file, before the process's mask: a result must not be readable for
  /// users who can't read its input.
  var newMode: mode_t = 0o666

  /// Examines `path`, and throws if a save there can't succeed.
  init(
    _ place: PathBytes, replacing: AtomicFile.Replacing, input: ImageSource?
  ) throws(CropError) {
    path = place.name
    guard !place.bytes.isEmpty, !place.bytes.contains(0) else {
      throw .outputUncreatable(path: path, detail: "this is not a file name")
    }
    let (parent, last) = Self.followingLinks(place).split
    guard !last.bytes.isEmpty, last.name != ".", last.name != ".." else {
      throw .outputUncreatable(path: path, detail: "this is a folder; add a file name")
    }
    name = last.terminated
    let opened = ckc_system_open(parent.terminated, O_RDONLY | O_DIRECTORY, 0)
    guard opened >= 0 else {
      throw Self.folderProblem(errno, path: path, folder: parent.name)
    }
    folder = Descriptor(adopting: opened)
    if let special = Self.special(name, in: folder) {
      existing = special
    } else {
      existing = try Self.existing(name, in: folder, path: path)
    }
    self.input = Self.same(existing, as: input)
    try refuse(replacing)
    if let mode = input?.mode { newMode = (mode | 0o600) & 0o666 }
  }

  /// Examines the name `place` directly in `folder`.
  init(
    _ place: PathBytes, in folder: ConfinedFolder, replacing: AtomicFile.Replacing,
    input: ImageSource?
  ) throws(CropError) {
    path = place.name
    guard !place.bytes.isEmpty, !place.bytes.contains(0), !place.bytes.contains(UInt8(ascii: "/")),
      place.name != ".", place.name != ".."
    else { throw .outputUncreatable(path: path, detail: "this is not a file name") }
    name = place.terminated
    self.folder = folder.file
    existing = try Self.existing(name, in: folder.file, path: path)
    self.input = Self.same(existing, as: input)
    try refuse(replacing)
    if let mode = input?.mode { newMode = (mode | 0o600) & 0o666 }
  }

  private static func same(_ existing: stat?, as input: ImageSource?) -> ImageSource? {
    guard let existing, let identity = input?.identity, identity == FileIdentity(existing) else {
      return nil
    }
    return input
  }

  /// The device or pipe at the name, if any. A link to one may not have a valid path, such as
  /// /dev/stdout in a pipeline.
  private static func special(_ name: [CChar], in folder: Descriptor) -> stat? {
    var status = stat()
    guard fstatat(folder.raw, name, &status, 0) == 0, status.kind != S_IFREG,
      status.kind != S_IFDIR
    else { return nil }
    return status
  }

  private static func existing(
    _ name: [CChar], in folder: Descriptor, path: String
  ) throws(CropError) -> stat? {
    var status = stat()
    if fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    guard errno == ENOENT else { throw .outputUncreatable(path: path, detail: words(for: errno)) }
    return nil
  }

  /// The status of a name in the folder, or of the link itself; nil if it does not exist.
  func status(of name: UnsafePointer<CChar>) -> stat? {
    var status = stat()
    return fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Whether the target is a device, a pipe or a socket. It is written to directly, because no
  /// existing data can be lost.
  var isSpecial: Bool {
    guard let existing else { return false }
    return existing.kind != S_IFREG && existing.kind != S_IFLNK
  }

  /// Throws if no file can be created in the folder.
  func checkFolder() throws(CropError) {
    guard !isSpecial else { return }
    guard faccessat(folder.raw, ".", W_OK | X_OK, 0) == 0 else {
      throw .outputUncreatable(path: path, detail: "its folder: \(words(for: errno))")
    }
  }

  private func refuse(_ replacing: AtomicFile.Replacing) throws(CropError) {
    guard let existing else { return }
    if existing.kind == S_IFDIR {
      throw .outputUncreatable(path: path, detail: "a folder has this name; choose another")
    }
    if isSpecial { return }
    if input != nil {
      guard case .input = replacing else { throw .outputIsInput(path: path) }
      return
    }
    if case .nothing = replacing { throw .outputExists(path: path) }
  }

  /// The path after following a link at its end, so that the file behind it is replaced and not the
  /// link.
  private static func followingLinks(_ path: PathBytes) -> PathBytes {
    var status = stat()
    guard lstat(path.terminated, &status) == 0, status.kind == S_IFLNK,
      let real = realpath(path.terminated, nil)
    else { return path }
    defer { free(real) }
    return PathBytes(Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }

  private static func folderProblem(_ error: Int32, path: String, folder: String) -> CropError {
    switch error {
    case ENOENT:
      .outputUncreatable(path: path, detail: "the folder \(folder) does not exist; create it first")
    case ENOTDIR: .outputUncreatable(path: path, detail: "\(folder) is not a folder")
    default: .outputUncreatable(path: path, detail: "the folder \(folder): \(words(for: error))")
    }
  }
}
