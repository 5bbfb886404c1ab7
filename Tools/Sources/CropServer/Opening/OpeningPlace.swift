import CropImaging
import Foundation
import Glibc
import PhotoLibrary

/// Where the programs of a user find the server that opens files: a file that holds its port and its token,
/// which only the user may read, and a file that is locked for as long as the server runs.
public struct OpeningPlace: Sendable {
  private let folder: String

  /// The user's place; its folder is made where it is missing. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  public init(places: LibraryPlaces = LibraryPlaces()) throws(CropError) {
    folder = try RuntimeFolder.path(places)
  }

  private var lockPath: String { "\(folder)/opening.lock" }
  private var serverPath: String { "\(folder)/opening.json" }

  /// How a server is asked.
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

    deinit { OpeningPlace.release(lock) }

    /// Tells where the server is. Blocks.
    func publish(_ server: Server) throws {
      let text = String(decoding: try JSONEncoder().encode(server), as: UTF8.self)
      try PrivateFile.write(text, to: path, isReplacing: true)
    }

    /// Tells nobody any more. Blocks.
    func withdraw() { unlink(path) }
  }

  /// The right to be the user's server; nil where there is one. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  public func claim() throws(CropError) -> Claim? {
    let lock = try openLock()
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      return nil
    }
    let claim = Claim(lock: lock, path: serverPath)
    // What one that was killed has left behind.
    claim.withdraw()
    return claim
  }

  /// Whether a server runs or is being started. Blocks.
  ///
  /// - Throws: ``CropImaging/CropError/outputUncreatable(path:detail:)``.
  public func isTaken() throws(CropError) -> Bool {
    let lock = try openLock()
    defer { Self.release(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0
  }

  /// Gives a lock back before its file is closed, which a child that does not run yet may have open too.
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

  /// The server that is there; nil where none is ready. A file that a server left behind that was killed
  /// is none: another user's program may have its port by now. Blocks.
  func server() throws(CropError) -> Server? {
    guard try isTaken() else { return nil }
    let file = Glibc.open(serverPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = PrivateFile.read(file, limit: 4096) else { return nil }
    return try? JSONDecoder().decode(Server.self, from: Data(bytes))
  }
}
