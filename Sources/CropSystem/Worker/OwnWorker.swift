import CSystemCalls
import Glibc

/// Turns this process into a worker without privileges.
package enum OwnWorker {
  /// Whether this process was started as a worker.
  ///
  /// A program that can be its own worker checks this first.
  package static var isCalled: Bool {
    guard OwnProgram.arguments.count == 1, getenv(mark) != nil else { return false }
    return hasSocket
  }

  /// The environment variable that is set for workers.
  static let mark = "CROPKIT_WORKER"

  /// The descriptor of a worker's channel.
  private static let number: Int32 = 3

  private static var hasSocket: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.kind == S_IFSOCK
  }

  /// Opens the channel to the process that started this one. Nil if this process was not started as
  /// a worker.
  package static func begin() -> WorkerChannel? {
    guard hasSocket else { return nil }
    _ = ckc_system_fcntl(number, F_SETFD, FD_CLOEXEC)
    let channel = WorkerChannel(socket: Descriptor(adopting: number))
    // A crash stops the process immediately. The runtime's crash reporter would try to start
    // another program, which is not allowed, and hang.
    ckc_shortage_ends_process()
    // Exceeding the file size limit makes the write fail.
    signal(SIGXFSZ, SIG_IGN)
    ckc_system_use_one_arena()
    return channel
  }

  /// Copies this process, which must have one thread, as a further child of the process that
  /// started it.
  ///
  /// - Returns: the number of the copy, negative on failure; 0 in the copy, whose channel
  ///   and standard error are now these.
  package static func copy(to socket: Descriptor, errors: Descriptor) -> Int32 {
    ckc_system_fork_sibling(socket.raw, errors.raw)
  }

  /// Ends this process when the pool's end of the channel is closed, which the kernel does however
  /// the pool's process ends.
  ///
  /// A death signal (PR_SET_PDEATHSIG) is not suitable: it is sent when the *thread* that started
  /// this process ends.
  package static func endWithPool(_ channel: WorkerChannel) {
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

  /// Drops every privilege that decoding does not need, and sets the limits that no image may
  /// exceed. Ends this process on failure.
  package static func confine(to most: Limits, pictures: Int) -> WorkerBounds {
    let bounds = WorkerBounds(most, pictures: pictures)
    guard ckc_system_renounce() == 0, bounds.apply() else { exit(71) }
    // Where the kernel has no filter, the other limits stay.
    guard ckc_system_confine() == 0 || !canFilter else { exit(71) }
    return bounds
  }

  /// Whether the kernel can limit workers to the system calls that decoding needs (seccomp). If it
  /// can't, they only have the other limits, and a fault of a decoder could open files and
  /// connections.
  package static var canFilter: Bool { ckc_system_can_confine() }

  /// Returns free memory to the system.
  package static func trim() { ckc_system_trim() }
}
