import CSystemCalls
import FoundationEssentials
import Glibc

/// The bytes of an image: an open file, or bytes in memory.
///
/// A file is read in place, by position: never as a whole and never memory-mapped, so that a file
/// that shrinks during reading causes an error and not a crash. Copies share the open file. Reading
/// is thread-safe.
public struct ImageSource: Sendable {
  /// The name in messages: the path as given, or the name that the initializer got.
  public let name: String
  /// The number of bytes when the source was opened.
  public let byteCount: Int
  /// The file's identity; nil for bytes in memory that do not come from a file.
  public let identity: FileIdentity?
  let storage: Storage
  /// State that several crops of this image share; the engine knows its type. Nil if they share
  /// nothing.
  package var shared: (any AnyObject & Sendable)?

  enum Storage: Sendable {
    case file(Descriptor)
    case memory(Data)
  }

  private init(name: String, byteCount: Int, storage: Storage, identity: FileIdentity?) {
    self.name = name
    self.byteCount = byteCount
    self.storage = storage
    self.identity = identity
  }

  /// Bytes in memory, called `name` in messages.
  public init(bytes: Data, name: String) {
    self.init(name: name, byteCount: bytes.count, storage: .memory(bytes), identity: nil)
  }

  /// Opens the file at `path`.
  ///
  /// A pipe or device is read into memory.
  ///
  /// - Throws: ``CropError/inputMissing(file:)``, ``CropError/inputUnreadable(file:detail:)``,
  ///   ``CropError/readFailed(file:detail:)``, ``CropError/limitExceeded(file:limit:actual:allowed:)``
  ///   for more than `limits.bytes`, or ``CropError/timedOut(file:seconds:)`` for a named pipe that
  ///   nothing has opened to write within `limits.seconds`.
  public init(path: PathBytes, limits: Limits = Limits()) throws(CropError) {
    let name = path.name
    guard !path.bytes.contains(0) else { throw .inputMissing(file: name) }
    // Non-blocking, so that a named pipe without a writer can be given up.
    let file = ckc_system_open(path.terminated, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0)
    guard file >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR, ENAMETOOLONG: throw .inputMissing(file: name)
      case let error: throw .inputUnreadable(file: name, detail: words(for: error))
      }
    }
    try self.init(Descriptor(adopting: file), name: name, limits: limits, waitsForWriter: true)
  }

  /// Opens the file at `path`, encoded as UTF-8.
  ///
  /// - Throws: the same errors as for a path of bytes.
  public init(path: String, limits: Limits = Limits()) throws(CropError) {
    try self.init(path: PathBytes(path), limits: limits)
  }

  /// Reads an open file, called `name` in messages. The source takes ownership of the descriptor.
  ///
  /// - Throws: the same errors as for a path of bytes.
  public init(adopting descriptor: Int32, name: String, limits: Limits = Limits())
    throws(CropError)
  {
    try self.init(Descriptor(adopting: descriptor), name: name, limits: limits)
  }

  /// Standard input: read in place if it is a file at its start, otherwise read into memory.
  ///
  /// - Throws: the same errors as for a path of bytes.
  public static func standardInput(limits: Limits = Limits()) throws(CropError) -> Self {
    let name = "standard input"
    let copy = ckc_system_fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .inputUnreadable(file: name, detail: words(for: errno)) }
    let file = Descriptor(adopting: copy)
    // Bytes before the current position are not part of the image.
    guard lseek(copy, 0, SEEK_CUR) > 0, let status = file.status, status.kind == S_IFREG else {
      return try Self(file, name: name, limits: limits)
    }
    let rest = try drain(file, name: name, limit: limits.bytes)
    return Self(
      name: name, byteCount: rest.count, storage: .memory(rest), identity: FileIdentity(status))
  }

  /// Reads an open file. With `waitsForWriter`, a pipe that was opened without blocking may get its
  /// first writer later.
  package init(
    _ file: Descriptor, name: String, limits: Limits, waitsForWriter: Bool = false
  ) throws(CropError) {
    guard let status = file.status else {
      throw .inputUnreadable(file: name, detail: words(for: errno))
    }
    switch status.kind {
    case S_IFDIR: throw .inputUnreadable(file: name, detail: "it is a folder; name a file in it")
    case S_IFREG:
      let count = Int(status.st_size)
      guard count <= limits.bytes else {
        throw .limitExceeded(file: name, limit: .bytes, actual: count, allowed: limits.bytes)
      }
      self.init(
        name: name, byteCount: count, storage: .file(file), identity: FileIdentity(status))
    default:
      let start =
        waitsForWriter && status.kind == S_IFIFO
        ? try Self.firstByte(of: file, name: name, seconds: limits.seconds) : Data()
      self.init(
        bytes: try Self.drain(file, after: start, name: name, limit: limits.bytes), name: name)
    }
  }

  /// The first byte of a pipe that was opened without blocking, once it has a writer; none if the
  /// writer left without writing, or has not written yet.
  ///
  /// - Throws: ``CropError/timedOut(file:seconds:)`` without a writer.
  private static func firstByte(
    of file: Descriptor, name: String, seconds: Int
  ) throws(CropError) -> Data {
    let deadline = TimeLimit(seconds: seconds, of: CLOCK_MONOTONIC)
    while true {
      var byte: UInt8 = 0
      let count = Glibc.read(file.raw, &byte, 1)
      if count > 0 { return Data([byte]) }
      if count < 0, errno == EINTR { continue }
      // It has a writer; another error occurs again when the rest is read.
      guard count == 0 else { return Data() }
      guard deadline.millisecondsLeft > 0 else { throw .timedOut(file: name, seconds: seconds) }
      // A writer that has no data yet doesn't end the wait, so look again from time to time.
      var look = pollfd(fd: file.raw, events: Int16(POLLIN), revents: 0)
      if poll(&look, 1, min(deadline.millisecondsLeft, 100)) > 0,
        look.revents & Int16(POLLIN) == 0
      {
        return Data()
      }
    }
  }

  /// Reads a pipe or device to its end, at most `limit` bytes, of which `start` was already read.
  private static func drain(
    _ file: Descriptor, after start: Data = Data(), name: String, limit: Int
  ) throws(CropError) -> Data {
    let flags = ckc_system_fcntl(file.raw, F_GETFL, 0)
    if flags >= 0 { _ = ckc_system_fcntl(file.raw, F_SETFL, flags & ~O_NONBLOCK) }
    var all = start
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file.raw, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .readFailed(file: name, detail: words(for: errno)) }
      guard count > 0 else { return all }
      guard all.count + count <= limit else {
        throw .limitExceeded(
          file: name, limit: .bytes, actual: all.count + count, allowed: limit)
      }
      all.append(contentsOf: buffer[..<count])
    }
  }
}

extension ImageSource {
  /// A string that changes whenever the file's bytes do: its current size and modification time;
  /// nil for bytes in memory.
  public var stamp: String? {
    if case .file(let file) = storage { file.stamp } else { nil }
  }

  /// The permissions of the file; nil for bytes in memory.
  var mode: mode_t? {
    if case .file(let file) = storage { file.status.map { $0.st_mode & 0o777 } } else { nil }
  }

  /// When the file's content last changed; nil for bytes in memory.
  var modified: timespec? {
    if case .file(let file) = storage { file.status?.st_mtim } else { nil }
  }

  /// The bytes, if they are in memory; nil for a file.
  public var bytes: Data? {
    if case .memory(let bytes) = storage { bytes } else { nil }
  }

  /// The open file; nil for bytes in memory. It is valid while the source exists. Its position is
  /// shared, so read by position (`pread`) or through ``read(into:at:)``.
  public var descriptor: Int32? {
    if case .file(let file) = storage { file.raw } else { nil }
  }

  /// Whether `descriptor` is the file that the bytes come from, under any name.
  public func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  /// Reads up to `buffer.count` bytes, starting `offset` bytes after the start.
  ///
  /// - Returns: the number of bytes read; less than requested only at the end, 0 past it or for a
  ///   negative offset.
  /// - Throws: ``CropError/readFailed(file:detail:)``.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(CropError) -> Int {
    guard offset >= 0, let base = buffer.baseAddress else { return 0 }
    switch storage {
    case .memory(let bytes):
      guard offset < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - offset)
      bytes.withUnsafeBytes { all in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[offset..<offset + count]))
      }
      return count
    case .file(let file):
      var done = 0
      while done < buffer.count {
        let count = pread(file.raw, base + done, buffer.count - done, off_t(offset) + off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .readFailed(file: name, detail: words(for: errno)) }
        guard count > 0 else { break }
        done += count
      }
      return done
    }
  }
}

extension ImageSource {
  /// Reads all bytes into memory.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``, also if the file has become shorter.
  public func allBytes() throws(CropError) -> Data { try bytes(in: [0..<byteCount]) }

  /// Fills `buffer` with the bytes from `offset`.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``, also if the file ends before.
  package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(CropError) {
    guard try read(into: buffer, at: offset) == buffer.count else {
      throw .readFailed(file: name, detail: "it became shorter while it was read")
    }
  }

  /// Writes all bytes to `file`, in chunks.
  package func copy(to file: ResultFile) throws(CropError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < byteCount {
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, byteCount - offset)])
      try fill(piece, at: offset)
      try file.append(UnsafeRawBufferPointer(piece))
      offset += piece.count
    }
  }

  /// The same image without the bytes of `gaps` (in ascending order), in memory.
  package func without(_ gaps: [Range<Int>]) throws(CropError) -> Self {
    var kept: [Range<Int>] = []
    var start = 0
    for gap in gaps {
      kept.append(start..<gap.lowerBound)
      start = gap.upperBound
    }
    kept.append(start..<byteCount)
    return Self(bytes: try bytes(in: kept), name: name)
  }

  private func bytes(in ranges: [Range<Int>]) throws(CropError) -> Data {
    if ranges.count == 1, let bytes { return bytes }
    let count = ranges.reduce(0) { $0 + $1.count }
    guard count > 0 else { return Data() }
    guard let start = malloc(count) else { throw .memoryRefused(file: name, allowed: count) }
    do throws(CropError) {
      try fill(UnsafeMutableRawBufferPointer(start: start, count: count), from: ranges)
    } catch {
      free(start)
      throw error
    }
    // Transferred, not copied: an image may have half a gigabyte.
    return Data(bytesNoCopy: start, count: count, deallocator: .free)
  }

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from ranges: [Range<Int>]
  ) throws(CropError) {
    var rest = buffer[...]
    for range in ranges {
      let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(range.count))
      try fill(part, at: range.lowerBound)
      rest = rest.dropFirst(range.count)
    }
  }
}
