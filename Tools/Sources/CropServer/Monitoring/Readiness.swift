import CropImaging
import Glibc
import PhotoLibrary
import Synchronization

/// Whether the server is ready: its library exists, its disk has space, its workers run.
final class Readiness: Sendable {
  /// The result of the check.
  struct Report: Encodable, Equatable {
    let ready: Bool
    /// `ok`, `missing`, or `none` if the server has no library.
    let library: String
    /// For the server's own data: `ok`, `full` or `unwritable`.
    let disk: String
    /// `ok` or `failing`.
    let workers: String
    /// `ok`, or `limits` if the kernel can't filter the system calls of workers.
    let sandbox: String
  }

  private let library: PhotoLibrary?
  private let workers: WorkerPool
  private let data: String
  /// The last report, cached since anyone may request it, as often as they like.
  private let last = Mutex<(report: Report, end: ContinuousClock.Instant)?>(nil)
  private let threads = BlockingThreads(label: "cropkit.readiness", count: 1)

  /// How long a report is cached.
  private static let life = Duration.seconds(1)
  /// The minimum disk space for the data, in bytes.
  private static let leastRoom = 1 << 20

  /// - Parameter data: the user's data folder.
  init(library: PhotoLibrary?, workers: WorkerPool, data: String) {
    self.library = library
    self.workers = workers
    self.data = data
  }

  /// A report, at most a second old.
  func report() async throws -> Report {
    if let known = last.withLock({ $0 }), known.end > .now { return known.report }
    return try await threads.run { [self] in
      if let known = last.withLock({ $0 }), known.end > .now { return known.report }
      let report = made()
      last.withLock { $0 = (report, .now + Self.life) }
      return report
    }
  }

  private func made() -> Report {
    let library = self.library.map { $0.isReachable ? "ok" : "missing" } ?? "none"
    let disk = diskState()
    // Busy workers are known to run.
    let areWorking = workers.busyCount > 0 || (try? workers.warmUp()) != nil
    return Report(
      ready: library != "missing" && disk == "ok" && areWorking, library: library, disk: disk,
      workers: areWorking ? "ok" : "failing",
      sandbox: WorkerPool.filtersSystemCalls ? "ok" : "limits")
  }

  private func diskState() -> String {
    let folder = "\(data)/cropkit"
    guard access(folder, W_OK | X_OK) == 0 else { return "unwritable" }
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return "unwritable" }
    // Some file systems report no sizes.
    guard status.f_blocks > 0 else { return "ok" }
    let room = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return room.overflow || room.partialValue >= UInt64(Self.leastRoom) ? "ok" : "full"
  }
}
