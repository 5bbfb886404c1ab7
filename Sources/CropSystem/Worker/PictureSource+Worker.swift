import CSystemCalls
import Glibc

extension PictureSource {
  /// An open file that a worker can read and do nothing else with.
  package func forWorker() throws(CropError) -> Descriptor {
    switch storage {
    case .file(let file):
      let flags = ckc_system_fcntl(file.raw, F_GETFL, 0)
      guard flags & O_ACCMODE != O_RDONLY else { return file }
      guard let copy = Descriptor(opening: "/proc/self/fd/\(file.raw)", flags: O_RDONLY) else {
        throw .readFailed(
          file: name, detail: errno == ENOENT ? "/proc is not there" : words(for: errno))
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
