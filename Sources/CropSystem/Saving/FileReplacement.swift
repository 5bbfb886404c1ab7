import CSystemCalls
import Glibc

/// Replaces a file without losing what another program saves under the same name at the same time.
///
/// Both files are directly in one folder. A file that is found under the name but is not the one to
/// be replaced keeps its name, or gets another in the same folder.
public enum FileReplacement {
  /// Replaces the file `name` with the file `fresh` by exchanging their names, then removes the old
  /// file. A file `name` exists at every moment.
  ///
  /// `isExpected` checks whether a file is the one to be replaced. It is called with the file that
  /// was swapped out.
  ///
  /// - Returns: false if the file system can't exchange names; then nothing is changed.
  /// - Throws: ``CropError/outputChanged(path:kept:)`` if another file was in place, which is
  ///   restored; `fresh` is removed. After ``CropError/outputUncreatable(path:detail:)`` and
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

  /// Undoes an exchange that swapped out another program's file.
  ///
  /// - Returns: the new name of that file, if yet another one took its place in the meantime.
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
    // The file that appeared between the two exchanges is the newest, so it gets the name.
    _ = ckc_system_exchange(folder, new, old)
    return (movedAside(fresh, of: folder, as: name, in: folder) ?? fresh).name
  }

  /// Does the same as ``exchange(_:with:in:isExpected:)`` on file systems that can't exchange
  /// names: it moves the old file aside and checks it, then renames the new file to `name`.
  ///
  /// Between the two steps, `name` does not exist; if the program is killed there, the old file
  /// remains as `name.kept`.
  ///
  /// - Throws: as ``exchange(_:with:in:isExpected:)``, but `fresh` always keeps its name.
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

  /// Removes the file `name` if `isExpected` accepts it; any other file of that name stays.
  ///
  /// - Throws: as ``exchange(_:with:in:isExpected:)``.
  public static func remove(
    _ name: PathBytes, in folder: Int32, isExpected: (stat) -> Bool
  ) throws(CropError) {
    let aside = try movedAside(name, in: folder, isExpected: isExpected)
    discard(aside.terminated, in: folder)
  }

  /// Moves a file to `name` in a folder, never replacing a file. Returns 0, or -1 with the reason
  /// in `errno`.
  public static func moveNew(
    _ file: PathBytes, of source: Int32, as name: PathBytes, in folder: Int32
  ) -> Int32 {
    let (from, to) = (file.terminated, name.terminated)
    if ckc_system_rename_new(source, from, folder, to) == 0 { return 0 }
    guard isRefusal(errno) else { return -1 }
    // Network file systems support links but not the flag; some support neither.
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

  /// Moves a file back to `name` in a folder, or to another name if `name` is taken.
  ///
  /// - Returns: the actual name, if it differs from `name`.
  public static func putBack(
    _ file: PathBytes, of source: Int32, as name: PathBytes, in folder: Int32
  ) -> String? {
    if moveNew(file, of: source, as: name, in: folder) == 0 { return nil }
    return (movedAside(file, of: source, as: name, in: folder) ?? file).name
  }

  /// Moves the file `name` aside and returns its new name if it is the expected one; otherwise
  /// restores it.
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

  /// Moves a file to the first free name of `name.kept`, `name.kept2` … and returns that; nil with
  /// the reason in `errno` if it fails.
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

  /// Removes a file, and retries once, because an interrupted call or a transient disk error
  /// succeeds the second time.
  ///
  /// - Returns: whether the file is removed.
  @discardableResult
  public static func discard(_ name: [CChar], in folder: Int32) -> Bool {
    unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, 0) == 0
  }

  /// Whether `error` means that the file system does not support this kind of rename or link.
  private static func isRefusal(_ error: Int32) -> Bool {
    error == EINVAL || error == ENOSYS || error == ENOTSUP
  }

  private static func status(_ name: [CChar], in folder: Int32) -> stat? {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  private static func failure(_ error: Int32, _ name: PathBytes) -> CropError {
    // In a sticky folder, files of other users can't be replaced, even if the folder is writable.
    error == EPERM || error == EACCES
      ? .outputUncreatable(path: name.name, detail: words(for: error))
      : .writing(error, path: name.name)
  }
}
