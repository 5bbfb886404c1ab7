import Glibc

/// The time limit of one image, in processor time: on a busy machine an image takes longer, but not
/// more work.
///
/// Time that passes counts at most as itself, so several threads do not use up the limit sooner. A
/// wait that uses no processor ends after ``patience`` times the limit.
package struct TimeLimit: Sendable {
  /// How many times the limit may pass while the processor does other work.
  package static let patience = 10

  private let span: Int64
  private let clock: clockid_t
  private let passed: Int64
  private let used: Int64

  /// A limit of `seconds` from now, by the processor time of `clock`, which is by default that of
  /// the thread that calls, and `slack` milliseconds more.
  package init(
    seconds: Int, of clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, slack milliseconds: Int = 0
  ) {
    // At most about ten years, whose tenfold still fits.
    let seconds = Int64(min(max(seconds, 0), 1 << 28))
    span = seconds * 1_000_000_000 + Int64(milliseconds) * 1_000_000
    self.clock = clock
    passed = Self.now(CLOCK_MONOTONIC)
    used = Self.now(clock)
  }

  /// The shortest time in which the limit can be reached, in milliseconds, rounded up; 0 if it is.
  package var millisecondsLeft: Int32 {
    let passed = Self.now(CLOCK_MONOTONIC) &- passed
    let used = min(passed, Self.now(clock) &- used)
    let left = min(span &- used, Int64(Self.patience) &* span &- passed)
    return Int32(clamping: max(0, (left &+ 999_999) / 1_000_000))
  }

  /// Whether the limit is reached.
  package var isReached: Bool { millisecondsLeft == 0 }

  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
