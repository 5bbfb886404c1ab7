import CSystemCalls
import Glibc

/// A running worker process.
package final class WorkerProcess: Sendable {
  /// The channel to the worker.
  package let channel: WorkerChannel
  private let process: pid_t
  /// The worker's standard error; nil if there was not enough memory to capture it.
  private let errors: Descriptor?
  private let isReaped = Monitor(false)

  /// Starts `executable` as a worker (``OwnWorker``), in an environment that is the same for all
  /// workers except for `environment`.
  ///
  /// - Throws: ``CropError/componentMissing(component:advice:)`` if it can't be run,
  ///   ``CropError/resourceUnavailable(what:detail:)`` if the system can't start another process.
  package init(_ executable: String, environment: [String] = []) throws(CropError) {
    errors = MemoryFile.empty(capacity: 4096, name: "errors")
    (process, channel) = try Self.start(executable, environment, errors)
  }

  /// A worker that `copy` starts: it gets the socket and the standard error of the new process, and
  /// returns its number, or nil on failure.
  package init?(copiedBy copy: (Descriptor, Descriptor) -> Int32?) {
    var sockets: [Int32] = [-1, -1]
    guard let errors = MemoryFile.empty(capacity: 4096, name: "errors"),
      ckc_system_socket_pair(&sockets) == 0
    else { return nil }
    let line = Descriptor(adopting: sockets[0])
    guard let process = copy(Descriptor(adopting: sockets[1]), errors), process > 0 else {
      return nil
    }
    self.errors = errors
    self.process = process
    channel = WorkerChannel(socket: line)
  }

  deinit { finish() }

  /// A limit for the work that the process does from now on. It is reached a little after one of
  /// the process itself, which can report it.
  package func timeLimit(seconds: Int) -> TimeLimit {
    var clock = clockid_t()
    let isKnown = clock_getcpuclockid(process, &clock) == 0
    return TimeLimit(seconds: seconds, of: isKnown ? clock : CLOCK_MONOTONIC, slack: 250)
  }

  private static func start(
    _ executable: String, _ added: [String], _ errors: Descriptor?
  ) throws(CropError) -> (pid_t, WorkerChannel) {
    var sockets: [Int32] = [-1, -1]
    guard ckc_system_socket_pair(&sockets) == 0 else {
      throw .resourceUnavailable(errno, "a worker process")
    }
    let line = Descriptor(adopting: sockets[0])
    // Only the child may hold the other end; otherwise its exit would not be noticed.
    defer { close(sockets[1]) }
    // The caller's environment must not affect a worker. libvips loads all modules under VIPSHOME;
    // it has none there, and the backend loads the one that it needs.
    var environment = [
      "LANG=C.UTF-8", "VIPSHOME=/dev/null", "VIPS_CONCURRENCY=1", "SWIFT_BACKTRACE=enable=no",
      "\(OwnWorker.mark)=1",
      // Memory is zeroed when it is handed out, and overwritten when it is given back: a decoder
      // that reads too far, or before it writes, finds nothing of an earlier image. The caches of
      // threads would skip this. GLib has another allocator for small blocks.
      "G_SLICE=always-malloc",
      // Blocks of up to 16 MiB come from the heap, which does not shrink until the image is
      // finished. The heap and larger blocks use huge pages if available: rows and planes are
      // allocated and freed often, and each small page costs a page fault.
      "GLIBC_TUNABLES=glibc.malloc.perturb=255:glibc.malloc.tcache_count=0"
        + ":glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=16777216"
        + ":glibc.malloc.trim_threshold=67108864",
    ]
    environment += added
    if let path = getenv("LD_LIBRARY_PATH") {
      environment.append("LD_LIBRARY_PATH=" + String(cString: path))
    }
    var pointers = environment.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    let process = ckc_system_start(executable, sockets[1], errors?.raw ?? -1, &pointers)
    guard process > 0 else {
      switch errno {
      case EAGAIN, ENOMEM, EMFILE, ENFILE:
        throw .resourceUnavailable(errno, "a worker process")
      case let error:
        // A worker's standard streams.
        guard access("/dev/null", R_OK | W_OK) == 0 else {
          throw .resourceUnavailable(errno, "/dev/null")
        }
        throw .componentMissing(
          component: executable, advice: "install CropKit again (\(words(for: error)))")
      }
    }
    return (process, WorkerChannel(socket: line))
  }

  /// Kills the process if it still runs, and returns how it exited.
  @discardableResult
  package func finish() -> WorkerExit {
    isReaped.change { isReaped in
      guard !isReaped else { return WorkerExit(status: 0, message: "") }
      isReaped = true
      // The exit status of a worker that has already exited.
      var status: Int32 = 0
      var ended = waitpid(process, &status, WNOHANG)
      if ended == 0 {
        kill(process, SIGKILL)
        repeat { ended = waitpid(process, &status, 0) } while ended < 0 && errno == EINTR
      }
      return WorkerExit(status: status, message: message)
    }
  }

  /// The first line that it wrote to standard error.
  private var message: String {
    var bytes = [UInt8](repeating: 0, count: 300)
    let count = errors.map { pread($0.raw, &bytes, bytes.count, 0) } ?? 0
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 >= 0x20 }, as: UTF8.self)
  }
}

/// How a worker exited.
package struct WorkerExit: Sendable {
  /// The signal that killed it; nil if it exited.
  package let signal: Int32?
  private let exitStatus: Int32
  private let message: String

  init(status: Int32, message: String) {
    signal = status & 0x7F == 0 ? nil : status & 0x7F
    exitStatus = status >> 8 & 0xFF
    self.message = message
  }

  /// The resource that it was denied before it crashed; nil if unknown.
  package var shortage: Shortage? {
    guard signal == nil else { return nil }
    if exitStatus == Self.notLoaded, Self.noMemory.contains(where: message.contains) {
      return .outerMemory
    }
    return Shortage.allCases.first { $0.exitStatus == exitStatus }
  }

  /// The exit status with which the dynamic loader ends a program whose libraries can't be loaded,
  /// and its message if the reason is a lack of memory.
  private static let notLoaded: Int32 = 127
  private static let noMemory = ["failed to map segment", "annot allocate memory"]

  /// The library that the loader did not find, such as libvips.so.42; nil for any other exit.
  package var missingLibrary: String? {
    // PROGRAM: error while loading shared libraries: NAME: cannot open shared object file: …
    let words = message.split(separator: ": ")
    guard exitStatus == Self.notLoaded, words.count > 3, words[3].hasPrefix("cannot open shared")
    else { return nil }
    return String(words[2])
  }

  /// Whether the worker died: by a crash, or because it could not drop its privileges.
  package var isDeath: Bool {
    signal != nil || shortage != nil || exitStatus == 70 || exitStatus == 71
  }

  package var words: String {
    guard let signal else {
      // After the program's name: what the loader misses.
      let words =
        exitStatus == Self.notLoaded ? message.split(separator: ": ", maxSplits: 2).last : nil
      return words.map { "its libraries can't be loaded: \($0)" }
        ?? "it exited with status \(exitStatus)"
    }
    switch signal {
    case SIGSEGV, SIGBUS: return "it crashed with an invalid memory access"
    case SIGABRT, SIGTRAP, SIGILL: return "it crashed"
    case SIGKILL: return "it was killed, by hand or because the system is out of memory"
    default: return "it was killed by signal \(signal)"
    }
  }
}
