import CVips
import CropImaging
import Foundation
import Glibc

/// libvips, started once per process and used by one thread at a time.
///
/// libvips keeps one error buffer and one log for the whole process, so two pictures at once would
/// mix up what went wrong with which. Work on several pictures in parallel belongs in several
/// processes.
enum Runtime {
  private static let lock = NSLock()
  /// Starts libvips at the first use; nil, or why it can't be used.
  private static let refusal: String? = start()

  /// Calls `body` while no other thread uses libvips.
  static func exclusively<Result>(
    _ body: () throws(CropError) -> Result
  ) throws(CropError) -> Result {
    lock.lock()
    defer { lock.unlock() }
    if let refusal {
      throw .componentMissing(
        component: "libvips", advice: "install libvips42 (it says: \(refusal))")
    }
    Messages.clear()
    _ = Messages.takeWarnings()
    defer { Messages.clear() }
    return try body()
  }

  private static func start() -> String? {
    Messages.capture()
    guard vips_init("cropkit") == 0 else { return Messages.failure().words }
    // One thread a decode: with more, errors in small files are sometimes lost (libvips before
    // 8.15.4), and files are worked on in parallel anyway.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
    vips_block_untrusted_set(1)
    if !Operation.exists("heifload_source") { loadHEIF() }
    return nil
  }

  /// Loads libvips' HEIF module alone, where `VIPSHOME` kept libvips from finding its modules.
  private static func loadHEIF() {
    guard let folder = libraryFolder else { return }
    let version = "\(vips_version(0)).\(vips_version(1))"
    let path = "\(folder)/vips-modules-\(version)/vips-heif.so"
    guard let module = g_module_open(path, G_MODULE_BIND_LAZY) else { return }
    g_module_make_resident(module)
  }

  /// The folder that libvips itself was loaded from, nil where it is linked statically.
  private static var libraryFolder: String? {
    guard let file = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(file) }
    // Read as a stream: the file claims to be empty.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    let maps = String(decoding: bytes, as: UTF8.self)
    for line in maps.split(separator: "\n") {
      guard let name = line.range(of: "/libvips.so"), let path = line.firstIndex(of: "/") else {
        continue
      }
      return String(line[path..<name.lowerBound])
    }
    return nil
  }
}
