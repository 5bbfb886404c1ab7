import CSystemCalls
import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file without a name that a large result is written to while it is made, so that it need not be
/// held in memory.
///
/// Nobody else can open it, so nobody can change or shorten it.
public final class ResultFile: Sendable {
  let file: Descriptor
  /// What messages call it.
  private let path: String
  private let written = Monitor(0)

  /// Results up to this many bytes stay in memory.
  static let least = 1 << 20

  init(_ file: Descriptor, path: String) {
    self.file = file
    self.path = path
  }

  /// Inputs up to this many bytes have results that memory can hold.
  private static let small = 4 << 20

  /// Whether results of an input may be so large that they belong into a file.
  static func serves(_ input: PictureSource) -> Bool { input.byteCount > small }

  /// One among the system's temporary files for a result of `input`; nil if there can be none, and for
  /// an input so small that memory can hold its results.
  public static func temporary(for input: PictureSource) -> ResultFile? {
    serves(input) ? temporary() : nil
  }

  /// One among the system's temporary files; nil if there can be none.
  static func temporary() -> ResultFile? {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    let raw = ckc_system_open(folder, O_RDWR | ckc_system_unnamed_flag, 0o600)
    return raw < 0 ? nil : ResultFile(Descriptor(adopting: raw), path: folder)
  }

  /// How many bytes it holds.
  public var byteCount: Int { written.change { $0 } }

  /// The bytes, mapped.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``.
  func bytes() throws(CropError) -> Data {
    let count = byteCount
    guard count > 0 else { return Data() }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), start != MAP_FAILED
    else { throw .readFailed(file: path, detail: words(for: errno)) }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }

  /// Writes bytes behind the others.
  func append(_ bytes: UnsafeRawBufferPointer) throws(CropError) {
    try file.writeAll(bytes, path: path)
    written.change { $0 += bytes.count }
  }

  /// Throws away what was written so far; false if that can't be.
  func clear() -> Bool {
    written.change { $0 = 0 }
    return ftruncate(file.raw, 0) == 0 && lseek(file.raw, 0, SEEK_SET) == 0
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
      let got = pread(
        file.raw, buffer.baseAddress, min(buffer.count, count - offset), off_t(offset))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        throw .readFailed(file: path, detail: words(for: got < 0 ? errno : EIO))
      }
      try Descriptor.writeAll(
        UnsafeRawBufferPointer(rebasing: buffer[..<got]), to: descriptor, path: name)
      offset += got
    }
  }
}

/// The bytes of a result while it is made: in memory, and from a certain size on in a file, if there
/// is one.
final class ResultBytes {
  private let memory = JPEGBytes()
  private let file: ResultFile?
  private var isInFile = false
  private let most: Int
  /// Why bytes could not be taken.
  private(set) var failure: CropError?

  /// No bytes yet, of which memory holds at most `most`.
  init(file: ResultFile?, most: Int) {
    self.file = file
    self.most = most
  }

  /// Takes bytes behind the others; false if that failed.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let file, isInFile || memory.count + bytes.count > ResultFile.least else {
      return memory.count + bytes.count <= most && memory.append(bytes)
    }
    do throws(CropError) {
      if !isInFile {
        isInFile = true
        try file.append(UnsafeRawBufferPointer(memory.buffer))
      }
      try file.append(bytes)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Where the bytes are now.
  func finish() -> CropResult.Content {
    if isInFile, let file { return .file(file) }
    return .memory(memory.take())
  }
}
