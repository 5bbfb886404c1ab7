import CSystemCalls
import Glibc

/// What a process was refused and could not go on without.
///
/// It is noted where memory or a thread is asked for, whichever library asks, in programs that link
/// `CAllocationHook` (or, linked statically, `CAllocationWrap`).
package enum Shortage: Int32, CaseIterable {
  case memory = 1
  case threads
  /// Memory, by a limit that was set for the process from outside.
  case outerMemory

  /// What this process was refused since ``forget()``, nil if nothing.
  package static var noted: Self? { Self(rawValue: ckc_shortage()) }

  /// From here on nothing was refused.
  package static func forget() { ckc_shortage_forget() }

  /// How a worker ends that crashes after it was refused this.
  package var exitStatus: Int32 { ckc_shortage_exit_status(rawValue) }
}

/// The limit on memory that was set for this process, and those it starts, from outside.
package struct OuterLimit: Sendable {
  /// In bytes.
  package let bytes: Int
  /// What sets it in a shell.
  package let name: String

  /// The tighter one of those on addresses and on data, nil if there is none. To be asked for before this
  /// process sets its own.
  package static let memory: Self? = [
    (RLIMIT_AS, "ulimit -v"), (RLIMIT_DATA, "ulimit -d"),
  ].compactMap { kind, name in
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0, limit.rlim_cur < Int.max
    else {
      return nil
    }
    return Self(bytes: Int(limit.rlim_cur), name: name)
  }.min { $0.bytes < $1.bytes }
}

extension CropError {
  /// ``outOfMemory(file:allowed:outer:)`` where memory was refused to this process, which sets no limit itself:
  /// by that from outside, or, where there is none, for want of more than is `allowed`.
  package static func memoryRefused(file: String, allowed: Int) -> Self {
    let outer = OuterLimit.memory
    return .outOfMemory(file: file, allowed: outer?.bytes ?? allowed, outer: outer?.name)
  }

  /// A process of ours can't be started, as it finds no memory.
  package static func memoryExhausted(_ what: String) -> Self {
    let detail = OuterLimit.memory.map { "the limit on memory (\($0.name)) is reached; raise it" }
    return .resourceUnavailable(
      what: what, detail: detail ?? "there is no memory left; end other programs")
  }

  /// ``resourceUnavailable(what:detail:)`` for the error number with which the system refused it.
  public static func resourceUnavailable(_ error: Int32, _ what: String) -> Self {
    switch error {
    case EAGAIN: .threadsExhausted(what)
    case EMFILE, ENFILE:
      .resourceUnavailable(
        what: what, detail: "the limit on open files (ulimit -n) is reached; raise it")
    case ENOMEM: .memoryExhausted(what)
    default:
      .resourceUnavailable(
        what: what,
        detail: "a limit is reached (\(words(for: error))); end other programs, or raise it")
    }
  }

  /// `what` can't be started, as there are too many processes and threads.
  package static func threadsExhausted(_ what: String) -> Self {
    .resourceUnavailable(
      what: what,
      detail: "the limit on processes and threads (ulimit -u) is reached; "
        + "end other programs, or raise it")
  }
}
