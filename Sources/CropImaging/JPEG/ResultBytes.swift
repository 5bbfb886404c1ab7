import CropSystem

/// The bytes of a result while it is made: in memory, and from a certain size on in a file, if there
/// is one.
final class ResultBytes {
  private let memory = JPEGBytes()
  private let file: ResultFile?
  private var isInFile = false
  private let most: Int
  /// Why bytes could not be taken.
  private(set) var failure: CropError?

  /// No bytes yet, of which memory holds at most `most`.
  init(file: ResultFile?, most: Int) {
    self.file = file
    self.most = most
  }

  /// Takes bytes behind the others; false if that failed.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let file, isInFile || memory.count + bytes.count > ResultFile.least else {
      return memory.count + bytes.count <= most && memory.append(bytes)
    }
    do throws(CropError) {
      if !isInFile {
        isInFile = true
        try file.append(UnsafeRawBufferPointer(memory.buffer))
      }
      try file.append(bytes)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Where the bytes are now.
  func finish() -> ResultContent {
    if isInFile, let file { return .file(file) }
    return .memory(memory.take())
  }
}
