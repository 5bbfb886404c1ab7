import CropImaging
import FoundationEssentials
import Glibc
import PhotoLibrary

/// How the programs of a user find the server that opens files: one file holds its port and token
/// and is only readable by the user; another is locked for as long as the server runs.
public struct InstanceLock: Sendable {
  private let folder: String

  /// The files of a user; their folder is created if missing. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  public init(userFolders: UserFolders = UserFolders()) throws(CropError) {
    folder = try RuntimeFolder.path(userFolders)
  }

  private var lockPath: String { "\(folder)/opening.lock" }
  private var serverPath: String { "\(folder)/opening.json" }

  /// How to reach a server.
  struct Server: Codable {
    let port: Int
    let token: String
  }

  /// The right to be the server, for as long as this object lives.
  public final class Claim: Sendable {
    private let lock: Int32
    private let path: String

    fileprivate init(lock: Int32, path: String) {
      self.lock = lock
      self.path = path
    }

    deinit { InstanceLock.release(lock) }

    /// Publishes the server's address. Blocks.
    func publish(_ server: Server) throws {
      let text = String(decoding: try JSONEncoder().encode(server), as: UTF8.self)
      try PrivateFile.write(text, to: path, isReplacing: true)
    }

    /// Removes the published address. Blocks.
    func withdraw() { unlink(path) }
  }

  /// The right to be the user's server; nil if another one has it. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  public func claim() throws(CropError) -> Claim? {
    let lock = try openLock()
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      return nil
    }
    let claim = Claim(lock: lock, path: serverPath)
    // Remove what a killed server left behind.
    claim.withdraw()
    return claim
  }

  /// Whether a server is running or starting. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  public func isTaken() throws(CropError) -> Bool {
    let lock = try openLock()
    defer { Self.release(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0
  }

  /// Releases a lock before its file is closed: a child that has not started yet may have it open
  /// too.
  private static func release(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  private func openLock() throws(CropError) -> Int32 {
    let lock = Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      throw .outputUncreatable(path: lockPath, detail: String(cString: strerror(errno)))
    }
    return lock
  }

  /// The running server; nil if none is ready. A file that a killed server left behind is ignored:
  /// another user's program may have its port by now. Blocks.
  func server() throws(CropError) -> Server? {
    guard try isTaken() else { return nil }
    let file = Glibc.open(serverPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = PrivateFile.read(file, limit: 4096) else { return nil }
    return try? JSONDecoder().decode(Server.self, from: Data(bytes))
  }
}
