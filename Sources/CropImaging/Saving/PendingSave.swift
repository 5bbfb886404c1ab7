import Glibc

/// A save that was checked before any work is done and waits for its result. It is used by one thread
/// at a time.
public final class PendingSave {
  private let place: Place
  private let replacing: AtomicFile.Replacing
  private let input: PictureSource?
  private let target: SaveTarget
  private var temporary: TemporaryFile?

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
  }

  /// A file beside the target in which a large result can be made; nil where there can be none without
  /// a name, and for an input so small that memory can hold its results.
  public var file: ResultFile? {
    if let input, !ResultFile.serves(input) { return nil }
    guard !target.isSpecial else { return .temporary() }
    if temporary == nil { temporary = try? TemporaryFile(for: target, isNamed: false) }
    return temporary?.resultFile
  }

  /// Saves the result, as ``AtomicFile/save(_:to:replacing:input:note:)`` does.
  ///
  /// - Throws: as that does.
  public func save(_ result: CropResult, note: String? = nil) throws(CropError) {
    // The world may have changed meanwhile.
    let now = try targetNow()
    guard let file = result.file else {
      temporary = nil
      return try AtomicFile.save(result.bytes, to: now, replacing, note)
    }
    if now.isSpecial {
      let special = try AtomicFile.opened(now)
      return try file.copy(to: special.raw, name: now.path)
    }
    guard let temporary, file === temporary.resultFile, now.isSame(as: target) else {
      return try AtomicFile.save(result.bytes, to: now, replacing, note)
    }
    try temporary.flush(note: note)
    try AtomicFile.publish(temporary, at: now, replacing)
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
