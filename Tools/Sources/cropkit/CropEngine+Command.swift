import CropImaging

extension CropEngine {
  /// The engine of this program: it cuts sequential JPEGs itself, leaves other JPEGs to limited
  /// processes of its own, and everything else to `cropkit-worker`, at most `jobs` at once.
  static func command(jobs: Int = 1, limits: Limits) -> CropEngine {
    // Codecs of other formats are in a program of their own, which takes longer to start.
    let others = WorkerPool(size: jobs, limits: limits)
    let limited = WorkerPool(executable: WorkerPool.thisProgram, size: jobs, limits: limits)
    return CropEngine(backend: JPEGBackend(before: others, limited: limited), limits: limits)
  }
}
