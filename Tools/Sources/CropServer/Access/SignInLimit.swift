import Synchronization

/// Slows down clients that guess tokens: after a few wrong ones, an address must wait before the
/// next attempt.
///
/// A correct token is always accepted. Otherwise any web page or local user could lock out the
/// users who know it; a token of 120 bits can't be guessed, however fast.
final class SignInLimit: Sendable {
  /// The response to a wrong token.
  enum Verdict: Equatable {
    case wrong
    /// The address sent too many wrong tokens; it may try again after this number of seconds.
    case tooSoon(seconds: Int)
  }

  private struct Allowance {
    var attempts: Double
    var time: ContinuousClock.Instant
  }

  private let allowances = Mutex<[String: Allowance]>([:])

  /// The number of wrong attempts before an address must wait.
  static let free = 10
  /// The seconds after which one attempt is forgiven.
  static let pause = 3
  /// The maximum number of addresses to remember.
  private static let most = 10_000

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

  /// Forgets the addresses that have waited long enough; if there are none, all addresses.
  private static func forget(
    _ allowances: inout [String: Allowance], _ now: ContinuousClock.Instant
  ) {
    let whole = Duration.seconds(free * pause)
    allowances = allowances.filter { now - $0.value.time < whole }
    if allowances.count >= most { allowances = [:] }
  }
}
