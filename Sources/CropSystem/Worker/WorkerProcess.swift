import CSystemCalls
import Glibc

/// A running worker process.
package final class WorkerProcess: Sendable {
  /// The line to it.
  package let channel: WorkerChannel
  private let process: pid_t
  /// Its standard error, nil where there is no room for any.
  private let errors: Descriptor?
  private let isReaped = Monitor(false)

  /// Starts `executable`, which is a worker by ``OwnWorker``, in surroundings that are the same for all.
  ///
  /// - Throws: ``CropError/componentMissing(component:advice:)`` if it can't be run,
  ///   ``CropError/resourceUnavailable(what:detail:)`` if the system starts no more.
  package init(_ executable: String) throws(CropError) {
    errors = MemoryFile.empty(capacity: 4096, name: "errors")
    (process, channel) = try Self.start(executable, errors)
  }

  deinit { finish() }

  private static func start(
    _ executable: String, _ errors: Descriptor?
  ) throws(CropError) -> (pid_t, WorkerChannel) {
    var sockets: [Int32] = [-1, -1]
    guard ckc_system_socket_pair(&sockets) == 0 else {
      throw .resourceUnavailable(errno, "a worker process")
    }
    let own = Descriptor(adopting: sockets[0])
    // Only the process may hold the other end, or its end would go unnoticed.
    defer { close(sockets[1]) }
    // Nothing of the caller's surroundings changes what a worker does. libvips loads every module it
    // finds under VIPSHOME; there is none, and the backend loads the one it needs.
    var environment = [
      "LANG=C.UTF-8", "VIPSHOME=/dev/null", "VIPS_CONCURRENCY=1", "SWIFT_BACKTRACE=enable=no",
      "\(OwnWorker.mark)=1",
      // Blocks of up to 16 MiB come from the heap, which stays as large as it was until the picture is
      // done, and the heap and larger blocks are in large pages, where the system has them: rows and
      // planes come and go, and each small page costs a fault.
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=16777216"
        + ":glibc.malloc.trim_threshold=67108864",
    ]
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
        throw .componentMissing(
          component: executable, advice: "install CropKit again (\(words(for: error)))")
      }
    }
    return (process, WorkerChannel(socket: own))
  }

  /// Kills the process, if it still runs, and returns how it ended.
  @discardableResult
  package func finish() -> WorkerEnd {
    isReaped.change { isReaped in
      guard !isReaped else { return WorkerEnd(status: 0, said: "") }
      isReaped = true
      // One that has ended by itself keeps its own status.
      var status: Int32 = 0
      var ended = waitpid(process, &status, WNOHANG)
      if ended == 0 {
        kill(process, SIGKILL)
        repeat { ended = waitpid(process, &status, 0) } while ended < 0 && errno == EINTR
      }
      return WorkerEnd(status: status, said: said)
    }
  }

  /// The first line of what it wrote to standard error.
  private var said: String {
    var bytes = [UInt8](repeating: 0, count: 300)
    let count = errors.map { pread($0.raw, &bytes, bytes.count, 0) } ?? 0
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 >= 0x20 }, as: UTF8.self)
  }
}

/// How a worker ended.
package struct WorkerEnd: Sendable {
  /// The signal that ended it, nil if it exited.
  package let signal: Int32?
  private let exitStatus: Int32
  private let said: String

  init(status: Int32, said: String) {
    signal = status & 0x7F == 0 ? nil : status & 0x7F
    exitStatus = status >> 8 & 0xFF
    self.said = said
  }

  /// What it was refused before it crashed, nil if nothing is known of that.
  package var shortage: Shortage? {
    guard signal == nil else { return nil }
    if exitStatus == Self.notLoaded, Self.noMemory.contains(where: said.contains) {
      return .outerMemory
    }
    return Shortage.allCases.first { $0.exitStatus == exitStatus }
  }

  /// The status that the dynamic loader ends a program with whose libraries it can't load, and its words
  /// where that is for want of memory.
  private static let notLoaded: Int32 = 127
  private static let noMemory = ["failed to map segment", "annot allocate memory"]

  /// The library that the loader did not find, such as libvips.so.42; nil if it wasn't for that.
  package var missingLibrary: String? {
    // PROGRAM: error while loading shared libraries: NAME: cannot open shared object file: …
    let words = said.split(separator: ": ")
    guard exitStatus == Self.notLoaded, words.count > 3, words[3].hasPrefix("cannot open shared")
    else { return nil }
    return String(words[2])
  }

  /// Whether a worker ended before its time: by a crash, or because it could not confine itself.
  package var isDeath: Bool {
    signal != nil || shortage != nil || exitStatus == 70 || exitStatus == 71
  }

  package var words: String {
    guard let signal else {
      // Behind the program's own name, what the loader misses.
      let words =
        exitStatus == Self.notLoaded ? said.split(separator: ": ", maxSplits: 2).last : nil
      return words.map { "its libraries can't be loaded: \($0)" }
        ?? "it ended with status \(exitStatus)"
    }
    switch signal {
    case SIGSEGV, SIGBUS: return "it read where there is no memory"
    case SIGABRT, SIGTRAP, SIGILL: return "it crashed"
    case SIGKILL: return "it was killed, by hand or because the system is out of memory"
    default: return "it was ended by signal \(signal)"
    }
  }
}
