import CSystemCalls
import FoundationEssentials
import Glibc

/// Saves files atomically: writes a temporary file beside the target, flushes it, then renames it.
public struct AtomicFile: Sendable {
  /// Which existing files a save may replace.
  public enum Replacing: Sendable {
    /// None: an existing file stays, even one that is created at the last moment.
    case nothing
    /// Any file except the input.
    case existing
    /// Any file, including the input.
    case input
  }

  /// Checks whether ``save(_:to:replacing:input:note:keepsTime:)`` could succeed, before any work is done.
  ///
  /// - Throws: as ``save(_:to:replacing:input:note:keepsTime:)``.
  public static func check(
    _ path: PathBytes, replacing: Replacing, input: ImageSource? = nil
  ) throws(CropError) {
    try SaveTarget(path, replacing: replacing, input: input).checkFolder()
  }

  /// Saves `bytes` at `path`, replacing only files that `replacing` allows.
  ///
  /// After a failure, `path` holds the complete old file, or the complete new one in the case of
  /// ``CropError/notFlushed(path:detail:)``, and no other file is left. The exception is a hidden
  /// file, `.cropkit-….tmp`, if the process is killed while it replaces a file; a later save in the
  /// folder removes it after an hour.
  ///
  /// The new file is on the disk when this returns. It keeps the permissions of the file it
  /// replaces and, if that is the input, its user extended attributes. A new file has the
  /// permissions of `input`, restricted by the process's umask. A symbolic link at `path` is
  /// followed. A device or pipe is written to directly; a named pipe that has no reader for two
  /// seconds is an error.
  ///
  /// `note` is stored in an extended attribute, if the file system supports them; ``FileNote``
  /// reads it. With `keepsTime`, the file gets the time of the input's last change.
  ///
  /// - Throws: ``CropError/outputExists(path:)``, ``CropError/outputIsInput(path:)``,
  ///   ``CropError/outputUncreatable(path:detail:)``, ``CropError/writeFailed(path:detail:)``,
  ///   ``CropError/diskFull(path:)`` or ``CropError/notFlushed(path:detail:)``.
  public static func save(
    _ bytes: Data, to path: PathBytes, replacing: Replacing, input: ImageSource? = nil,
    note: String? = nil, keepsTime: Bool = false
  ) throws(CropError) {
    try save(
      bytes, to: SaveTarget(path, replacing: replacing, input: input), replacing, note,
      modified: keepsTime ? input?.modified : nil)
  }

  /// Saves the bytes of `source` as `name` directly in `folder`, as
  /// ``save(_:to:replacing:input:note:keepsTime:)`` does, in chunks. A symbolic link of that name is not
  /// followed but treated as an existing file.
  ///
  /// - Throws: as ``save(_:to:replacing:input:note:keepsTime:)``, and ``CropError/readFailed(file:detail:)``.
  public static func save(
    _ source: ImageSource, as name: PathBytes, in folder: ConfinedFolder, replacing: Replacing
  ) throws(CropError) {
    var target = try SaveTarget(name, in: folder, replacing: replacing, input: source)
    // A new file does not get the sender's permissions, which may have been private.
    target.newMode = 0o666
    guard !target.isSpecial else { throw .special(name) }
    let file = try TemporaryFile(for: target)
    try source.copy(to: file.resultFile)
    try file.flush(note: nil)
    try publish(file, at: target, replacing)
  }

  static func save(
    _ bytes: Data, to target: SaveTarget, _ replacing: Replacing, _ note: String?,
    modified: timespec? = nil
  ) throws(CropError) {
    if target.isSpecial { return try writeThrough(bytes, to: target) }
    try publish(
      written(bytes, for: target, note, modified: modified), at: target, replacing)
  }

  /// Writes the bytes to a temporary file beside the target and flushes it to the disk.
  static func written(
    _ bytes: Data, for target: SaveTarget, _ note: String?, modified: timespec? = nil
  ) throws(CropError) -> TemporaryFile {
    let file = try TemporaryFile(for: target)
    file.modified = modified
    try bytes.withEveryByte { (all) throws(CropError) in
      try file.write(all, note: note)
    }
    return file
  }

  /// Renames the temporary file to its final name, unless the save was cancelled (``CropStop``). If
  /// `expected` is set, it replaces only that file.
  static func publish(
    _ file: TemporaryFile, at target: SaveTarget, _ replacing: Replacing,
    inPlaceOf expected: stat? = nil
  ) throws(CropError) {
    try CropStop.check()
    if let expected { return try file.publish(inPlaceOf: expected, mayMoveAside: false) }
    // If nothing may be replaced, the name must not have been taken since it was checked.
    if target.existing == nil, case .nothing = replacing {
      try file.publishNew()
    } else {
      try file.publishReplacing()
    }
  }

  /// ``save(_:to:replacing:input:note:keepsTime:)`` for a path that is text.
  public static func save(
    _ bytes: Data, to path: String, replacing: Replacing, input: ImageSource? = nil
  ) throws(CropError) {
    try save(bytes, to: PathBytes(path), replacing: replacing, input: input)
  }

  private static func writeThrough(_ bytes: Data, to target: SaveTarget) throws(CropError) {
    let file = try opened(target)
    try bytes.withEveryByte { (all) throws(CropError) in
      try file.writeAll(all, path: target.path)
    }
  }

  /// How many times a pipe is checked for a reader, 10 ms apart.
  private static let mostLooks = 200

  /// The open target if it is writable but not a regular file. `pause` waits before a pipe without a
  /// reader is checked again.
  static func opened(
    _ target: SaveTarget, pause: () -> Void = { usleep(10_000) }
  ) throws(CropError) -> Descriptor {
    let isPipe = target.existing?.kind == S_IFIFO
    var raw: Int32
    var looks = 0
    repeat {
      // The reader may be starting right now.
      if looks > 0 { pause() }
      // Non-blocking, so that a named pipe without a reader is an error instead of blocking.
      raw = ckc_system_open_at(
        target.folder.raw, target.name, O_WRONLY | O_NOCTTY | O_NONBLOCK, 0)
      looks += 1
    } while raw < 0 && errno == ENXIO && isPipe && looks < mostLooks
    guard raw >= 0 else {
      let detail = errno == ENXIO && isPipe ? "nothing reads from this pipe" : words(for: errno)
      throw .outputUncreatable(path: target.path, detail: detail)
    }
    let flags = ckc_system_fcntl(raw, F_GETFL, 0)
    if flags >= 0 { _ = ckc_system_fcntl(raw, F_SETFL, flags & ~O_NONBLOCK) }
    return Descriptor(adopting: raw)
  }
}

extension CropError {
  /// The error for an existing target that is not a regular file.
  static func special(_ name: PathBytes) -> Self {
    .outputUncreatable(path: name.name, detail: "something other than a file has this name")
  }
}

extension Data {
  /// Calls `body` with all bytes in place, for a `body` that throws `CropError`.
  package func withEveryByte<Value>(
    _ body: (UnsafeRawBufferPointer) throws(CropError) -> Value
  ) throws(CropError) -> Value {
    let result = withUnsafeBytes { all in
      Result { () throws(CropError) in try body(all) }
    }
    return try result.get()
  }
}

/// A line of text that a save stores with a file, in the extended attribute `user.cropkit`.
///
/// The note is published atomically together with the file. It is valid only until the file is
/// written to again; then, and on file systems without extended attributes, the file has no note.
public enum FileNote {
  static let attribute = "user.cropkit"
  /// The most bytes of a note: every file system that supports extended attributes accepts this
  /// many.
  private static let maxBytes = 1024

  /// The note of the file at `path`, and the file's size; nil if it has none or is not a regular
  /// file.
  public static func read(at path: PathBytes) -> (text: String, byteCount: Int)? {
    let raw = ckc_system_open(path.terminated, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else { return nil }
    let file = Descriptor(adopting: raw)
    guard let stamp = file.stamp, let size = file.status?.st_size else { return nil }
    var bytes = [UInt8](repeating: 0, count: maxBytes)
    let count = ckc_system_get_attribute(file.raw, attribute, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.hasPrefix("\(stamp) ") else { return nil }
    return (String(text.dropFirst(stamp.count + 1)), Int(size))
  }

  /// Stores `note` with the current content of `file`. If the file system can't store it, the file
  /// has no note and is treated as one that was never seen.
  static func write(_ note: String, to file: Descriptor) {
    guard let stamp = file.stamp else { return }
    // Short: file systems store about 60 bytes at no cost.
    let bytes = Array("\(stamp) \(note)".utf8)
    guard bytes.count <= maxBytes else { return }
    _ = ckc_system_set_attribute(file.raw, attribute, bytes, bytes.count)
  }
}
