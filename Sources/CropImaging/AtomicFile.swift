#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Saving that is whole or not at all: a temporary file beside the target, flushed, then renamed.
public struct AtomicFile: Sendable {
  /// What a save may replace.
  public enum Replacing: Sendable {
    /// Nothing: a file that is there stays, even one that appears at the last moment.
    case nothing
    /// Any file but the input.
    case existing
    /// Any file, the input too.
    case input
  }

  /// The path of the file.
  public let path: String

  /// A file to be saved at `path`.
  public init(path: String) { self.path = path }

  /// Checks whether ``save(_:to:replacing:input:)`` could succeed, before any work is done.
  ///
  /// - Throws: as ``save(_:to:replacing:input:)``.
  public static func check(
    _ path: String, replacing: Replacing, input: PictureSource? = nil
  ) throws(CropError) {
  }

  /// Saves `bytes` at `path`, replacing what `replacing` allows.
  ///
  /// Whatever fails and whenever: the file at `path` is the old one or the new one, whole, and no
  /// other file is left. The new file is on the disk when this returns. It keeps the permissions of
  /// the file it replaces.
  ///
  /// - Throws: ``CropError/outputExists(path:)``, ``CropError/outputIsInput(path:)``,
  ///   ``CropError/outputUncreatable(path:detail:)``, ``CropError/writeFailed(path:detail:)`` or
  ///   ``CropError/diskFull(path:)``.
  public static func save(
    _ bytes: Data, to path: String, replacing: Replacing, input: PictureSource? = nil
  ) throws(CropError) {
    throw .outputUncreatable(path: path, detail: "saving is not there yet")
  }
}
