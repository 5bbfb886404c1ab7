import CSystemCalls
import FoundationEssentials
import Glibc

/// Bytes in a file without a name, passed between processes.
package enum MemoryFile {
  /// A sealed file that holds `bytes`, nil if there is no memory for it.
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

  /// A file that another process may write a result to, at most `capacity` bytes; nil if there can be
  /// none. The system shows it under `name`.
  package static func empty(capacity: Int, name: String = "cropkit") -> Descriptor? {
    let raw = ckc_system_memory_file_of(name, off_t(capacity))
    return raw < 0 ? nil : Descriptor(adopting: raw)
  }

  /// The first `count` bytes of a file that another process wrote, mapped; nil if it has fewer or can
  /// still be changed.
  ///
  /// It is sealed first, which is what makes the mapping safe: nobody can change or shorten it any more.
  package static func take(_ file: Descriptor, count: Int) -> Data? {
    guard count >= 0, ftruncate(file.raw, off_t(count)) == 0, ckc_system_seal(file.raw) == 0,
      let status = file.status, Int(status.st_size) == count
    else { return nil }
    // There is no map of nothing.
    guard count > 0 else { return Data() }
    guard
      let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), start != MAP_FAILED
    else { return nil }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }

  /// Takes the memory of a file away from whoever still has it open: it can't grow again.
  package static func discard(_ file: Descriptor) { _ = ftruncate(file.raw, 0) }
}
