import CSystemCalls
import FoundationEssentials
import Glibc

/// Bytes in an unnamed file in memory, passed between processes.
package enum MemoryFile {
  /// A sealed file with the contents `bytes`; nil if there is not enough memory.
  package static func make(_ bytes: Data) -> Descriptor? {
    let raw = ckc_system_memory_file("cropkit")
    guard raw >= 0 else { return nil }
    let file = Descriptor(adopting: raw)
    let isWritten: Void? = try? bytes.withEveryByte { (all) throws(CropError) in
      try file.writeAll(all, path: "memory")
    }
    guard isWritten != nil, ckc_system_seal(raw) == 0 else { return nil }
    return file
  }

  /// A file that another process may write a result to, at most `capacity` bytes; nil if it can't
  /// be created. The system shows it under `name`.
  package static func empty(capacity: Int, name: String = "cropkit") -> Descriptor? {
    let raw = ckc_system_memory_file_of(name, off_t(capacity))
    return raw < 0 ? nil : Descriptor(adopting: raw)
  }

  /// The first `count` bytes of a file that another process wrote, mapped; nil if it is shorter or
  /// can still be changed.
  ///
  /// It is sealed first, which makes the mapping safe: no process can change or shorten it any
  /// more.
  package static func take(_ file: Descriptor, count: Int) -> Data? {
    guard count >= 0, ftruncate(file.raw, off_t(count)) == 0, ckc_system_seal(file.raw) == 0,
      let status = file.status, Int(status.st_size) == count
    else { return nil }
    // An empty file can't be mapped.
    guard count > 0 else { return Data() }
    guard
      let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), start != MAP_FAILED
    else { return nil }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }

  /// Frees the memory of a file, even if other processes still have it open; the file can't grow
  /// again.
  package static func discard(_ file: Descriptor) { _ = ftruncate(file.raw, 0) }
}

extension ImageSource {
  /// An open file that a worker can only read.
  package func forWorker() throws(CropError) -> Descriptor {
    switch storage {
    case .file(let file):
      let flags = ckc_system_fcntl(file.raw, F_GETFL, 0)
      guard flags & O_ACCMODE != O_RDONLY else { return file }
      guard let copy = Descriptor(opening: "/proc/self/fd/\(file.raw)", flags: O_RDONLY) else {
        throw .readFailed(
          file: name, detail: errno == ENOENT ? "/proc is not mounted" : words(for: errno))
      }
      return copy
    case .memory(let bytes):
      guard let file = MemoryFile.make(bytes) else {
        throw .memoryRefused(file: name, allowed: bytes.count)
      }
      return file
    }
  }
}
