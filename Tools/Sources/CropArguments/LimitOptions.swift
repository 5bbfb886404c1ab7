import ArgumentParser
import CropCore
import CropImaging

/// The limits for one image, shared by all programs.
public struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Maximum pixels per image (default: 300M).", valueName: "n"))
  var limitPixels: Amount?

  @Option(
    help: ArgumentHelp(
      "Maximum pixels per result (default: 4 times those of the image, at least 16M).",
      valueName: "n"))
  var limitOutput: Amount?

  @Option(help: ArgumentHelp("Maximum bytes per file (default: 512M).", valueName: "n"))
  var limitBytes: Amount?

  @Option(
    help: ArgumentHelp("Maximum scans of a progressive JPEG (default: 100).", valueName: "n"))
  var limitScans: Amount?

  @Option(
    help: ArgumentHelp(
      "Maximum seconds of processor time per image (default: 30).", valueName: "n"))
  var limitSeconds: Amount?

  @Option(
    help: ArgumentHelp(
      "Maximum memory per image (default: a quarter of the machine's, 1G to 4G).",
      valueName: "n"))
  var limitMemory: Amount?

  @Flag(
    help: ArgumentHelp(
      "Refuse to run where the kernel can't filter the system calls of decoders.",
      discussion:
        "Without seccomp, decoders still run in separate processes with limits on memory and time.")
  )
  var requireSandbox = false

  /// No options given.
  public init() {}

  /// Checks whether the sandbox is complete, if that is required.
  public mutating func validate() throws {
    guard !requireSandbox || WorkerPool.filtersSystemCalls else {
      throw ValidationError(
        "this kernel can't filter system calls (seccomp); without --require-sandbox, decoders only have limits on memory and time"
      )
    }
  }

  /// A day in seconds, which is practically no limit.
  private static let longest = 86_400

  /// The limits as plain values.
  public var limits: Limits {
    var limits = Limits()
    if let limitPixels { limits.pixels = limitPixels.things }
    if let limitOutput { limits.output = limitOutput.things }
    if let limitBytes { limits.bytes = limitBytes.bytes }
    if let limitScans { limits.scans = limitScans.things }
    if let limitSeconds { limits.seconds = min(limitSeconds.things, Self.longest) }
    if let limitMemory { limits.memory = limitMemory.bytes }
    return limits
  }
}

extension Amount: @retroactive ExpressibleByArgument {
  /// As ``init(text:)``.
  public init?(argument: String) { self.init(text: argument) }
}
