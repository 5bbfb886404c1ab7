import CSystemCalls
import Glibc

/// This process as a worker: what it does to be one that can harm nobody.
package enum OwnWorker {
  /// Whether this process was started to be a worker.
  ///
  /// A program that can be its own worker asks before it does anything else.
  package static var isCalled: Bool {
    guard OwnProgram.arguments.count == 1, getenv(mark) != nil else { return false }
    return hasSocket
  }

  /// The environment variable that is set for workers.
  static let mark = "CROPKIT_WORKER"

  /// The descriptor that a worker finds its line at.
  private static let number: Int32 = 3

  private static var hasSocket: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.kind == S_IFSOCK
  }

  /// Takes up the line to whoever started this process, and ends as soon as the other end is closed; nil if
  /// it was not started as a worker.
  package static func begin() -> WorkerChannel? {
    guard hasSocket else { return nil }
    _ = ckc_system_fcntl(number, F_SETFD, FD_CLOEXEC)
    let channel = WorkerChannel(socket: Descriptor(adopting: number))
    // A crash ends the process at once. The runtime's report of it would start another program,
    // which is not allowed, and hang.
    ckc_shortage_ends_process()
    // A file that grows too large is a failed write.
    signal(SIGXFSZ, SIG_IGN)
    ckc_system_use_one_arena()
    endWithPool(channel)
    return channel
  }

  /// Ends this process as soon as the pool's end of the line is closed, as the kernel does when the
  /// pool's process ends in whatever way.
  ///
  /// A death signal (PR_SET_PDEATHSIG) would come when the *thread* that started this process ends.
  private static func endWithPool(_ channel: WorkerChannel) {
    let context = Unmanaged.passRetained(channel.socket).toOpaque()
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let socket = Unmanaged<Descriptor>.fromOpaque(context).takeUnretainedValue()
        while true {
          // Without events, poll reports only that the other end is closed.
          var entry = pollfd(fd: socket.raw, events: 0, revents: 0)
          if poll(&entry, 1, -1) > 0 { _exit(0) }
        }
      }, context)
    if failed != 0 { exit(Shortage.threads.exitStatus) }
  }

  /// Gives up every right that decoding does not need, and sets what no picture may exceed. Ends this
  /// process if that can't be.
  package static func confine(to most: Limits, pictures: Int) -> WorkerBounds {
    let bounds = WorkerBounds(most, pictures: pictures)
    guard ckc_system_renounce() == 0, bounds.apply() else { exit(71) }
    // Processors without a filter of ours keep the other limits.
    guard ckc_system_confine() == 0 || errno == ENOSYS else { exit(71) }
    return bounds
  }

  /// Gives free memory back to the system.
  package static func trim() { ckc_system_trim() }
}
