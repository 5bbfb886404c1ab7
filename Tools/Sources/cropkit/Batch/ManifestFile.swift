import CropImaging
import Glibc

/// A list of crops, open to be read.
struct ManifestFile {
  /// What messages call it.
  let name: String
  /// The folder that its paths are relative to; nil for the current one.
  let folder: PathBytes?
  let file: Descriptor
  /// What the file system says of it.
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

  /// Why a list can't be read.
  static func unreadable(_ name: String, _ error: Int32) -> CropError {
    error == ENOENT || error == ENOTDIR
      ? .inputMissing(file: name)
      : .inputUnreadable(file: name, detail: String(cString: strerror(error)))
  }
}
