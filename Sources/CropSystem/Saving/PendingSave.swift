import Glibc

/// A save that was checked before any work is done and waits for its result. It is used by one thread
/// at a time.
public final class PendingSave {
  private let place: Place
  private let replacing: AtomicFile.Replacing
  private let input: PictureSource?
  private let target: SaveTarget
  private var temporary: TemporaryFile?

  /// The input as it was when it was looked at, if that is what is replaced.
  private var replacedInput: stat? {
    guard case .input = replacing, let existing = target.existing, existing.kind == S_IFREG,
      input?.identity == FileIdentity(existing)
    else { return nil }
    return existing
  }

  /// Where the result goes.
  private enum Place {
    case path(PathBytes)
    case name(PathBytes, in: ConfinedFolder)
  }

  /// Checks whether a result could be saved at `path`, as `AtomicFile.check` does.
  ///
  /// - Throws: as ``AtomicFile/save(_:to:replacing:input:note:)``.
  public init(
    to path: PathBytes, replacing: AtomicFile.Replacing, input: PictureSource? = nil
  ) throws(CropError) {
    place = .path(path)
    self.replacing = replacing
    self.input = input
    target = try SaveTarget(path, replacing: replacing, input: input)
    try target.checkFolder()
    try checkInput()
  }

  /// Checks whether a result could be saved as `name` directly in `folder`.
  ///
  /// - Throws: as ``AtomicFile/save(_:to:replacing:input:note:)``.
  public init(
    as name: PathBytes, in folder: ConfinedFolder, replacing: AtomicFile.Replacing,
    input: PictureSource? = nil
  ) throws(CropError) {
    place = .name(name, in: folder)
    self.replacing = replacing
    self.input = input
    target = try SaveTarget(name, in: folder, replacing: replacing, input: input)
    guard !target.isSpecial else { throw .special(name) }
    try target.checkFolder()
    try checkInput()
  }

  /// Refuses to replace what has taken the input's place since that was opened.
  private func checkInput() throws(CropError) {
    guard case .input = replacing, input?.identity != nil, target.existing?.kind == S_IFREG,
      replacedInput == nil
    else { return }
    throw .outputChanged(path: target.path, kept: nil)
  }

  /// A file beside the target in which a large result can be made; nil where there can be none without
  /// a name, and for an input so small that memory can hold its results.
  public var file: ResultFile? {
    if let input, !ResultFile.serves(input) { return nil }
    guard !target.isSpecial else { return .temporary() }
    if temporary == nil { temporary = try? TemporaryFile(for: target, isNamed: false) }
    return temporary?.resultFile
  }

  /// Saves the bytes of a result, as ``AtomicFile/save(_:to:replacing:input:note:)`` does. An input is
  /// replaced only if it is still as it was when this save was begun.
  ///
  /// - Throws: as that does, and ``CropError/outputChanged(path:kept:)``.
  package func save(_ result: ResultContent, note: String? = nil) throws(CropError) {
    // The world may have changed meanwhile.
    let now = try targetNow()
    if now.isSpecial {
      guard let file = result.file else {
        return try AtomicFile.save(result.bytes, to: now, replacing, note)
      }
      let special = try AtomicFile.opened(now)
      return try file.copy(to: special.raw, name: now.path)
    }
    try AtomicFile.publish(
      written(result, for: now, note), at: now, replacing, inPlaceOf: replacedInput)
  }

  /// Saves the bytes of a result in the place of the input, if that is still as it was when this save was begun.
  ///
  /// Where the file system can't exchange names there is no file of that name for a moment.
  ///
  /// `willReplace` is called before, with what the file system says of the new file, which is whole and on
  /// the disk; it keeps the old one elsewhere.
  ///
  /// - Throws: ``CropError/outputChanged(path:kept:)``, as ``save(_:note:)``, or what `willReplace` throws.
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

  /// The result in a file beside the target, whole and on the disk.
  private func written(
    _ result: ResultContent, for now: SaveTarget, _ note: String?
  ) throws(CropError) -> TemporaryFile {
    if let file = result.file, let temporary, file === temporary.resultFile, now.isSame(as: target)
    {
      try temporary.flush(note: note)
      return temporary
    }
    temporary = nil
    return try AtomicFile.written(result.bytes, for: now, note)
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
  /// Whether both are the same name in the same folder, with the same file there.
  fileprivate func isSame(as other: Self) -> Bool {
    guard let own = folder.status, let others = other.folder.status else { return false }
    return FileIdentity(own) == FileIdentity(others) && name == other.name
      && existing.map(FileIdentity.init) == other.existing.map(FileIdentity.init)
  }
}
