import Glibc

/// A save that was checked before any work is done and waits for its result. It is used by one thread
/// at a time.
public final class PendingSave {
  private let path: PathBytes
  private let replacing: AtomicFile.Replacing
  private let input: PictureSource?
  private let target: SaveTarget
  private var temporary: TemporaryFile?

  /// Checks whether a result could be saved at `path`, as `AtomicFile.check` does.
  ///
  /// - Throws: as ``AtomicFile/save(_:to:replacing:input:note:)``.
  public init(
    to path: PathBytes, replacing: AtomicFile.Replacing, input: PictureSource? = nil
  ) throws(CropError) {
    try AtomicFile.check(path, replacing: replacing, input: input)
    self.path = path
    self.replacing = replacing
    self.input = input
    target = try SaveTarget(path, replacing: replacing, input: input)
  }

  /// A file beside the target in which a large result can be made; nil where there can be none without
  /// a name.
  public var file: ResultFile? {
    guard !target.isSpecial else { return .temporary() }
    if temporary == nil { temporary = try? TemporaryFile(for: target, isNamed: false) }
    return temporary?.resultFile
  }

  /// Saves the result, as ``AtomicFile/save(_:to:replacing:input:note:)`` does.
  ///
  /// - Throws: as that does.
  public func save(_ result: CropResult, note: String? = nil) throws(CropError) {
    guard let file = result.file else {
      temporary = nil
      return try AtomicFile.save(
        result.bytes, to: path, replacing: replacing, input: input, note: note)
    }
    // The world may have changed meanwhile.
    let now = try SaveTarget(path, replacing: replacing, input: input)
    if now.isSpecial {
      let special = try AtomicFile.opened(now)
      return try file.copy(to: special.raw, name: now.path)
    }
    guard let temporary, file === temporary.resultFile, now.isSame(as: target) else {
      return try AtomicFile.save(
        result.bytes, to: path, replacing: replacing, input: input, note: note)
    }
    try temporary.flush(note: note)
    try AtomicFile.publish(temporary, at: now, replacing)
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
