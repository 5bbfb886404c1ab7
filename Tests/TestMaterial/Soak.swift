import Foundation

/// The long run of the tests (`CROPKIT_SOAK`).
public enum Soak {
  /// How many times as many seeds are tried as in a quick run.
  public static let factor = isOn ? 20 : 1

  /// Whether this is the long run.
  public static let isOn =
    !["", "0"].contains(ProcessInfo.processInfo.environment["CROPKIT_SOAK"] ?? "")
}
