import CSystemCalls
import FoundationEssentials
import Glibc

/// An unnamed file that a large result is written to while it is encoded, so that it does not need
/// memory.
///
/// No other process can open the file, so none can change or shorten it.
public final class ResultFile: Sendable {
  package let file: Descriptor
  /// The name in messages.
  private let path: String
  /// The most bytes that the file can hold, and the error if there are more; nil if it can grow.
  private let bound: (capacity: Int, excess: CropError)?
  private let written = Monitor(0)

  /// Results up to this many bytes stay in memory.
  package static let least = 1 << 20

  package init(_ file: Descriptor, path: String, bound: (capacity: Int, excess: CropError)? = nil) {
    self.file = file
    self.path = path
    self.bound = bound
  }

  /// Inputs up to this many bytes have results that fit in memory.
  private static let small = 4 << 20

  /// Whether results of an input may be so large that they should be written to a file.
  static func serves(_ input: ImageSource) -> Bool { input.byteCount > small }

  /// A file in the system's temporary folder for a result of `input`; nil if it can't be created,
  /// or if the input is so small that its result fits in memory.
  public static func temporary(for input: ImageSource) -> ResultFile? {
    serves(input) ? temporary() : nil
  }

  /// A file in the system's temporary folder; nil if it can't be created.
  static func temporary() -> ResultFile? {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    let raw = ckc_system_open(folder, O_RDWR | ckc_system_unnamed_flag, 0o600)
    return raw < 0 ? nil : ResultFile(Descriptor(adopting: raw), path: folder)
  }

  /// The number of bytes written.
  public var byteCount: Int { written.change { $0 } }

  /// The bytes, memory-mapped.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``.
  package func bytes() throws(CropError) -> Data {
    let count = byteCount
    guard count > 0 else { return Data() }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), start != MAP_FAILED
    else { throw .readFailed(file: path, detail: words(for: errno)) }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }

  /// Appends bytes.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(CropError) {
    if let bound, bytes.count > bound.capacity - byteCount { throw bound.excess }
    try file.writeAll(bytes, path: path)
    written.change { $0 += bytes.count }
  }

  /// Replaces the first `count` bytes with `head`, and moves the rest.
  package func replaceStart(_ count: Int, with head: Data) throws(CropError) {
    let (old, added) = (byteCount, head.count - count)
    if let bound, added > bound.capacity - old { throw bound.excess }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var left = old - count
    // Moves bytes from the end to the start, so that nothing is overwritten before it is read.
    var done = 0
    while left > 0 {
      let size = min(left, buffer.count)
      let from = added > 0 ? count + left - size : count + done
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
      try readAll(piece, at: from)
      try writeAll(UnsafeRawBufferPointer(piece), at: from + added)
      left -= size
      done += size
    }
    try head.withEveryByte { (all) throws(CropError) in try writeAll(all, at: 0) }
    if bound == nil, added < 0, ftruncate(file.raw, off_t(old + added)) != 0 {
      throw .writing(errno, path: path)
    }
    guard lseek(file.raw, off_t(old + added), SEEK_SET) >= 0 else {
      throw .writing(errno, path: path)
    }
    written.change { $0 = old + added }
  }

  private func readAll(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(CropError) {
    var done = 0
    while done < buffer.count {
      let got = pread(
        file.raw, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        throw .readFailed(file: path, detail: words(for: got < 0 ? errno : EIO))
      }
      done += got
    }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CropError) {
    var done = 0
    while done < bytes.count {
      let put = pwrite(
        file.raw, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if put < 0, errno == EINTR { continue }
      guard put > 0 else { throw .writing(put < 0 ? errno : EIO, path: path) }
      done += put
    }
  }

  /// Replaces all content with `bytes`.
  package func hold(_ bytes: Data) throws(CropError) {
    guard clear() else { throw .writing(errno, path: path) }
    try bytes.withEveryByte { (all) throws(CropError) in try append(all) }
  }

  /// The largest file that the system allows this process to write, in bytes.
  package static var largest: UInt {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return .max }
    return UInt(limit.rlim_cur)
  }

  /// Discards everything written so far; false on failure.
  package func clear() -> Bool {
    written.change { $0 = 0 }
    // A file with a size limit has its maximum length from the start.
    return (bound != nil || ftruncate(file.raw, 0) == 0) && lseek(file.raw, 0, SEEK_SET) == 0
  }

  /// Writes all bytes to another open file, called `name` in messages.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``, ``CropError/writeFailed(path:detail:)``,
  ///   ``CropError/diskFull(path:)``.
  public func copy(to descriptor: Int32, name: String) throws(CropError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    let count = byteCount
    while offset < count {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, count - offset)])
      try readAll(part, at: offset)
      try Descriptor.writeAll(UnsafeRawBufferPointer(part), to: descriptor, path: name)
      offset += part.count
    }
  }
}

/// The bytes of a result, in memory or in a file.
package enum ResultContent: Sendable {
  case memory(Data)
  case file(ResultFile)

  /// The bytes; they may be mapped from a file or from the process that made them.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)`` if they can't be mapped: there may not be
  ///   enough address space.
  package func bytes() throws(CropError) -> Data {
    switch self {
    case .memory(let bytes): bytes
    case .file(let file): try file.bytes()
    }
  }

  /// The file that holds the bytes; nil if they are in memory.
  package var file: ResultFile? { if case .file(let file) = self { file } else { nil } }
}
