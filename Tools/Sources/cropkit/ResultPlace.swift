import CropImaging
import Glibc

/// Where a result goes, checked before any work is done.
struct ResultPlace {
  /// Nil is standard output.
  private let save: PendingSave?
  private let input: PictureSource

  /// A file in which a large result can be made; nil if it will not be large.
  var file: ResultFile? {
    if let save { save.file } else { .temporary(for: input) }
  }

  /// - Throws: `CropError` if the result could not be put there.
  init(_ task: CropTask, input: PictureSource, isForced: Bool) throws(CropError) {
    let file = task.output
    if file.isStandardStream {
      try OwnProgram.checkStandardOutput()
      guard isatty(STDOUT_FILENO) == 0 else {
        throw .usage(detail: "standard output is a terminal; redirect it or name a file with -o")
      }
      guard !input.isFile(STDOUT_FILENO) else { throw .outputIsInput(path: "standard output") }
      save = nil
    } else {
      try file.checkIsLocal()
      save = try PendingSave(
        to: file.path, replacing: task.replacing(isForced: isForced), input: input)
    }
    self.input = input
  }

  /// Puts the result in its place, whole or not at all.
  func save(_ result: CropResult) throws(CropError) {
    if let save {
      try save.save(result)
    } else if let file = result.file {
      try file.copy(to: STDOUT_FILENO, name: "standard output")
    } else {
      try Terminal.write(result.bytes)
    }
  }
}
