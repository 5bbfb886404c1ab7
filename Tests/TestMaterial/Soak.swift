import Foundation

/// The long run of the tests (`CROPKIT_SOAK`).
public enum Soak {
  /// How many times as many seeds are tried as in a quick run.
  public static let factor = isOn ? 20 : 1

  /// Whether this is the long run.
  public static let isOn =
    !["", "0"].contains(ProcessInfo.processInfo.environment["CROPKIT_SOAK"] ?? "")

  /// The seed of a test: always the same in a quick run, another each time in the long one, which says it
  /// first, as a crash could not.
  public static func seed(of test: String) -> UInt64 {
    guard isOn else { return 1 }
    let seed = UInt64.random(in: 1 ... .max)
    print("\(test): seed \(seed)")
    return seed
  }
}
