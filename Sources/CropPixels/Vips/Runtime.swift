import CSystemCalls
import CVips
import CropImaging
import Synchronization

/// libvips, started once per process and used by one thread at a time.
///
/// libvips has one error buffer and one log per process, so with two images in parallel, errors
/// could not be attributed. Use several processes for parallel work.
enum Runtime {
  private static let lock = Mutex(())
  /// Starts libvips on first use; nil on success, otherwise the reason why it can't be used.
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
    // One thread per decode: with more, errors in small files are sometimes lost (libvips before
    // 8.15.4), and files are processed in parallel anyway.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
    vips_block_untrusted_set(1)
    // Orc compiles code for the processor when it is needed, which a confined process may not run.
    if ckc_system_library("orc_init") != nil { vips_vector_set_enabled(0) }
    loadModules()
    return nil
  }

  /// Loads libvips' format modules, if `VIPSHOME` kept libvips from finding them, and the codecs
  /// that libheif loads on first use. A worker loads those that its pool names; each takes 3 ms.
  /// Those that are already loaded take none.
  static func loadModules() {
    let folder = libraryFolder.map { "\($0)/vips-modules-\(vips_version(0)).\(vips_version(1))" }
    let all = Set(ImageFormat.allCases.compactMap(\.module))
    let wanted = getenv(ImageFormat.modulesWanted).map { String(cString: $0) }
    let modules = wanted.map { all.intersection($0.split(separator: ",").map(String.init)) } ?? all
    for name in folder == nil ? [] : modules {
      let module = g_module_open("\(folder ?? "")/vips-\(name).so", ckc_gmodule_lazy)
      if let module { g_module_make_resident(module) }
    }
    // libvips blocks some of these classes as untrusted when it loads the module.
    for name in modules {
      let kind = name.prefix(1).uppercased() + name.dropFirst()
      for way in ["Load", "Save"] { vips_operation_block_set("VipsForeign\(way)\(kind)", 0) }
    }
    if modules.contains("heif") {
      _ = heif_have_encoder_for_format(heif_compression_HEVC)
    }
  }

  /// The folder that libvips was loaded from; nil if it is linked statically.
  private static var libraryFolder: Substring? {
    guard let name = ckc_system_library("vips_init").map({ String(cString: $0) }),
      name.contains("libvips"), let end = name.lastIndex(of: "/")
    else { return nil }
    return name[..<end]
  }
}
