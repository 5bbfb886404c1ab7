import CSystemCalls
import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes in a file without a name, passed between processes.
enum MemoryFile {
  /// A sealed file that holds `bytes`, nil if there is no memory for it.
  static func make(_ bytes: Data) -> Descriptor? {
    let raw = ckc_system_memory_file("cropkit")
    guard raw >= 0 else { return nil }
    let file = Descriptor(adopting: raw)
    let isWritten: Void? = try? bytes.withEveryByte { (all) throws(CropError) in
      try file.writeAll(all, path: "memory")
    }
    guard isWritten != nil, ckc_system_seal(raw) == 0 else { return nil }
    return file
  }

  /// A file for a result to be written to while it is made; nil if there is no memory for it.
  static func empty() -> ResultFile? {
    let raw = ckc_system_memory_file("cropkit")
    return raw < 0 ? nil : ResultFile(Descriptor(adopting: raw), path: "memory")
  }

  /// A sealed file that holds the bytes of `result`, nil if there is no memory for it.
  static func make(_ result: CropResult) -> Descriptor? {
    guard let file = result.file else { return make(result.bytes) }
    return ckc_system_seal(file.file.raw) == 0 ? file.file : nil
  }

  /// The bytes of a sealed file of exactly `count` bytes, mapped; nil if it is anything else.
  ///
  /// The seal is what makes the mapping safe: nobody can change or shorten it any more.
  static func map(_ file: Descriptor, count: Int) -> Data? {
    guard count > 0, ckc_system_is_sealed(file.raw) == 1, let status = file.status,
      Int(status.st_size) == count,
      let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), start != MAP_FAILED
    else { return nil }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }
}
