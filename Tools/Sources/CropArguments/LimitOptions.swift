import ArgumentParser
import CropCore
import CropImaging

/// What one picture may cost, as every program takes it.
public struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The most pixels of a picture (default: 300M).", valueName: "n"))
  var limitPixels: Amount?

  @Option(help: ArgumentHelp("The most bytes of a file (default: 512M).", valueName: "n"))
  var limitBytes: Amount?

  @Option(
    help: ArgumentHelp("The most scans of a progressive JPEG (default: 100).", valueName: "n"))
  var limitScans: Amount?

  @Option(help: ArgumentHelp("The most seconds a picture may take (default: 30).", valueName: "n"))
  var limitSeconds: Amount?

  @Option(
    help: ArgumentHelp(
      "The most memory a picture may take (default: a quarter of the machine's, 1G to 4G).",
      valueName: "n"))
  var limitMemory: Amount?

  /// None of them given.
  public init() {}

  /// A day, in seconds: as good as no limit.
  private static let longest = 86_400

  /// The same, as plain values.
  public var limits: Limits {
    var limits = Limits()
    if let limitPixels { limits.pixels = limitPixels.things }
    if let limitBytes { limits.bytes = limitBytes.bytes }
    if let limitScans { limits.scans = limitScans.things }
    if let limitSeconds { limits.seconds = min(limitSeconds.things, Self.longest) }
    if let limitMemory { limits.memory = limitMemory.bytes }
    return limits
  }
}
