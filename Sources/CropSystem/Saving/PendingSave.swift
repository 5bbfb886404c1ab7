import Glibc

/// A save whose target is checked before the crop is made. Only one thread may use it at a time.
public final class PendingSave {
  private let place: Place
  private let replacing: AtomicFile.Replacing
  private let input: ImageSource?
  private let target: SaveTarget
  /// The suffix of the input's backup copy; nil for none.
  private let backup: [UInt8]?
  /// Whether the result gets the time of the input's last change.
  private let keepsTime: Bool
  private var temporary: TemporaryFile?

  /// The status of the input when it was checked, if the save replaces it.
  private var replacedInput: stat? {
    guard case .input = replacing, let existing = target.existing, existing.kind == S_IFREG,
      input?.identity == FileIdentity(existing)
    else { return nil }
    return existing
  }

  /// The destination of the result.
  private enum Place {
    case path(PathBytes)
    case name(PathBytes, in: ConfinedFolder)
  }

  /// Checks whether a result could be saved at `path`, as
  /// `AtomicFile.check` does.
  ///
  /// If the save replaces the input, a copy of the input stays in the folder with `backup` appended
  /// to its name; nil makes no copy. With `keepsTime`, the result gets the time of the input's last
  /// change.
  ///
  /// - Throws: as ``AtomicFile/save(_:to:replacing:input:note:keepsTime:)``, and
  ///   ``CropError/outputUncreatable(path:detail:)`` if the name of the copy is taken.
  public init(
    to path: PathBytes, replacing: AtomicFile.Replacing, input: ImageSource? = nil,
    backup: [UInt8]? = nil, keepsTime: Bool = false
  ) throws(CropError) {
    place = .path(path)
    self.backup = backup
    self.keepsTime = keepsTime
    self.replacing = replacing
    self.input = input
    target = try SaveTarget(path, replacing: replacing, input: input)
    try target.checkFolder()
    try checkInput()
    if let backup { try target.checkBackup(backup) }
  }

  /// Checks whether a result could be saved as `name` directly in `folder`. With `keepsTime`, it
  /// gets the time of the input's last change.
  ///
  /// - Throws: as ``AtomicFile/save(_:to:replacing:input:note:keepsTime:)``.
  public init(
    as name: PathBytes, in folder: ConfinedFolder, replacing: AtomicFile.Replacing,
    input: ImageSource? = nil, keepsTime: Bool = false
  ) throws(CropError) {
    place = .name(name, in: folder)
    backup = nil
    self.keepsTime = keepsTime
    self.replacing = replacing
    self.input = input
    target = try SaveTarget(name, in: folder, replacing: replacing, input: input)
    guard !target.isSpecial else { throw .special(name) }
    try target.checkFolder()
    try checkInput()
  }

  /// Throws if another file has replaced the input since it was opened.
  private func checkInput() throws(CropError) {
    guard case .input = replacing, input?.identity != nil, target.existing?.kind == S_IFREG,
      replacedInput == nil
    else { return }
    throw .outputChanged(path: target.path, kept: nil)
  }

  /// A file beside the target to write a large result to; nil if the file system does not support
  /// unnamed files, or if the input is so small that its result fits in memory.
  public var file: ResultFile? {
    if let input, !ResultFile.serves(input) { return nil }
    guard !target.isSpecial else { return .temporary() }
    if temporary == nil { temporary = try? TemporaryFile(for: target, isNamed: false) }
    return temporary?.resultFile
  }

  /// Saves the bytes of a result, as ``AtomicFile/save(_:to:replacing:input:note:keepsTime:)`` does. An input
  /// is replaced only if it has not changed since this save was created.
  ///
  /// - Throws: as ``AtomicFile/save(_:to:replacing:input:note:keepsTime:)``, and
  ///   ``CropError/outputChanged(path:kept:)``.
  package func save(_ result: ResultContent, note: String? = nil) throws(CropError) {
    // The target may have changed in the meantime.
    let now = try targetNow()
    if now.isSpecial {
      guard let file = result.file else {
        return try AtomicFile.save(result.bytes(), to: now, replacing, note)
      }
      let special = try AtomicFile.opened(now)
      return try file.copy(to: special.raw, name: now.path)
    }
    let file = try written(result, for: now, note)
    guard let backup, let old = replacedInput else {
      return try AtomicFile.publish(file, at: now, replacing, inPlaceOf: replacedInput)
    }
    let copy = try now.makeBackup(backup)
    do throws(CropError) {
      try AtomicFile.publish(file, at: now, replacing, inPlaceOf: old)
    } catch {
      // The result may already have its name, but may not have been flushed to the disk.
      if case .notFlushed = error {} else { FileReplacement.discard(copy, in: now.folder.raw) }
      throw error
    }
  }

  /// Replaces the input with the bytes of a result, if the input has not changed since this save
  /// was created.
  ///
  /// If the file system does not support `RENAME_EXCHANGE`, the name does not exist for a moment.
  ///
  /// `willReplace` is called before the replacement, with the status of the new file, which is then
  /// complete and on the disk. It can make a copy of the old file.
  ///
  /// - Throws: ``CropError/outputChanged(path:kept:)``; as ``save(_:note:)``; the error that
  ///   `willReplace` throws.
  package func replaceInput(
    with result: ResultContent, willReplace: (stat) throws -> Void
  ) throws {
    let now = try targetNow()
    guard let old = replacedInput, !now.isSpecial else {
      throw CropError.outputChanged(path: target.path, kept: nil)
    }
    let file = try written(result, for: now, nil)
    guard let new = file.status else {
      throw CropError.writeFailed(path: target.path, detail: words(for: errno))
    }
    try CropStop.check()
    try willReplace(new)
    try file.publish(inPlaceOf: old, mayMoveAside: true)
  }

  /// Writes the result to a file beside the target and flushes it to the disk.
  private func written(
    _ result: ResultContent, for now: SaveTarget, _ note: String?
  ) throws(CropError) -> TemporaryFile {
    let modified = keepsTime ? input?.modified : nil
    if let file = result.file, let temporary, file === temporary.resultFile, now.isSame(as: target)
    {
      temporary.modified = modified
      try temporary.flush(note: note)
      return temporary
    }
    temporary = nil
    return try AtomicFile.written(result.bytes(), for: now, note, modified: modified)
  }

  private func targetNow() throws(CropError) -> SaveTarget {
    switch place {
    case .path(let path): return try SaveTarget(path, replacing: replacing, input: input)
    case .name(let name, let folder):
      let target = try SaveTarget(name, in: folder, replacing: replacing, input: input)
      guard !target.isSpecial else { throw .special(name) }
      return target
    }
  }
}

extension SaveTarget {
  /// Whether both are the same name in the same folder, for the same existing file.
  fileprivate func isSame(as other: Self) -> Bool {
    guard let own = folder.status, let others = other.folder.status else { return false }
    return FileIdentity(own) == FileIdentity(others) && name == other.name
      && existing.map(FileIdentity.init) == other.existing.map(FileIdentity.init)
  }
}
