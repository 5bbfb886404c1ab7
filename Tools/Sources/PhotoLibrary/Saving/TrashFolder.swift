import CropImaging
import FoundationEssentials
import Glibc

/// An open trash folder of the desktop, as defined by the freedesktop specification (1.0).
final class TrashFolder {
  /// Its absolute path.
  let path: PathBytes
  let files: Int32
  let info: Int32
  /// The folder that the paths in its info files are relative to; nil for absolute paths, as in the
  /// user's home trash.
  private let top: PathBytes?

  /// The user's home trash, created if missing; nil if it is unusable.
  convenience init?(home: PathBytes) {
    try? FileManager.default.createDirectory(
      atPath: home.name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    self.init(home, top: nil)
  }

  /// The trash at the top of the mount of `folder`, created if missing: `.Trash/$uid` if an
  /// administrator has created a `.Trash` for all users, or else `.Trash-$uid`. Nil if none can be
  /// used; the reason is in `errno`.
  ///
  /// - Parameter path: the absolute path of the file.
  static func onMount(of folder: ConfinedFolder, path: PathBytes) -> TrashFolder? {
    let top = mountTop(of: folder, path: path)
    let shared = top.child(PathBytes(".Trash"))
    if isForAll(shared) {
      let own = shared.child(PathBytes("\(getuid())"))
      mkdir(own.terminated, 0o700)
      if let trash = TrashFolder(own, top: top) { return trash }
    }
    let own = top.child(PathBytes(".Trash-\(getuid())"))
    mkdir(own.terminated, 0o700)
    return TrashFolder(own, top: top)
  }

  /// The possible paths of the trash on the mount of `folder`.
  static func pathsOnMount(of folder: ConfinedFolder, path: PathBytes) -> [PathBytes] {
    let top = mountTop(of: folder, path: path)
    return [
      top.child(PathBytes(".Trash")).child(PathBytes("\(getuid())")),
      top.child(PathBytes(".Trash-\(getuid())")),
    ]
  }

  private init?(_ path: PathBytes, top: PathBytes?) {
    self.path = path
    self.top = top
    var status = stat()
    // It must belong to the user and must not be a link.
    let isOwn =
      lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == getuid()
    if isOwn {
      for name in ["files", "info"] { mkdir(path.child(PathBytes(name)).terminated, 0o700) }
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    files = isOwn ? open(path.child(PathBytes("files")).terminated, flags) : -1
    info = isOwn ? open(path.child(PathBytes("info")).terminated, flags) : -1
    guard files >= 0, info >= 0 else {
      if !isOwn { errno = EPERM }
      return nil
    }
  }

  deinit {
    if files >= 0 { close(files) }
    if info >= 0 { close(info) }
  }

  /// Whether there is a folder for the trashes of all users: not a symbolic link, and with the
  /// sticky bit, so that nobody can replace a user's trash.
  private static func isForAll(_ path: PathBytes) -> Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_mode & S_ISVTX != 0
  }

  /// Whether files in `folder` can be renamed and linked into this trash: two mounts may be on the
  /// same disk, as in a container.
  func isOnMount(of folder: ConfinedFolder) -> Bool {
    Self.isOneMount(folder.descriptor, files, beside: "")
  }

  /// The outermost parent folder of `path` from which files in `folder` can be renamed.
  ///
  /// It is searched from the folder upwards, since a path may be longer than the system allows.
  private static func mountTop(of folder: ConfinedFolder, path: PathBytes) -> PathBytes {
    var top = path.parent
    var own = stat()
    guard fstat(folder.descriptor, &own) == 0 else { return top }
    var inode = own.st_ino
    var up = ""
    while top.bytes.count > 1, up.utf8.count < Int(PATH_MAX) - 64 {
      up += "../"
      var status = stat()
      guard fstatat(folder.descriptor, up, &status, 0) == 0, status.st_dev == own.st_dev,
        status.st_ino != inode, isOneMount(folder.descriptor, folder.descriptor, beside: up)
      else { break }
      inode = status.st_ino
      top = top.parent
    }
    return top
  }

  /// Whether files can be renamed from one folder to another: the kernel reports that even for a
  /// name that does not exist.
  private static func isOneMount(_ from: Int32, _ to: Int32, beside place: String) -> Bool {
    let name = ".cropkit-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    return renameat(from, name, to, place + name) != 0 && errno != EXDEV
  }
}

extension TrashFolder {
  /// Reserves a name in the trash by writing its info file first, as the specification requires.
  func reserve(
    _ name: PathBytes, path: PathBytes, library: String
  ) throws(LibraryError) -> Trash.Item {
    let relative = top.map { top in
      PathBytes(Array(path.bytes.dropFirst(top.bytes.count == 1 ? 1 : top.bytes.count + 1)))
    }
    let address = FileAddress.escaped((relative ?? path).bytes)
    let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
      .time(includingFractionalSeconds: false)
    let note =
      "[Trash Info]\nPath=\(address)\nDeletionDate=\(Date.now.formatted(style))\n"
      // The specification requires other programs to ignore unknown keys.
      + Self.mark(of: library)
    for number in 1...10_000 {
      let item = Trash.Item(trash: self.path, name: Self.numbered(name, number))
      let file = openat(
        info, item.infoName.terminated, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { throw Trash.failure(errno) }
      let bytes = Array(note.utf8)
      let count = write(file, bytes, bytes.count)
      let error = errno
      fsync(file)
      close(file)
      if count == bytes.count, status(of: item) == nil { return item }
      release(item)
      if count != bytes.count { throw Trash.failure(error) }
    }
    throw .trash(detail: "the trash is full of files of that name; empty it first")
  }

  private static func mark(of library: String) -> String { "X-CropKit-Library=\(library)\n" }

  /// Removes a library's info files in the trash at `path` that have no file.
  static func removeOrphanedNotes(in path: PathBytes, library: String) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let files = open(path.child(PathBytes("files")).terminated, flags)
    let info = open(path.child(PathBytes("info")).terminated, flags)
    defer {
      if files >= 0 { close(files) }
      if info >= 0 { close(info) }
    }
    let listed = info < 0 ? -1 : openat(info, ".", flags)
    guard files >= 0, listed >= 0, let entries = fdopendir(listed) else {
      if listed >= 0 { close(listed) }
      return
    }
    defer { closedir(entries) }
    let (ending, mark) = (Array(".trashinfo".utf8), mark(of: library))
    while let entry = readdir(entries) {
      let name = PathBytes(
        withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
      guard name.bytes.suffix(ending.count).elementsEqual(ending) else { continue }
      var status = stat()
      let file = PathBytes(Array(name.bytes.dropLast(ending.count)))
      guard fstatat(files, file.terminated, &status, AT_SYMLINK_NOFOLLOW) != 0, errno == ENOENT,
        text(of: name, in: info).hasSuffix("\n\(mark)")
      else { continue }
      unlinkat(info, name.terminated, 0)
    }
  }

  private static func text(of name: PathBytes, in folder: Int32) -> String {
    let file = openat(folder, name.terminated, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    // Longer than any escaped path.
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Releases a reserved name.
  func release(_ item: Trash.Item) {
    let error = errno
    FileReplacement.discard(item.infoName.terminated, in: info)
    errno = error
  }

  /// The status of a file in the trash; nil if it does not exist.
  func status(of item: Trash.Item) -> stat? {
    var status = stat()
    return fstatat(files, item.name.terminated, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// `name.jpg`, `name.2.jpg` and so on, short enough for the info file's extension.
  private static func numbered(_ name: PathBytes, _ number: Int) -> PathBytes {
    let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) ?? name.bytes.endIndex
    let ending = Array(name.bytes[dot...].prefix(32))
    let middle = number == 1 ? [] : Array(".\(number)".utf8)
    let stem = name.bytes[..<dot].prefix(255 - 10 - ending.count - middle.count)
    return PathBytes(Array(stem) + middle + ending)
  }
}

extension PathBytes {
  fileprivate var parent: PathBytes {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
      return PathBytes("/")
    }
    return PathBytes(Array(bytes[..<slash]))
  }
}
