import Glibc
import Synchronization

/// The signal that asked the program to end, 0 so far.
private let received = Atomic<Int32>(0)

/// Listens to the signals that ask a program to end: the first one is kept for whoever asks, a second
/// one of the same kind ends the program as usual.
struct BatchStop: Sendable {
  init() {
    // Made ready here, so that the handler finds no work that isn't allowed in one.
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      sigaction(number, nil, &old)
      // One that is ignored from outside (nohup) stays so.
      if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      var new = sigaction()
      new.__sigaction_handler.sa_handler = { received.store($0, ordering: .relaxed) }
      new.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &new, nil)
    }
  }

  /// The signal that asked for the end, nil so far.
  var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
