import CropImaging
import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a result goes, checked before any work is done.
struct ResultTarget {
  private let file: FileArgument
  private let input: PictureSource
  private let replacing: AtomicFile.Replacing

  /// - Throws: `CropError` if the result could not be put there.
  init(
    _ file: FileArgument, input: PictureSource, isForced: Bool, isInPlace: Bool
  ) throws(CropError) {
    self.file = file
    self.input = input
    replacing = isInPlace ? .input : isForced ? .existing : .nothing
    if file.isStandardStream {
      guard isatty(STDOUT_FILENO) == 0 else {
        throw .usage(detail: "standard output is a terminal; redirect it or name a file with -o")
      }
    } else {
      try AtomicFile.check(file.path, replacing: replacing, input: input)
    }
  }

  /// Puts the result in its place, whole or not at all.
  func save(_ bytes: Data) throws(CropError) {
    if file.isStandardStream {
      try Terminal.write(bytes)
    } else {
      try AtomicFile.save(bytes, to: file.path, replacing: replacing, input: input)
    }
  }
}
