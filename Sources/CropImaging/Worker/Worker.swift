import CSystemCalls
import Glibc

/// A running worker process, as its pool sees it.
final class Worker: Sendable {
  let channel: WorkerChannel
  private let process: pid_t
  /// The most memory that this process had used when it started the other, in bytes.
  private let inherited: Int
  private let isReaped = Monitor(false)

  /// Starts `executable` for the sake of `file` and waits until it is ready.
  ///
  /// - Throws: ``CropError/componentMissing(component:advice:)`` if it can't be started or is none,
  ///   ``CropError/workerDied(file:detail:)`` if it is one and dies.
  init(_ executable: String, limits: Limits, pictures: Int, file: String) throws(CropError) {
    (process, channel) = try Self.start(executable, file: file)
    var own = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
    inherited = own.ru_maxrss * 1024
    let answer: WorkerAnswer?
    var isLate = false
    do throws(WorkerChannel.Failure) {
      try channel.send(WorkerRequest.begin(limits, pictures: pictures))
      let start = Moment(millisecondsFromNow: Self.millisecondsToStart)
      answer = try channel.receive(WorkerAnswer.self, until: start).message
    } catch {
      answer = nil
      isLate = error == .timedOut
    }
    switch answer {
    case .ready: return
    case .failed(let error): throw error
    case .done, nil:
      let end = finish()
      let words = isLate ? "it was not ready in time" : end.words
      guard isLate || end.isDeath else {
        throw .componentMissing(
          component: "a working \(executable)", advice: "install CropKit again (\(words))")
      }
      throw .workerDied(file: file, detail: "while starting: \(words)")
    }
  }

  deinit { finish() }

  /// How long a worker may take to load its libraries.
  private static let millisecondsToStart = 20_000

  private static func start(
    _ executable: String, file: String
  ) throws(CropError) -> (pid_t, WorkerChannel) {
    var sockets: [Int32] = [-1, -1]
    guard ckc_system_socket_pair(&sockets) == 0 else {
      throw .workerDied(file: file, detail: "no socket for it: \(words(for: errno))")
    }
    let own = Descriptor(adopting: sockets[0])
    // Only the process may hold the other end, or its end would go unnoticed.
    defer { close(sockets[1]) }
    // Nothing of the caller's surroundings changes what a worker does. libvips loads every module it
    // finds under VIPSHOME; there is none, and the backend loads the one it needs.
    var environment = [
      "LANG=C.UTF-8", "VIPSHOME=/dev/null", "VIPS_CONCURRENCY=1", "SWIFT_BACKTRACE=enable=no",
      "\(WorkerLoop.mark)=1",
      // Large blocks of memory in large pages, where the system has them: coefficients and pixels
      // come in tens of megabytes, and each small page costs a fault.
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
    ]
    if let path = getenv("LD_LIBRARY_PATH") {
      environment.append("LD_LIBRARY_PATH=" + String(cString: path))
    }
    var pointers = environment.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    let process = ckc_system_start(executable, sockets[1], &pointers)
    guard process > 0 else {
      throw .componentMissing(
        component: executable, advice: "install CropKit again (\(words(for: errno)))")
    }
    return (process, WorkerChannel(socket: own))
  }

  /// Kills the process, if it still runs, and tells how it ended.
  @discardableResult
  func finish() -> WorkerEnd {
    isReaped.change { isReaped in
      guard !isReaped else { return WorkerEnd(status: 0, peak: 0) }
      isReaped = true
      // One that has ended by itself keeps its own status.
      var (status, usage): (Int32, rusage) = (0, rusage())
      var ended = wait4(process, &status, WNOHANG, &usage)
      if ended == 0 {
        kill(process, SIGKILL)
        repeat { ended = wait4(process, &status, 0, &usage) } while ended < 0 && errno == EINTR
      }
      // The system charges a process what the one had that started it; only what is more is its own.
      let peak = usage.ru_maxrss * 1024
      return WorkerEnd(status: status, peak: peak > inherited ? peak : 0)
    }
  }
}

/// How a worker ended.
struct WorkerEnd: Sendable {
  /// The signal that ended it, nil if it exited.
  let signal: Int32?
  private let exitStatus: Int32
  /// The most memory it used, in bytes; 0 where that can't be told.
  let peak: Int

  init(status: Int32, peak: Int) {
    signal = status & 0x7F == 0 ? nil : status & 0x7F
    exitStatus = status >> 8 & 0xFF
    self.peak = peak
  }

  /// Whether a worker ended before its time: by a signal, or because it could not confine itself.
  var isDeath: Bool { signal != nil || exitStatus == 70 || exitStatus == 71 }

  var words: String {
    guard let signal else { return "it ended with status \(exitStatus)" }
    switch signal {
    case SIGSEGV, SIGBUS: return "it read where there is no memory"
    case SIGABRT, SIGTRAP, SIGILL: return "it gave up"
    case SIGKILL: return "it was killed"
    default: return "it was ended by signal \(signal)"
    }
  }
}
