import CSystemCalls
import Glibc

/// Putting one file into the place of another without losing what a third program saves there at the
/// same time.
///
/// Both files are directly in one folder. Whatever is found in the place that is not the file to be
/// replaced keeps its name, or gets one beside it.
public enum FileReplacement {
  /// Puts the file `fresh` into the place of the file `name`, which is removed, by exchanging the two
  /// names: at every moment there is a file `name`.
  ///
  /// `isExpected` says whether a file is the one to be replaced. It is asked about what came out.
  ///
  /// - Returns: false where the file system can't exchange names; nothing is changed then.
  /// - Throws: ``CropError/outputChanged(path:kept:)`` where another file was there, which is there
  ///   again; `fresh` is gone then. After ``CropError/outputUncreatable(path:detail:)`` and
  ///   ``CropError/writeFailed(path:detail:)`` it still has its name.
  public static func exchange(
    _ fresh: PathBytes, with name: PathBytes, in folder: Int32, isExpected: (stat) -> Bool
  ) throws(CropError) -> Bool {
    let (new, old) = (fresh.terminated, name.terminated)
    guard let own = status(new, in: folder) else {
      throw .writeFailed(path: name.name, detail: words(for: errno))
    }
    guard ckc_system_exchange(folder, new, old) == 0 else {
      let error = errno
      if isRefusal(error) { return false }
      guard error == ENOENT else { throw failure(error, name) }
      discard(new, in: folder)
      throw .outputChanged(path: name.name, kept: nil)
    }
    if let out = status(new, in: folder), isExpected(out) {
      discard(new, in: folder)
      return true
    }
    throw .outputChanged(path: name.name, kept: undone(fresh, name, in: folder, own: own))
  }

  /// Undoes an exchange in which another program's file came out.
  ///
  /// - Returns: what that file is called now, if yet another one had been put into its place meanwhile.
  private static func undone(
    _ fresh: PathBytes, _ name: PathBytes, in folder: Int32, own: stat
  ) -> String? {
    let (new, old) = (fresh.terminated, name.terminated)
    guard ckc_system_exchange(folder, new, old) == 0 else {
      return putBack(fresh, of: folder, as: name, in: folder)
    }
    if let now = status(new, in: folder), FileIdentity(now) == FileIdentity(own) {
      discard(new, in: folder)
      return nil
    }
    // The file that came between the two exchanges is the newest: it gets the name.
    _ = ckc_system_exchange(folder, new, old)
    return (movedAside(fresh, of: folder, as: name, in: folder) ?? fresh).name
  }

  /// As ``exchange(_:with:in:isExpected:)``, for file systems that can't exchange names: the old file is
  /// moved aside, looked at, and only then the new one gets the name.
  ///
  /// Between the two steps there is no file `name`; a program killed there leaves the old one beside it,
  /// as `name.kept`.
  ///
  /// - Throws: as that does, but `fresh` always keeps its name.
  public static func moveAside(
    _ fresh: PathBytes, with name: PathBytes, in folder: Int32, isExpected: (stat) -> Bool
  ) throws(CropError) {
    let aside = try movedAside(name, in: folder, isExpected: isExpected)
    guard moveNew(fresh, of: folder, as: name, in: folder) == 0 else {
      let error = errno
      let kept = moveNew(aside, of: folder, as: name, in: folder) == 0 ? nil : aside.name
      if error == EEXIST || kept != nil { throw .outputChanged(path: name.name, kept: kept) }
      throw failure(error, name)
    }
    discard(aside.terminated, in: folder)
  }

  /// Removes the file `name` if it is the one that `isExpected` says; what else is found there stays.
  ///
  /// - Throws: as ``exchange(_:with:in:isExpected:)``.
  public static func remove(
    _ name: PathBytes, in folder: Int32, isExpected: (stat) -> Bool
  ) throws(CropError) {
    let aside = try movedAside(name, in: folder, isExpected: isExpected)
    discard(aside.terminated, in: folder)
  }

  /// Moves a file to `name` of a folder, replacing nothing: 0, or -1 and `errno`.
  public static func moveNew(
    _ file: PathBytes, of source: Int32, as name: PathBytes, in folder: Int32
  ) -> Int32 {
    let (from, to) = (file.terminated, name.terminated)
    if ckc_system_rename_new(source, from, folder, to) == 0 { return 0 }
    guard isRefusal(errno) else { return -1 }
    // Network file systems know links, not the flag; some know neither.
    if linkat(source, from, folder, to, 0) == 0 {
      discard(from, in: source)
      return 0
    }
    guard errno == EPERM || errno == EMLINK || isRefusal(errno) else { return -1 }
    if status(to, in: folder) != nil {
      errno = EEXIST
      return -1
    }
    return renameat(source, from, folder, to)
  }

  /// Moves a file to `name` of a folder, or beside what is there.
  ///
  /// - Returns: its name, if it is another one.
  public static func putBack(
    _ file: PathBytes, of source: Int32, as name: PathBytes, in folder: Int32
  ) -> String? {
    if moveNew(file, of: source, as: name, in: folder) == 0 { return nil }
    return (movedAside(file, of: source, as: name, in: folder) ?? file).name
  }

  /// Moves the file `name` aside and returns what it is called there, if it is the expected one; else it
  /// is back.
  private static func movedAside(
    _ name: PathBytes, in folder: Int32, isExpected: (stat) -> Bool
  ) throws(CropError) -> PathBytes {
    guard let aside = movedAside(name, of: folder, as: name, in: folder) else {
      if errno == ENOENT { throw .outputChanged(path: name.name, kept: nil) }
      throw failure(errno, name)
    }
    if let out = status(aside.terminated, in: folder), isExpected(out) { return aside }
    let isBack = moveNew(aside, of: folder, as: name, in: folder) == 0
    throw .outputChanged(path: name.name, kept: isBack ? nil : aside.name)
  }

  /// Moves a file to the first free name of `name.kept`, `name.kept2` …; nil leaves the reason in `errno`.
  private static func movedAside(
    _ file: PathBytes, of source: Int32, as name: PathBytes, in folder: Int32
  ) -> PathBytes? {
    for number in 1...100 {
      let ending = Array(".kept\(number == 1 ? "" : "\(number)")".utf8)
      let aside = PathBytes(Array(name.bytes.prefix(255 - ending.count)) + ending)
      if moveNew(file, of: source, as: aside, in: folder) == 0 { return aside }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// Removes a name that is not needed any more, and tries again where that failed: an interruption, or
  /// a disk's fault of a moment, is over then.
  ///
  /// - Returns: whether it is gone.
  @discardableResult
  public static func discard(_ name: [CChar], in folder: Int32) -> Bool {
    unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, 0) == 0
  }

  /// Whether a file system does not know a kind of renaming or linking.
  private static func isRefusal(_ error: Int32) -> Bool {
    error == EINVAL || error == ENOSYS || error == ENOTSUP
  }

  private static func status(_ name: [CChar], in folder: Int32) -> stat? {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  private static func failure(_ error: Int32, _ name: PathBytes) -> CropError {
    // What others own in a folder for all can't be replaced, though the folder can be written to.
    error == EPERM || error == EACCES
      ? .outputUncreatable(path: name.name, detail: words(for: error))
      : .writing(error, path: name.name)
  }
}
