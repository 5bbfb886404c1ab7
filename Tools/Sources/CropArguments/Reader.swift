import CropImaging
import FoundationEssentials

extension CropError.Reader {
  /// Who reads the messages of this program: `CROPKIT_READER` says so if another program runs it.
  package static let current =
    ProcessInfo.processInfo.environment["CROPKIT_READER"].flatMap(Self.init) ?? .command
}

extension CropError {
  /// The message for the reader of this program's output.
  package var message: String { message(for: .current) }
}
