import CropImaging
import Foundation
import Glibc

/// The trash of the desktop, as the freedesktop specification (1.0) lays it out: the user's own on the
/// disk of the home folder; at the top of any other disk `.Trash/$uid`, where an administrator has made
/// a `.Trash` for all, else `.Trash-$uid`.
struct Trash: Sendable {
  /// Where a file went.
  struct Item: Sendable {
    /// The trash's folder, an absolute path.
    let trash: PathBytes
    /// Its name in `files`.
    let name: PathBytes
  }

  private let home: PathBytes

  init(places: LibraryPlaces) {
    home = PathBytes("\(places.data)/Trash")
  }

  /// Puts the file `name` of `folder` into the trash; with `isCopy` it stays where it is too.
  ///
  /// `path` is its absolute path, kept so that it can be brought back.
  ///
  /// - Throws: ``LibraryError/trash(detail:)`` or ``LibraryError/diskFull(place:)``; the file is then
  ///   where it was.
  func put(
    _ name: PathBytes, of folder: ConfinedFolder, path: PathBytes, keeps isCopy: Bool
  ) throws(LibraryError) -> Item {
    let trash = try opened(for: folder, path: path)
    let info = try reserve(name, in: trash, path: path)
    let target = info.item.name.terminated
    let status =
      isCopy
      ? Self.duplicate(name, of: folder, as: target, in: trash.files)
      : renameat(folder.descriptor, name.terminated, trash.files, target)
    guard status == 0 else {
      let error = errno
      unlinkat(trash.info, info.infoName, 0)
      throw Self.failure(error)
    }
    fsync(trash.files)
    return info.item
  }

  /// Brings a file back as `name` of `folder`; what is there is replaced only if `isReplacing`.
  ///
  /// - Throws: ``LibraryError/nothingToRestore`` where the trash was emptied, or
  ///   ``LibraryError/trash(detail:)``.
  func restore(
    _ item: Item, to name: PathBytes, of folder: ConfinedFolder, isReplacing: Bool
  ) throws(LibraryError) {
    let source = item.path
    let status: Int32
    if isReplacing {
      status = rename(source.terminated, absolute(name, folder).terminated)
      // Two names of one file are left as they are by a rename.
      if status == 0 { unlink(source.terminated) }
    } else {
      status = Self.move(source, to: absolute(name, folder))
    }
    guard status == 0 else {
      switch errno {
      case ENOENT: throw .nothingToRestore
      case EEXIST: throw .trash(detail: "another file has its name now; rename that one first")
      default: throw Self.failure(errno)
      }
    }
    fsync(folder.descriptor)
    unlink(item.trash.child(PathBytes("info")).child(item.infoName).terminated)
  }

  /// Gives a file another name, replacing nothing.
  private static func move(_ source: PathBytes, to target: PathBytes) -> Int32 {
    if link(source.terminated, target.terminated) == 0 {
      unlink(source.terminated)
      return 0
    }
    // A disk without links, as of a camera or a USB stick: an empty file takes the name first.
    guard errno == EPERM || errno == EMLINK || errno == ENOTSUP else { return -1 }
    let place = Glibc.open(target.terminated, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard place >= 0 else { return -1 }
    close(place)
    if rename(source.terminated, target.terminated) == 0 { return 0 }
    let error = errno
    unlink(target.terminated)
    errno = error
    return -1
  }

  /// A name in a folder, by the folder's descriptor: it leads there whatever is renamed.
  private func absolute(_ name: PathBytes, _ folder: ConfinedFolder) -> PathBytes {
    PathBytes("/proc/self/fd/\(folder.descriptor)").child(name)
  }

  static func failure(_ error: Int32) -> LibraryError {
    switch error {
    case ENOSPC, EDQUOT: .diskFull(place: "the trash")
    default: .trash(detail: "the trash can't be used: \(String(cString: strerror(error)))")
    }
  }
}

extension Trash.Item {
  var infoName: PathBytes { PathBytes(name.bytes + Array(".trashinfo".utf8)) }

  /// Where its bytes are.
  fileprivate var path: PathBytes { trash.child(PathBytes("files")).child(name) }

  /// Whether it is still in the trash.
  var isThere: Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0
  }
}

extension Trash {
  /// An open trash.
  private final class Opened {
    let path: PathBytes
    let files: Int32
    let info: Int32
    /// The top of the disk, for paths that are told from there; nil in the home trash.
    let top: PathBytes?

    init?(_ path: PathBytes, top: PathBytes?) {
      self.path = path
      self.top = top
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
      files = open(path.child(PathBytes("files")).terminated, flags)
      info = open(path.child(PathBytes("info")).terminated, flags)
      guard files >= 0, info >= 0 else { return nil }
    }

    deinit {
      close(files)
      close(info)
    }
  }

  /// The trash on the disk of `folder`, made where it is missing.
  private func opened(
    for folder: ConfinedFolder, path: PathBytes
  ) throws(LibraryError) -> Opened {
    var own = stat()
    guard fstat(folder.descriptor, &own) == 0 else { throw Self.failure(errno) }
    if let trash = Self.made(home, top: nil) {
      var status = stat()
      if fstat(trash.files, &status) == 0, status.st_dev == own.st_dev { return trash }
    }
    let top = Self.top(of: path, device: own.st_dev)
    let shared = top.child(PathBytes(".Trash"))
    if Self.isForAll(shared),
      let trash = Self.made(shared.child(PathBytes("\(getuid())")), top: top)
    {
      return trash
    }
    errno = EPERM
    guard let trash = Self.made(top.child(PathBytes(".Trash-\(getuid())")), top: top) else {
      throw Self.failure(errno)
    }
    return trash
  }

  /// Whether there is a folder in which every user may have a trash: no link, and with the sticky bit,
  /// so that nobody can put another one in the place of a user's own.
  private static func isForAll(_ path: PathBytes) -> Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_mode & S_ISVTX != 0
  }

  private static func made(_ path: PathBytes, top: PathBytes?) -> Opened? {
    if top == nil {
      try? FileManager.default.createDirectory(
        atPath: path.name, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } else {
      mkdir(path.terminated, 0o700)
    }
    var status = stat()
    // Nobody else's, and no link that leads elsewhere.
    guard lstat(path.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid()
    else { return nil }
    for name in ["files", "info"] { mkdir(path.child(PathBytes(name)).terminated, 0o700) }
    return Opened(path, top: top)
  }

  /// The outermost folder on the way to `path` that lies on the same disk.
  private static func top(of path: PathBytes, device: dev_t) -> PathBytes {
    var top = path
    while let slash = top.bytes.lastIndex(of: UInt8(ascii: "/")) {
      let parent = slash == 0 ? PathBytes("/") : PathBytes(Array(top.bytes[..<slash]))
      var status = stat()
      guard lstat(parent.terminated, &status) == 0, status.st_dev == device else { break }
      top = parent
      if slash == 0 { break }
    }
    return top
  }

  /// Takes a name in the trash by writing its note first, as the specification wants.
  private func reserve(
    _ name: PathBytes, in trash: Opened, path: PathBytes
  ) throws(LibraryError) -> (item: Item, infoName: [CChar]) {
    let told = trash.top.map { top in
      PathBytes(Array(path.bytes.dropFirst(top.bytes.count == 1 ? 1 : top.bytes.count + 1)))
    }
    let address = FileAddress.escaped((told ?? path).bytes)
    let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
      .time(includingFractionalSeconds: false)
    let note = "[Trash Info]\nPath=\(address)\nDeletionDate=\(Date.now.formatted(style))\n"
    for number in 1...10_000 {
      let item = Item(trash: trash.path, name: Self.numbered(name, number))
      let infoName = item.infoName.terminated
      let file = openat(trash.info, infoName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { throw Self.failure(errno) }
      let bytes = Array(note.utf8)
      let count = write(file, bytes, bytes.count)
      let error = errno
      fsync(file)
      close(file)
      var status = stat()
      let isTaken = fstatat(trash.files, item.name.terminated, &status, AT_SYMLINK_NOFOLLOW) == 0
      if count == bytes.count, !isTaken { return (item, infoName) }
      unlinkat(trash.info, infoName, 0)
      if count != bytes.count { throw Self.failure(error) }
    }
    throw .trash(detail: "the trash is full of files of that name; empty it first")
  }

  /// `name.jpg`, `name.2.jpg` and so on, short enough for the note's ending.
  private static func numbered(_ name: PathBytes, _ number: Int) -> PathBytes {
    let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) ?? name.bytes.endIndex
    let ending = Array(name.bytes[dot...].prefix(32))
    let middle = number == 1 ? [] : Array(".\(number)".utf8)
    let stem = name.bytes[..<dot].prefix(255 - 10 - ending.count - middle.count)
    return PathBytes(Array(stem) + middle + ending)
  }

  /// The same file under a second name, or a copy where a disk has no links.
  private static func duplicate(
    _ name: PathBytes, of folder: ConfinedFolder, as target: [CChar], in files: Int32
  ) -> Int32 {
    if linkat(folder.descriptor, name.terminated, files, target, 0) == 0 { return 0 }
    guard errno == EPERM || errno == EMLINK || errno == ENOTSUP,
      let source = try? folder.open(name)
    else { return -1 }
    defer { close(source) }
    let copy = openat(files, target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard copy >= 0 else { return -1 }
    defer { close(copy) }
    while true {
      let count = sendfile(copy, source, nil, 1 << 24)
      if count < 0, errno == EINTR { continue }
      if count == 0, fsync(copy) == 0 { return 0 }
      guard count > 0 else {
        let error = errno
        unlinkat(files, target, 0)
        errno = error
        return -1
      }
    }
  }
}
