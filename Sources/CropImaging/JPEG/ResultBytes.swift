import CropSystem

/// The bytes of a result while it is encoded: in memory or, above a certain size, in a file, if
/// there is one.
final class ResultBytes {
  private let memory = JPEGBytes()
  private let file: ResultFile?
  private var isInFile = false
  private let most: Int
  /// The error that prevented bytes from being stored.
  private(set) var failure: CropError?

  /// Empty; at most `most` bytes are kept in memory.
  init(file: ResultFile?, most: Int) {
    self.file = file
    self.most = most
  }

  /// Appends bytes; false on failure.
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

  /// Returns the bytes, in memory or in the file.
  func finish() -> ResultContent {
    if isInFile, let file { return .file(file) }
    return .memory(memory.take())
  }
}
