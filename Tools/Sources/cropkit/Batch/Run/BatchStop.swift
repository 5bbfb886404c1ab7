import Glibc
import Synchronization

/// The signal that asked the program to stop, 0 if none.
private let received = Atomic<Int32>(0)

/// The ends of a pipe that the handler writes to.
private let reading = Atomic<Int32>(-1)
private let writing = Atomic<Int32>(-1)

/// Handles the signals that ask a program to stop: the first one is recorded, a second one of the
/// same kind ends the program as usual.
struct BatchStop: Sendable {
  init() {
    // Initialize the atomics here, so that the handler does nothing that is not async-signal-safe.
    received.store(0, ordering: .relaxed)
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    reading.store(ends[0], ordering: .relaxed)
    writing.store(ends[1], ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      sigaction(number, nil, &old)
      // A signal that the parent process ignores (nohup) stays ignored.
      if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      var new = sigaction()
      new.__sigaction_handler.sa_handler = { number in
        let error = errno
        received.store(number, ordering: .relaxed)
        _ = write(writing.load(ordering: .relaxed), "!", 1)
        errno = error
      }
      new.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &new, nil)
    }
  }

  /// The signal that asked the program to stop, nil if none.
  var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Calls `body` in another thread after a signal. If that thread can't be started, `body` is not
  /// called; the signal is still recorded.
  func onSignal(_ body: @escaping @Sendable () -> Void) {
    _ = WorkThread {
      var byte: UInt8 = 0
      while read(reading.load(ordering: .relaxed), &byte, 1) < 0 {
        guard errno == EINTR else { return }
      }
      body()
    }
  }
}
