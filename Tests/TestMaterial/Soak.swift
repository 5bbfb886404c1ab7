import Foundation

/// The soak tests (`CROPKIT_SOAK`).
public enum Soak {
  /// The factor by which more seeds are tried than in a quick run.
  public static let factor = isOn ? 20 : 1

  /// Whether this is a soak test.
  public static let isOn =
    !["", "0"].contains(ProcessInfo.processInfo.environment["CROPKIT_SOAK"] ?? "")

  /// The seed of a test: constant in a quick run, different each time in a soak test, which prints
  /// it first in case of a crash.
  public static func seed(of test: String) -> UInt64 {
    guard isOn else { return 1 }
    let seed = UInt64.random(in: 1 ... .max)
    print("\(test): seed \(seed)")
    return seed
  }
}
