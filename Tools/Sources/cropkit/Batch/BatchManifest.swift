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
    let isStandardInput = argument.isStandardStream
    name = isStandardInput ? "standard input" : argument.name
    let slash = argument.path.bytes.lastIndex(of: UInt8(ascii: "/"))
    folder =
      isStandardInput ? nil : slash.map { PathBytes(Array(argument.path.bytes[...$0])) }
    let raw =
      isStandardInput
      ? dup(STDIN_FILENO)
      : open(argument.path.bytes.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw Self.unreadable(name, errno) }
    let file = Descriptor(adopting: raw)
    guard !isStandardInput || isatty(raw) == 0 else {
      throw .usage(detail: "standard input is a terminal; pipe a manifest into it")
    }
    var status = stat()
    guard fstat(raw, &status) == 0 else { throw Self.unreadable(name, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw Self.unreadable(name, EISDIR)
    case S_IFREG:
      self.file = file
      let start = max(0, lseek(raw, 0, SEEK_CUR))
      bytes = start..<max(start, Int(status.st_size))
    default:
      // A pipe is read once, and the lines are wanted twice.
      (self.file, bytes) = try Self.spooled(file, name: name)
    }
    // What can't be read at all is reported before anything is done.
    var first: UInt8 = 0
    guard pread(self.file.raw, &first, 1, off_t(bytes.lowerBound)) >= 0 else {
      throw Self.unreadable(name, errno)
    }
  }

  private static func unreadable(_ name: String, _ error: Int32) -> CropError {
    error == ENOENT || error == ENOTDIR
      ? .inputMissing(file: name)
      : .inputUnreadable(file: name, detail: String(cString: strerror(error)))
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
      guard count >= 0 else { throw unreadable(name, errno) }
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

/// The crops that a manifest lists.
struct ManifestOrders: BatchOrders {
  let manifest: BatchManifest
  /// What the lines leave out of their options.
  let options: ResultOptions

  func forEachOrder(_ body: (BatchOrder) throws(CropError) -> Bool) throws(CropError) {
    try manifest.forEachLine { line throws(CropError) in
      for order in BatchOrder.all(of: line, folder: manifest.folder, options: options) {
        guard try body(order) else { return false }
      }
      return true
    }
  }
}

extension BatchManifest {
  /// One line that is not blank.
  struct Line {
    /// From 1, blank lines counted.
    let number: Int
    /// The bytes without the end of the line; nil if there are more than a megabyte.
    let bytes: [UInt8]?
  }

  private static let longestLine = 1 << 20

  /// Calls `body` for each line that is not blank, until it returns false.
  ///
  /// - Throws: `CropError.readFailed`, and what `body` throws.
  func forEachLine(_ body: (Line) throws(CropError) -> Bool) throws(CropError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var line: [UInt8] = []
    var isTooLong = false
    var number = 0
    var position = bytes.lowerBound
    func finish() throws(CropError) -> Bool {
      number += 1
      defer {
        line.removeAll(keepingCapacity: line.capacity < 1 << 16)
        isTooLong = false
      }
      if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
      let isBlank = line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
      if isBlank, !isTooLong { return true }
      return try body(Line(number: number, bytes: isTooLong ? nil : line))
    }
    while position < bytes.upperBound {
      let count = pread(
        file.raw, &buffer, min(buffer.count, bytes.upperBound - position),
        off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .readFailed(file: name, detail: String(cString: strerror(errno)))
      }
      guard count > 0 else {
        throw .readFailed(file: name, detail: "it became shorter while it was read")
      }
      position += count
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        if line.count + (end - rest.startIndex) > Self.longestLine { isTooLong = true }
        if !isTooLong { line += rest[..<end] }
        guard try finish() else { return }
        rest = rest[(end + 1)...]
      }
      if line.count + rest.count > Self.longestLine {
        isTooLong = true
        line.removeAll()
      }
      if !isTooLong { line += rest }
    }
    if !line.isEmpty || isTooLong { _ = try finish() }
  }
}
