import CSystemCalls
import FoundationEssentials
import Glibc

/// Saving that is whole or not at all: a temporary file beside the target, flushed, then renamed.
public struct AtomicFile: Sendable {
  /// What a save may replace.
  public enum Replacing: Sendable {
    /// Nothing: a file that is there stays, even one that appears at the last moment.
    case nothing
    /// Any file but the input.
    case existing
    /// Any file, the input too.
    case input
  }

  /// Checks whether ``save(_:to:replacing:input:note:)`` could succeed, before any work is done.
  ///
  /// - Throws: as ``save(_:to:replacing:input:note:)``.
  public static func check(
    _ path: PathBytes, replacing: Replacing, input: PictureSource? = nil
  ) throws(CropError) {
    try SaveTarget(path, replacing: replacing, input: input).checkFolder()
  }

  /// Saves `bytes` at `path`, replacing what `replacing` allows.
  ///
  /// Whatever fails and whenever: the file at `path` is the old one or the new one, whole (the old one,
  /// unless it ends with ``CropError/notFlushed(path:detail:)``), and no
  /// other file is left (but a hidden one, `.cropkit-….tmp`, if the process is killed at the moment of
  /// replacing; a save that replaces a file there removes it once it is an hour old). The new file is on
  /// the disk when this returns. It keeps the permissions of the file it replaces, and the input's extended
  /// attributes of users where it replaces that; a new one has the permissions of the process's mask, as far
  /// as `input` has them too. A link at `path` is followed. A device or pipe is written straight through; a
  /// named pipe that nobody reads from within two seconds can't be.
  ///
  /// `note` is left in an extended attribute, where the file system keeps such; ``FileNote`` reads it.
  ///
  /// - Throws: ``CropError/outputExists(path:)``, ``CropError/outputIsInput(path:)``,
  ///   ``CropError/outputUncreatable(path:detail:)``, ``CropError/writeFailed(path:detail:)``,
  ///   ``CropError/diskFull(path:)`` or ``CropError/notFlushed(path:detail:)``.
  public static func save(
    _ bytes: Data, to path: PathBytes, replacing: Replacing, input: PictureSource? = nil,
    note: String? = nil
  ) throws(CropError) {
    try save(bytes, to: SaveTarget(path, replacing: replacing, input: input), replacing, note)
  }

  /// Saves the bytes of `source` as `name` directly in `folder`, as ``save(_:to:replacing:input:note:)``
  /// does, piece by piece; a link of that name is not followed but taken for a file that is there.
  ///
  /// - Throws: as ``save(_:to:replacing:input:note:)``, and ``CropError/readFailed(file:detail:)``.
  public static func save(
    _ source: PictureSource, as name: PathBytes, in folder: ConfinedFolder, replacing: Replacing
  ) throws(CropError) {
    var target = try SaveTarget(name, in: folder, replacing: replacing, input: source)
    // A file of its own, not a part of a person's file: whoever sent it may have had it in a private one.
    target.newMode = 0o666
    guard !target.isSpecial else { throw .special(name) }
    let file = try TemporaryFile(for: target)
    try source.copy(to: file.resultFile)
    try file.flush(note: nil)
    try publish(file, at: target, replacing)
  }

  static func save(
    _ bytes: Data, to target: SaveTarget, _ replacing: Replacing, _ note: String?
  ) throws(CropError) {
    if target.isSpecial { return try writeThrough(bytes, to: target) }
    try publish(written(bytes, for: target, note), at: target, replacing)
  }

  /// The bytes in a file beside the target, on the disk.
  static func written(
    _ bytes: Data, for target: SaveTarget, _ note: String?
  ) throws(CropError) -> TemporaryFile {
    let file = try TemporaryFile(for: target)
    try bytes.withEveryByte { (all) throws(CropError) in
      try file.write(all, note: note)
    }
    return file
  }

  /// Gives a file its name, unless by now nobody wants it (``CropStop``), in place of `expected` alone
  /// if there is one.
  static func publish(
    _ file: TemporaryFile, at target: SaveTarget, _ replacing: Replacing,
    inPlaceOf expected: stat? = nil
  ) throws(CropError) {
    try CropStop.check()
    if let expected { return try file.publish(inPlaceOf: expected, mayMoveAside: false) }
    // Under the rule that replaces nothing a file may have appeared since it was looked for.
    if target.existing == nil, case .nothing = replacing {
      try file.publishNew()
    } else {
      try file.publishReplacing()
    }
  }

  /// ``check(_:replacing:input:)-(PathBytes,_,_)`` for a path that is text.
  public static func check(
    _ path: String, replacing: Replacing, input: PictureSource? = nil
  ) throws(CropError) {
    try check(PathBytes(path), replacing: replacing, input: input)
  }

  /// ``save(_:to:replacing:input:note:)`` for a path that is text.
  public static func save(
    _ bytes: Data, to path: String, replacing: Replacing, input: PictureSource? = nil
  ) throws(CropError) {
    try save(bytes, to: PathBytes(path), replacing: replacing, input: input)
  }

  private static func writeThrough(_ bytes: Data, to target: SaveTarget) throws(CropError) {
    let file = try opened(target)
    try bytes.withEveryByte { (all) throws(CropError) in
      try file.writeAll(all, path: target.path)
    }
  }

  /// How often a pipe is looked at for a reader, 10 ms apart.
  private static let mostLooks = 200

  /// What is no file but can be written to, open.
  static func opened(_ target: SaveTarget) throws(CropError) -> Descriptor {
    let isPipe = target.existing?.kind == S_IFIFO
    var raw: Int32
    var looks = 0
    repeat {
      // Whoever is to read may be starting at this moment.
      if looks > 0 { usleep(10_000) }
      // Not blocking, so that a named pipe that nobody reads from is an error instead of a hang.
      raw = ckc_system_open_at(
        target.folder.raw, target.name, O_WRONLY | O_NOCTTY | O_NONBLOCK, 0)
      looks += 1
    } while raw < 0 && errno == ENXIO && isPipe && looks < mostLooks
    guard raw >= 0 else {
      let detail = errno == ENXIO && isPipe ? "nobody reads from this pipe" : words(for: errno)
      throw .outputUncreatable(path: target.path, detail: detail)
    }
    let flags = ckc_system_fcntl(raw, F_GETFL, 0)
    if flags >= 0 { _ = ckc_system_fcntl(raw, F_SETFL, flags & ~O_NONBLOCK) }
    return Descriptor(adopting: raw)
  }
}

extension CropError {
  /// Something that is no file has the name of a file to be saved.
  static func special(_ name: PathBytes) -> Self {
    .outputUncreatable(path: name.name, detail: "something that is no file has this name")
  }
}

extension Data {
  /// The bytes in place, for a body whose errors are picture errors.
  package func withEveryByte<Value>(
    _ body: (UnsafeRawBufferPointer) throws(CropError) -> Value
  ) throws(CropError) -> Value {
    let result = withUnsafeBytes { all in
      Result { () throws(CropError) in try body(all) }
    }
    return try result.get()
  }
}
