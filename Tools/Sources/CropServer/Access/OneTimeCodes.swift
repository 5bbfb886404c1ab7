import Synchronization

/// Codes that sign in one browser, once and soon.
final class OneTimeCodes: Sendable {
  private struct Code {
    let end: ContinuousClock.Instant
    let whenOver: @Sendable () -> Void
  }

  private let codes = Mutex<[String: Code]>([:])

  /// How long a code may wait for its browser to start.
  static let life = Duration.seconds(300)

  /// A new code: 128 bits in hexadecimal digits.
  ///
  /// - Parameter whenOver: called once, when the code was used or can't be any more.
  func make(
    at now: ContinuousClock.Instant = .now, whenOver: @escaping @Sendable () -> Void = {}
  ) -> String {
    let code = randomHexadecimal(16)
    codes.withLock { $0[code] = Code(end: now + Self.life, whenOver: whenOver) }
    return code
  }

  /// Whether a code was made, not long ago, and not used yet. It is used by this.
  func use(_ code: String, at now: ContinuousClock.Instant = .now) -> Bool {
    guard let known = codes.withLock({ $0.removeValue(forKey: code) }) else { return false }
    known.whenOver()
    return now < known.end
  }

  /// Whether a browser may still come by a code.
  func areAwaited(at now: ContinuousClock.Instant = .now) -> Bool {
    let old = codes.withLock { codes in
      let old = codes.filter { $0.value.end <= now }
      for code in old.keys { codes[code] = nil }
      return old
    }
    for code in old.values { code.whenOver() }
    return codes.withLock { !$0.isEmpty }
  }

  /// No browser may come by any of them any more.
  func end() {
    let all = codes.withLock { codes in
      defer { codes = [:] }
      return codes
    }
    for code in all.values { code.whenOver() }
  }
}
