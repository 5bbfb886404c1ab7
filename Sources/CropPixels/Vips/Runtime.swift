import CSystemCalls
import CVips
import CropImaging
import Synchronization

/// libvips, started once per process and used by one thread at a time.
///
/// libvips keeps one error buffer and one log for the whole process, so two pictures at once would
/// mix up what went wrong with which. Work on several pictures in parallel belongs in several
/// processes.
enum Runtime {
  private static let lock = Mutex(())
  /// Starts libvips at the first use; nil, or why it can't be used.
  private static let refusal: String? = start()

  /// Calls `body` while no other thread uses libvips.
  static func exclusively<Result>(
    _ body: () throws(CropError) -> sending Result
  ) throws(CropError) -> sending Result {
    try lock.withLock { _ throws(CropError) in
      if let refusal {
        throw .componentMissing(
          component: "libvips", advice: "install libvips42 (it says: \(refusal))")
      }
      Messages.clear()
      _ = Messages.takeWarnings()
      defer { Messages.clear() }
      return try body()
    }
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
    loadHEIF()
    return nil
  }

  /// Loads libvips' HEIF module, where `VIPSHOME` kept libvips from finding its modules, and the codecs
  /// that libheif loads at its first use.
  private static func loadHEIF() {
    if let folder = libraryFolder {
      let path = "\(folder)/vips-modules-\(vips_version(0)).\(vips_version(1))/vips-heif.so"
      if let module = g_module_open(path, G_MODULE_BIND_LAZY) { g_module_make_resident(module) }
    }
    _ = heif_have_encoder_for_format(heif_compression_HEVC)
  }

  /// The folder that libvips itself was loaded from, nil where it is linked statically.
  private static var libraryFolder: Substring? {
    guard let name = ckc_system_library("vips_init").map({ String(cString: $0) }),
      name.contains("libvips"), let end = name.lastIndex(of: "/")
    else { return nil }
    return name[..<end]
  }
}
