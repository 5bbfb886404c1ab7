import CropImaging
import Glibc

/// The lines of a manifest. They can be read more than once without being held in memory.
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
      // A pipe can only be read once, but the lines are needed twice.
      (file, bytes) = try Self.spooled(opened.file, name: name)
    }
    // An unreadable list is reported before any work starts.
    var first: UInt8 = 0
    guard pread(file.raw, &first, 1, off_t(bytes.lowerBound)) >= 0 else {
      throw ManifestFile.unreadable(name, errno)
    }
  }

  /// Copies a pipe to an anonymous file.
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

/// The crops in a manifest.
struct ManifestRequests: BatchRequests {
  let manifest: BatchManifest
  /// The default options of the lines.
  let options: ResultOptions

  func hand(to input: BatchInput) throws(CropError) {
    try manifest.forEachLine { line throws(CropError) in
      for request in BatchRequest.all(of: line, folder: manifest.folder, options: options) {
        guard try input.add(request) else { return false }
      }
      return true
    }
  }
}

/// An open manifest.
struct ManifestFile {
  let name: String
  /// The folder that its paths are relative to; nil for the current one.
  let folder: PathBytes?
  let file: Descriptor
  /// Its status in the file system.
  let status: stat

  /// - Throws: `CropError.inputMissing`, `.inputUnreadable`, or `.usage`.
  init(_ argument: FileArgument) throws(CropError) {
    try argument.checkIsLocal()
    let isStandardInput = argument.isStandardStream
    name = isStandardInput ? "standard input" : argument.name
    let slash = argument.path.bytes.lastIndex(of: UInt8(ascii: "/"))
    folder =
      isStandardInput ? nil : slash.map { PathBytes(Array(argument.path.bytes[...$0])) }
    let raw =
      isStandardInput
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
      : open(argument.path.bytes.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw Self.unreadable(name, errno) }
    file = Descriptor(adopting: raw)
    guard !isStandardInput || isatty(raw) == 0 else {
      throw .usage(detail: "standard input is a terminal; pipe a manifest into it")
    }
    var status = stat()
    guard fstat(raw, &status) == 0 else { throw Self.unreadable(name, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.unreadable(name, EISDIR) }
    self.status = status
  }

  static func unreadable(_ name: String, _ error: Int32) -> CropError {
    error == ENOENT || error == ENOTDIR
      ? .inputMissing(file: name)
      : .inputUnreadable(file: name, detail: String(cString: strerror(error)))
  }
}
