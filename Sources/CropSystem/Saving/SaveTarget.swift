import CSystemCalls
import Glibc

/// Where a save will put its file: a name in an open folder, with links followed.
struct SaveTarget {
  /// What messages call it: the path as given.
  let path: String
  let folder: Descriptor
  /// The name inside `folder`, as a C string.
  let name: [CChar]
  var nameBytes: PathBytes { PathBytes(name.dropLast().map(UInt8.init(bitPattern:))) }
  /// What is there now.
  let existing: stat?
  /// What is there now, open, where it is the input itself.
  let input: PictureSource?
  /// The permissions of a new file, less what the process's mask forbids: nobody may read a result who
  /// may not read its input.
  var newMode: mode_t = 0o666

  /// Looks at `path` and refuses what a save there could never do.
  init(
    _ place: PathBytes, replacing: AtomicFile.Replacing, input: PictureSource?
  ) throws(CropError) {
    path = place.name
    guard !place.bytes.isEmpty, !place.bytes.contains(0) else {
      throw .outputUncreatable(path: path, detail: "this is no file name")
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

  /// Looks at the name `place` directly in `folder`.
  init(
    _ place: PathBytes, in folder: ConfinedFolder, replacing: AtomicFile.Replacing,
    input: PictureSource?
  ) throws(CropError) {
    path = place.name
    guard !place.bytes.isEmpty, !place.bytes.contains(0), !place.bytes.contains(UInt8(ascii: "/")),
      place.name != ".", place.name != ".."
    else { throw .outputUncreatable(path: path, detail: "this is no file name") }
    name = place.terminated
    self.folder = folder.file
    existing = try Self.existing(name, in: folder.file, path: path)
    self.input = Self.same(existing, as: input)
    try refuse(replacing)
    if let mode = input?.mode { newMode = (mode | 0o600) & 0o666 }
  }

  private static func same(_ existing: stat?, as input: PictureSource?) -> PictureSource? {
    guard let existing, let identity = input?.identity, identity == FileIdentity(existing) else {
      return nil
    }
    return input
  }

  /// The device or pipe there. A link to one may lead nowhere by name, as /dev/stdout in a pipeline does.
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

  /// What the file system says of a name in the folder, of a link itself; nil where there is nothing.
  func status(of name: UnsafePointer<CChar>) -> stat? {
    var status = stat()
    return fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Whether the target is a device, a pipe or a socket: written straight through, as there is no file
  /// to be lost.
  var isSpecial: Bool {
    guard let existing else { return false }
    return existing.kind != S_IFREG && existing.kind != S_IFLNK
  }

  /// Refuses a folder in which nothing can be made.
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

  /// The path with a link at its end followed, so that the file behind it is replaced, not the link.
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
