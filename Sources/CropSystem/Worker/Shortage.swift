import CSystemCalls
import Glibc

/// A resource that a process was denied and could not continue without.
///
/// It is recorded where memory or a thread is requested, by any library, in programs that link
/// `CAllocationHook` (or, linked statically, `CAllocationWrap`).
package enum Shortage: Int32, CaseIterable {
  case memory = 1
  case threads
  /// Memory, by a limit that was set for the process before it started.
  case outerMemory

  /// The resource that this process was denied since ``forget()``; nil for none.
  package static var noted: Self? { Self(rawValue: ckc_shortage()) }

  /// Forgets denied resources.
  package static func forget() { ckc_shortage_forget() }

  /// The exit status of a worker that crashes after it was denied this resource.
  package var exitStatus: Int32 { ckc_shortage_exit_status(rawValue) }
}

/// The memory limit that was set from outside for this process and its children.
package struct OuterLimit: Sendable {
  /// The limit, in bytes.
  package let bytes: Int
  /// The shell command that sets it.
  package let name: String

  /// The lower of the limits of address space and data; nil if there is none. Read it before this
  /// process sets limits itself.
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
  /// ``outOfMemory(file:allowed:outer:)`` for a process that sets no limit itself: with the limit
  /// from outside, if there is one, otherwise with `allowed`.
  package static func memoryRefused(file: String, allowed: Int) -> Self {
    let outer = OuterLimit.memory
    return .outOfMemory(file: file, allowed: outer?.bytes ?? allowed, outer: outer?.name)
  }

  /// A worker can't be started because there is not enough memory.
  package static func memoryExhausted(_ what: String) -> Self {
    let detail = OuterLimit.memory.map { "the limit on memory (\($0.name)) is reached; raise it" }
    return .resourceUnavailable(
      what: what, detail: detail ?? "out of memory; close other programs")
  }

  /// A ``resourceUnavailable(what:detail:)`` whose detail describes `error`, a value of `errno`.
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

  /// `what` can't be started because there are too many processes and threads.
  package static func threadsExhausted(_ what: String) -> Self {
    .resourceUnavailable(
      what: what,
      detail: "the limit on processes and threads (ulimit -u) is reached; "
        + "end other programs, or raise it")
  }
}
