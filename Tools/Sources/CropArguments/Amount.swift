import ArgumentParser
import CropCore

extension Amount: @retroactive ExpressibleByArgument {
  /// As ``init(text:)``.
  public init?(argument: String) { self.init(text: argument) }
}
