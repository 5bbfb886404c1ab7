import CNettle
import CropImaging
import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// The browsers that have signed in, also before the server was started.
///
/// Each is a file of its own that only the user may read. It holds a digest of what the browser keeps as
/// its cookie, so that a copy of the folder lets nobody in. All servers of a user share the folder.
final class Devices: Sendable {
  /// A browser that has signed in.
  struct Device: Sendable, Equatable {
    /// 16 hexadecimal digits; it is no secret.
    let id: String
    /// What a person calls it; may be empty.
    let name: String
    /// When it signed in, in seconds since 1970.
    let joined: Int
    /// When it was last seen, to the hour, in seconds since 1970.
    var seen: Int
    /// SHA-256 of its secret, in hexadecimal digits.
    let digest: String
  }

  private struct State {
    /// By their digests.
    var devices: [String: Device] = [:]
    var lastReading = 0
  }

  private struct Record: Codable {
    let name: String
    let joined: Int
    let digest: String
  }

  private let state = Mutex(State())
  private let folder: String
  private let isKept: Bool
  private let clock: @Sendable () -> Int
  private let ended: @Sendable (Set<String>) -> Void
  /// Everything that changes the list happens here, one after the other: no reading of the folder
  /// brings back what was ended meanwhile.
  private let disk = DispatchQueue(label: "cropkit.devices")

  /// How long a browser may stay away.
  static let life = 90 * 86_400
  /// The most browsers; one more takes the place of the one that was not seen for the longest time.
  static let most = 200
  private static let hour = 3600

  /// Reads the devices in a folder, which is made where it is missing. Blocks.
  ///
  /// - Parameters:
  ///   - clock: tells the seconds since 1970.
  ///   - ended: is told the ids of devices that may not come in any more.
  init(
    folder: String, logger: Logger, clock: @escaping @Sendable () -> Int = { time(nil) },
    ended: @escaping @Sendable (Set<String>) -> Void
  ) {
    self.folder = folder
    self.clock = clock
    self.ended = ended
    do throws(CropError) {
      try PrivateFile.makeFolder(folder)
      isKept = true
    } catch {
      logger.warning("devices are forgotten at the end", metadata: ["reason": "\(error.message)"])
      isKept = false
    }
    disk.sync { readAll() }
  }

  /// All of them, the one that was seen last first.
  var all: [Device] {
    state.withLock { Array($0.devices.values) }.sorted { ($0.seen, $0.id) > ($1.seen, $1.id) }
  }

  /// The device that keeps this secret; nil where there is none any more.
  func device(keeping secret: String) async -> Device? {
    let digest = Self.digest(of: secret)
    if let known = state.withLock({ $0.devices[digest] }) {
      noteVisit(of: known)
      return known
    }
    // It may have signed in at another server of this user.
    await refresh(pause: 1)
    return state.withLock { $0.devices[digest] }
  }

  /// Lets a browser in; returns the secret that it is to keep.
  ///
  /// - Throws: `CropError` where it can't be noted down.
  func join(name: String) async throws -> String {
    let secret = randomHexadecimal(32)
    let now = clock()
    let device = Device(
      id: randomHexadecimal(8), name: name, joined: now, seen: now,
      digest: Self.digest(of: secret))
    try await onDisk { [self] in
      if isKept { try write(device) }
      let oldest = state.withLock { state in
        state.devices[device.digest] = device
        guard state.devices.count > Self.most else { return nil as Device? }
        return state.devices.values.min { ($0.seen, $0.id) < ($1.seen, $1.id) }
      }
      if let oldest { remove([oldest]) }
    }
    return secret
  }

  /// Lets a device in no longer; false where there is no such device.
  func end(_ id: String) async throws -> Bool {
    try await onDisk { [self] in
      let known = state.withLock { state in state.devices.values.filter { $0.id == id } }
      remove(known)
      return !known.isEmpty
    }
  }

  /// Looks for devices that another server let in or ended, unless that was done in the last `pause`
  /// seconds.
  func refresh(pause: Int) async {
    try? await onDisk { [self] in
      let isDue = state.withLock { clock() - $0.lastReading >= pause }
      if isDue { readAll() }
    }
  }

  private func onDisk<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      disk.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  private func path(of id: String) -> String { "\(folder)/\(id).json" }

  private func write(_ device: Device) throws {
    let record = Record(name: device.name, joined: device.joined, digest: device.digest)
    let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
    try PrivateFile.write(text, to: path(of: device.id), isReplacing: false)
  }

  private func remove(_ devices: [Device]) {
    state.withLock { state in for device in devices { state.devices[device.digest] = nil } }
    for device in devices where isKept { unlink(path(of: device.id)) }
    if !devices.isEmpty { ended(Set(devices.map(\.id))) }
  }

  /// Replaces the list by what is in the folder.
  private func readAll() {
    guard isKept, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return
    }
    let now = clock()
    var found: [String: Device] = [:]
    for name in names where name.hasSuffix(".json") {
      guard let device = read(String(name.dropLast(".json".count))) else { continue }
      if now - device.seen > Self.life {
        unlink(path(of: device.id))
      } else {
        found[device.digest] = device
      }
    }
    let gone = state.withLock { state in
      let gone = state.devices.values.filter { found[$0.digest] == nil }.map(\.id)
      state.devices = found
      state.lastReading = now
      return Set(gone)
    }
    if !gone.isEmpty { ended(gone) }
  }

  private func read(_ id: String) -> Device? {
    let file = open(path(of: id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, let bytes = PrivateFile.read(file, limit: 4096),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
    else { return nil }
    return Device(
      id: id, name: record.name, joined: record.joined, seen: Int(status.st_mtim.tv_sec),
      digest: record.digest)
  }

  /// Notes down once an hour that a device was here.
  private func noteVisit(of device: Device) {
    let now = clock()
    guard now - device.seen >= Self.hour else { return }
    state.withLock { $0.devices[device.digest]?.seen = now }
    guard isKept else { return }
    disk.async { [path = path(of: device.id)] in
      let time = timespec(tv_sec: now, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
    }
  }

  private static func digest(of secret: String) -> String {
    var hash = sha256_ctx()
    nettle_sha256_init(&hash)
    let bytes = Array(secret.utf8)
    nettle_sha256_update(&hash, bytes.count, bytes)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&hash, digest.count, &digest)
    return hexadecimal(digest)
  }
}
