import CropImaging
import Glibc
import PhotoLibrary

/// Small files with secrets that only their owner may read.
enum PrivateFile {
  /// Writes a file of mode 0600 atomically. Blocks.
  ///
  /// - Parameter isReplacing: whether to overwrite an existing file.
  /// - Throws: ``CropImaging/CropError/outputExists(path:)`` if not;
  ///   ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  static func write(
    _ text: String, to path: String, isReplacing: Bool
  ) throws(CropError) {
    let new = "\(path).\(randomHexadecimal(8)).new"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = open(new, flags, mode_t(0o600))
    guard file >= 0 else { throw failure(path) }
    let isWritten = writeAll(Array(text.utf8), to: file) && fsync(file) == 0
    // Closing first could replace the error of the write with its own.
    guard isWritten, isReplacing ? rename(new, path) == 0 : link(new, path) == 0 else {
      let error = failure(path)
      close(file)
      unlink(new)
      throw error
    }
    close(file)
    if !isReplacing { unlink(new) }
  }

  /// Creates a folder of mode 0700, and its missing parents. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  static func makeFolder(_ path: String) throws(CropError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    guard errno == ENOENT, parent.count > 1 else { throw failure(path) }
    try makeFolder(parent.joined(separator: "/"))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
  }

  /// The contents of a file, up to `limit` bytes; nil if it can't be read, with `errno` set.
  /// Blocks.
  static func read(_ file: Int32, limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress.map { $0 + count }, limit - count)
      }
      if more < 0, errno == EINTR { continue }
      if more < 0 { return nil }
      if more == 0 { break }
      count += more
    }
    return Array(bytes.prefix(count))
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func failure(_ path: String) -> CropError {
    errno == EEXIST
      ? .outputExists(path: path)
      : .outputUncreatable(path: path, detail: String(cString: strerror(errno)))
  }
}

/// `count` cryptographically random bytes, as lower-case hexadecimal digits.
func randomHexadecimal(_ count: Int) -> String {
  var generator = SystemRandomNumberGenerator()
  return Digests.text((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}
