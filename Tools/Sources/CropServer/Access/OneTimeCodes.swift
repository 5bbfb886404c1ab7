import Synchronization

/// Codes that each sign in one browser, within a few minutes.
final class OneTimeCodes: Sendable {
  private struct Code {
    let end: ContinuousClock.Instant
    let whenOver: @Sendable () -> Void
  }

  private let codes = Mutex<[String: Code]>([:])

  /// How long a code is valid, so that its browser has time to start.
  static let life = Duration.seconds(300)

  /// A new code: 128 bits in hexadecimal digits.
  ///
  /// - Parameter whenOver: called once, when the code is used or has expired.
  func make(
    at now: ContinuousClock.Instant = .now, whenOver: @escaping @Sendable () -> Void = {}
  ) -> String {
    let code = randomHexadecimal(16)
    codes.withLock { $0[code] = Code(end: now + Self.life, whenOver: whenOver) }
    return code
  }

  /// Uses a code; false if it is unknown, expired or already used.
  func use(_ code: String, at now: ContinuousClock.Instant = .now) -> Bool {
    guard let known = codes.withLock({ $0.removeValue(forKey: code) }) else { return false }
    known.whenOver()
    return now < known.end
  }

  /// Whether any code can still be used.
  func hasPending(at now: ContinuousClock.Instant = .now) -> Bool {
    let old = codes.withLock { codes in
      let old = codes.filter { $0.value.end <= now }
      for code in old.keys { codes[code] = nil }
      return old
    }
    for code in old.values { code.whenOver() }
    return codes.withLock { !$0.isEmpty }
  }

  func end() {
    let all = codes.withLock { codes in
      defer { codes = [:] }
      return codes
    }
    for code in all.values { code.whenOver() }
  }
}
