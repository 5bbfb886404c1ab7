import CropImaging
import Glibc

/// The Unix socket that a proxy uses to reach the server.
///
/// A socket accepts connections as soon as it is bound, with its mode at that moment. So it is
/// bound in a private folder, gets its mode, and only then is moved to its path.
final class SocketFile: Sendable {
  private let path: String
  private let mode: UInt32
  private let folder: String
  /// Where to bind.
  let bindingPath: String

  /// Prepares a socket at a path. Blocks.
  ///
  /// - Throws: ``ServerSettings/Refusal`` if a server is already listening, or another file exists;
  ///   `CropError` if its folder is not writable.
  init(path: String, mode: UInt32) throws {
    self.path = path
    self.mode = mode
    guard path.utf8.count <= Self.longest else {
      throw ServerSettings.Refusal(
        words: "the path of a socket has at most \(Self.longest) bytes; \(path) is longer")
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw ServerSettings.Refusal(words: "\(path) already exists and is not a socket")
      }
      guard !Self.isServed(path) else {
        throw ServerSettings.Refusal(words: "a server already listens on \(path)")
      }
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : ""
    var template = Array("\(parent).cropkit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure(path) }
    folder = String(
      decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let inside = "\(folder)/s"
    guard inside.utf8.count > Self.longest else {
      bindingPath = inside
      return
    }
    // The path is only too long because of the folder's name. The descriptor is needed for as long
    // as the program runs.
    let directory = open(folder, Self.O_PATH | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure(path) }
    bindingPath = "/proc/self/fd/\(directory)/s"
  }

  /// The maximum length of a socket's path (`sun_path`, which ends with a zero).
  private static let longest = 107
  /// A macro that Swift can't import.
  private static let O_PATH: Int32 = 0o10_000_000

  /// Moves the bound socket to its path, so that clients can connect.
  func publish() throws(CropError) {
    guard chmod("\(folder)/s", mode) == 0, rename("\(folder)/s", path) == 0 else {
      throw Self.failure(path)
    }
    rmdir(folder)
  }

  func remove() {
    unlink("\(folder)/s")
    rmdir(folder)
    // Another server may have replaced it since: keep that one.
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, !Self.isServed(path) {
      unlink(path)
    }
  }

  private static func isServed(_ path: String) -> Bool {
    let socket = StreamSocket.open(AF_UNIX)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  private static func failure(_ path: String) -> CropError {
    .outputUncreatable(path: path, detail: String(cString: strerror(errno)))
  }
}
