import CropImaging
import Glibc

/// The output of a result, checked before any work is done.
struct ResultPlace {
  /// Nil for standard output.
  private let save: PendingSave?
  private let input: ImageSource

  /// A file for a large result; nil if it will not be large.
  var file: ResultFile? {
    if let save { save.file } else { .temporary(for: input) }
  }

  /// - Throws: `CropError` if the result can't be saved there.
  init(
    _ task: CropTask, input: ImageSource, isForced: Bool, keepsTime: Bool = false
  ) throws(CropError) {
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
        to: file.path, replacing: task.replacing(isForced: isForced), input: input,
        backup: task.backup?.bytes, keepsTime: keepsTime)
    }
    self.input = input
  }

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
