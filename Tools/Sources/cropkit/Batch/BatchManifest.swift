import CropImaging
import Glibc

/// The lines of a manifest, which can be read more than once without being held in memory.
struct BatchManifest {
  /// The folder that its paths are relative to; nil for the current one.
  let folder: PathBytes?
  private let name: String
  private let file: Descriptor
  private let bytes: Range<Int>

  /// - Throws: `CropError.inputMissing` or `.inputUnreadable`.
  init(_ argument: FileArgument) throws(CropError) {
    let opened = try ManifestFile(argument)
    (name, folder) = (opened.name, opened.folder)
    if opened.status.st_mode & S_IFMT == S_IFREG {
      file = opened.file
      let start = max(0, lseek(file.raw, 0, SEEK_CUR))
      bytes = start..<max(start, Int(opened.status.st_size))
    } else {
      // A pipe is read once, and the lines are wanted twice.
      (file, bytes) = try Self.spooled(opened.file, name: name)
    }
    // What can't be read at all is reported before anything is done.
    var first: UInt8 = 0
    guard pread(file.raw, &first, 1, off_t(bytes.lowerBound)) >= 0 else {
      throw ManifestFile.unreadable(name, errno)
    }
  }

  /// All that comes out of a pipe, in a file without a name.
  private static func spooled(
    _ pipe: Descriptor, name: String
  ) throws(CropError) -> (Descriptor, Range<Int>) {
    guard let stream = tmpfile() else {
      throw .writeFailed(path: "a temporary file", detail: String(cString: strerror(errno)))
    }
    defer { fclose(stream) }
    let raw = dup(fileno(stream))
    guard raw >= 0 else {
      throw .writeFailed(path: "a temporary file", detail: String(cString: strerror(errno)))
    }
    let spool = Descriptor(adopting: raw)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while true {
      let count = read(pipe.raw, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ManifestFile.unreadable(name, errno) }
      guard count > 0 else { return (spool, 0..<total) }
      var done = 0
      while done < count {
        let put = buffer.withUnsafeBytes { all in
          write(raw, all.baseAddress.map { $0 + done }, count - done)
        }
        if put < 0, errno == EINTR { continue }
        guard put > 0 else {
          throw errno == ENOSPC
            ? .diskFull(path: "a temporary file")
            : .writeFailed(path: "a temporary file", detail: String(cString: strerror(errno)))
        }
        done += put
      }
      total += count
    }
  }
}

extension BatchManifest {
  /// Calls `body` for each line that is not blank, until it returns false.
  ///
  /// - Throws: `CropError.readFailed`, and what `body` throws.
  func forEachLine(_ body: (BatchLine) throws(CropError) -> Bool) throws(CropError) {
    var position = bytes.lowerBound
    let lines = LineReader { [file, name, bytes] buffer throws(CropError) in
      guard position < bytes.upperBound else { return 0 }
      while true {
        let count = pread(
          file.raw, buffer.baseAddress, min(buffer.count, bytes.upperBound - position),
          off_t(position))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
          throw .readFailed(file: name, detail: String(cString: strerror(errno)))
        }
        guard count > 0 else {
          throw .readFailed(file: name, detail: "it became shorter while it was read")
        }
        position += count
        return count
      }
    }
    while let line = try lines.next() {
      guard try body(line) else { return }
    }
  }
}

/// The crops that a manifest lists.
struct ManifestOrders: BatchOrders {
  let manifest: BatchManifest
  /// What the lines leave out of their options.
  let options: ResultOptions

  func hand(to intake: BatchIntake) throws(CropError) {
    try manifest.forEachLine { line throws(CropError) in
      for order in BatchOrder.all(of: line, folder: manifest.folder, options: options) {
        guard try intake.add(order) else { return false }
      }
      return true
    }
  }
}
