import Foundation

/// What `make test` leaves to `make test-all` (`CROPKIT_TEST_ALL`): further cases of tests that take long.
public enum Thorough {
  /// Whether everything is tested.
  public static let isOn =
    !["", "0"].contains(ProcessInfo.processInfo.environment["CROPKIT_TEST_ALL"] ?? "")

  /// How often a test repeats what it does: `count` times, or a fifth of that in a short run.
  public static func count(_ count: Int) -> Int { isOn ? count : max(1, count / 5) }

  /// All cases; in a short run only `count` of them, from the first to the last at equal distances.
  public static func all<Case>(_ cases: [Case], or count: Int) -> [Case] {
    guard !isOn, count < cases.count else { return cases }
    return (0..<count).map { cases[$0 * (cases.count - 1) / max(count - 1, 1)] }
  }
}
