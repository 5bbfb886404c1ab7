import Glibc
import Synchronization

/// Slows down whoever tries tokens: after a few that were wrong an address may try one every few
/// seconds. Until then none is looked at, right or wrong, so that trying faster reveals nothing.
///
/// Browsers that have joined and one-time codes are not slowed: nobody can lock them out.
final class SignInLimit: Sendable {
  /// What became of an attempt.
  enum Verdict: Equatable {
    case right, wrong
    /// It was not looked at; it may be repeated after so many seconds.
    case tooSoon(seconds: Int)
  }

  private struct Allowance {
    var attempts: Double
    var time: ContinuousClock.Instant
  }

  private let allowances = Mutex<[String: Allowance]>([:])

  /// How many wrong attempts are free.
  static let free = 10
  /// How many seconds give one back.
  static let pause = 3
  /// The most addresses that are remembered.
  private static let most = 10_000

  /// Judges an attempt from an address.
  func judge(
    _ address: String, at now: ContinuousClock.Instant = .now, isRight: () -> Bool
  ) -> Verdict {
    allowances.withLock { allowances in
      let known = allowances[address]
      var attempts = Double(Self.free)
      if let known {
        let regained = (now - known.time) / .seconds(Self.pause)
        attempts = min(attempts, known.attempts + regained)
      }
      guard attempts >= 1 else {
        let seconds = (1 - attempts) * Double(Self.pause)
        return .tooSoon(seconds: Int(seconds.rounded(.up)))
      }
      if isRight() { return .right }
      if known == nil, allowances.count >= Self.most { Self.forget(&allowances, now) }
      allowances[address] = Allowance(attempts: attempts - 1, time: now)
      return .wrong
    }
  }

  /// Forgets those that have waited long enough; if there are none, all.
  private static func forget(
    _ allowances: inout [String: Allowance], _ now: ContinuousClock.Instant
  ) {
    let whole = Duration.seconds(free * pause)
    allowances = allowances.filter { now - $0.value.time < whole }
    if allowances.count >= most { allowances = [:] }
  }
}
