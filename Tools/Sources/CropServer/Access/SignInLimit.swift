import Synchronization

/// Slows down clients that try tokens: after a few wrong ones, an address is told to wait before it tries
/// the next.
///
/// A right token is always accepted. Refusing it as well would let any web page or local user lock out the
/// people who know it; a token of 120 bits can't be found by trying, however fast.
final class SignInLimit: Sendable {
  /// What a wrong token is answered with.
  enum Verdict: Equatable {
    case wrong
    /// The address has tried too many; it may try again after so many seconds.
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

  /// Counts a wrong token from an address.
  func countWrong(from address: String, at now: ContinuousClock.Instant = .now) -> Verdict {
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
      if known == nil, allowances.count >= Self.most { Self.forget(&allowances, now) }
      allowances[address] = Allowance(attempts: attempts - 1, time: now)
      return .wrong
    }
  }

  /// Forgets addresses that have waited long enough; if there are none, all.
  private static func forget(
    _ allowances: inout [String: Allowance], _ now: ContinuousClock.Instant
  ) {
    let whole = Duration.seconds(free * pause)
    allowances = allowances.filter { now - $0.value.time < whole }
    if allowances.count >= most { allowances = [:] }
  }
}
