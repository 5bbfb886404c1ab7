import CropImaging
import Dispatch
import FoundationEssentials
import Glibc
import Logging
import PhotoLibrary
import Synchronization

/// The signed-in browsers, including those from before the server started.
///
/// Each is a separate file that only the user may read. It contains a digest of the browser's
/// cookie, so that a copy of the folder grants no access. All servers of a user share the folder.
final class Devices: Sendable {
  /// A browser that has signed in.
  struct Device: Sendable, Equatable {
    /// 16 hexadecimal digits; not secret.
    let id: String
    /// The name for users; may be empty.
    let name: String
    /// When it signed in, in seconds since 1970.
    let joined: Int
    /// When it was last seen, to the hour, in seconds since 1970.
    var seen: Int
    /// SHA-256 of its secret, in hexadecimal digits.
    let digest: String
    /// The address it was last seen at or signed in from; nil if it was not recorded.
    var address: String?
    /// The token it signed in with; nil if that was not stored in a file.
    var token: TokenMark?
    /// Whether it is stored on disk; otherwise it is signed out when the server stops.
    var isStored = true
  }

  private struct State {
    /// By digest.
    var devices: [String: Device] = [:]
    var lastReading = 0
  }

  private struct Record: Codable {
    let name: String
    let joined: Int
    let digest: String
    var address: String?
    var token: TokenMark?
  }

  /// Identifies a token in a file without revealing it.
  struct TokenMark: Codable, Equatable {
    let file: String
    /// The first 16 hexadecimal digits of its SHA-256.
    let digest: String

    /// Nil for a token that is not in a file.
    init?(_ token: AccessToken) {
      guard let file = token.file else { return nil }
      // However the path was written.
      self.file = URL(fileURLWithPath: file).standardized.path
      digest = String(Devices.digest(of: token.text).prefix(16))
    }
  }

  private let state = Mutex(State())
  private let folder: String
  private let isKept: Bool
  private let clock: @Sendable () -> Int
  private let ended: @Sendable (Set<String>) -> Void
  private let logger: Logger
  /// Serializes all changes of the list, so that reading the folder does not restore a device that
  /// was signed out in the meantime.
  private let disk = DispatchQueue(label: "cropkit.devices")

  /// How long a browser stays signed in without a visit.
  static let life = 90 * 86_400
  /// The maximum number of browsers; another one replaces the one that was last seen longest ago.
  static let most = 200
  private static let hour = 3600

  /// Reads the devices in a folder, which is created if missing. Blocks.
  ///
  /// - Parameters:
  ///   - clock: returns the seconds since 1970.
  ///   - ended: called with the ids of devices that are signed out.
  init(
    folder: String, logger: Logger, clock: @escaping @Sendable () -> Int = { time(nil) },
    ended: @escaping @Sendable (Set<String>) -> Void
  ) {
    self.folder = folder
    self.clock = clock
    self.ended = ended
    self.logger = logger
    do throws(CropError) {
      try PrivateFile.makeFolder(folder)
      isKept = true
    } catch {
      logger.warning(
        "devices are forgotten at the end", metadata: ["reason": "\(error.message(for: .command))"])
      isKept = false
    }
    disk.sync { readAll() }
  }

  /// All devices, the last seen first.
  var all: [Device] {
    state.withLock { Array($0.devices.values) }.sorted { ($0.seen, $0.id) > ($1.seen, $1.id) }
  }

  /// The device with this secret; nil if it is not signed in.
  func device(keeping secret: String, at address: String) async -> Device? {
    let digest = Self.digest(of: secret)
    func known() -> Device? {
      state.withLock { state in
        state.devices[digest]?.address = address
        return state.devices[digest]
      }
    }
    if let known = known() {
      noteVisit(of: known)
      return known
    }
    // It may have signed in at another server of this user.
    await refresh(pause: 1)
    return known()
  }

  /// Signs in a browser; returns the secret for its cookie.
  ///
  /// If that can't be stored, for example on a full disk, the browser stays signed in until the
  /// server stops.
  func join(name: String, address: String, by token: AccessToken) async throws -> String {
    let secret = randomHexadecimal(32)
    let now = clock()
    let new = Device(
      id: randomHexadecimal(8), name: name, joined: now, seen: now,
      digest: Self.digest(of: secret), address: address, token: TokenMark(token))
    try await onDisk { [self] in
      var device = new
      device.isStored = isKept && isWritten(device, isReplacing: false)
      let oldest = state.withLock { state in
        state.devices[device.digest] = device
        guard state.devices.count > Self.most else { return nil as Device? }
        return state.devices.values.min { ($0.seen, $0.id) < ($1.seen, $1.id) }
      }
      if let oldest { remove([oldest]) }
    }
    return secret
  }

  /// Records that a signed-in browser has signed in again, with this token, which may last longer than
  /// the previous one.
  func renew(_ device: Device, by token: AccessToken) async throws {
    let mark = TokenMark(token)
    guard mark != device.token else { return }
    try await onDisk { [self] in
      // It may have been signed out in the meantime.
      guard var new = state.withLock({ $0.devices[device.digest] }) else { return }
      (new.token, new.seen) = (mark, clock())
      if new.isStored { _ = isWritten(new, isReplacing: true) }
      state.withLock { $0.devices[new.digest] = new }
    }
  }

  /// Signs out the devices whose tokens have since been removed from their files. Blocks.
  func endAll(except tokens: [AccessToken]) {
    let marks = tokens.compactMap(TokenMark.init)
    disk.sync {
      func isOver(_ device: Device) -> Bool {
        guard let mark = device.token else { return false }
        return marks.contains { $0.file == mark.file } && !marks.contains(mark)
      }
      let known = state.withLock { Array($0.devices.values) }
      // Also those that are too old to be listed.
      let kept = ids().compactMap(read).filter { device in !known.contains { $0.id == device.id } }
      remove((known + kept).filter(isOver))
    }
  }

  /// Signs out a device; false if it does not exist.
  func end(_ id: String) async throws -> Bool {
    try await onDisk { [self] in
      let known = state.withLock { state in state.devices.values.filter { $0.id == id } }
      remove(known)
      return !known.isEmpty
    }
  }

  /// Reads the devices that other servers signed in or out, unless the last read was less than
  /// `pause` seconds ago.
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

  private func isWritten(_ device: Device, isReplacing: Bool) -> Bool {
    let record = Record(
      name: device.name, joined: device.joined, digest: device.digest, address: device.address,
      token: device.token)
    do {
      let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
      try PrivateFile.write(text, to: path(of: device.id), isReplacing: isReplacing)
      return true
    } catch {
      let reason = (error as? CropError)?.message(for: .command) ?? "\(error)"
      logger.warning("a device is forgotten at the end", metadata: ["reason": "\(reason)"])
      return false
    }
  }

  private func ids() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
  }

  private func remove(_ devices: [Device]) {
    state.withLock { state in for device in devices { state.devices[device.digest] = nil } }
    for device in devices where device.isStored { unlink(path(of: device.id)) }
    if !devices.isEmpty { ended(Set(devices.map(\.id))) }
  }

  /// Replaces the list with the contents of the folder.
  private func readAll() {
    guard isKept, access(folder, R_OK | X_OK) == 0 else { return }
    let now = clock()
    var found: [String: Device] = [:]
    var old: [Device] = []
    for device in ids().compactMap(read) {
      if now - device.seen > Self.life {
        old.append(device)
      } else {
        found[device.digest] = device
      }
    }
    // Expired devices stay on disk while there is space: the clock may be wrong now and be
    // corrected later.
    let excess = max(0, found.count + old.count - Self.most)
    for device in old.sorted(by: { $0.seen < $1.seen }).prefix(excess) {
      unlink(path(of: device.id))
    }
    let gone = state.withLock { state in
      for device in state.devices.values {
        guard device.isStored else {
          found[device.digest] = device
          continue
        }
        found[device.digest]?.address = device.address
      }
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
      digest: record.digest, address: record.address, token: record.token)
  }

  /// Records a device's visit, at most once an hour.
  private func noteVisit(of device: Device) {
    let now = clock()
    guard now - device.seen >= Self.hour else { return }
    state.withLock { $0.devices[device.digest]?.seen = now }
    guard device.isStored else { return }
    disk.async { [path = path(of: device.id)] in
      let time = timespec(tv_sec: now, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
    }
  }

  private static func digest(of secret: String) -> String {
    Digests.text(Digests.sha256(of: secret.utf8))
  }
}

/// The name of a browser for users, derived from its `User-Agent`.
enum DeviceName {
  /// `Firefox · Android`; the program's name if it is not a browser; empty if unknown.
  static func of(_ agent: String) -> String {
    // Browsers also send the names of those below them in this list.
    let browsers = [
      ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"),
      ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
      ("Safari/", "Safari"),
    ]
    let systems = [
      ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
      ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]
    func name(in table: [(mark: String, name: String)]) -> String? {
      table.first { agent.contains($0.mark) }?.name
    }
    if let browser = name(in: browsers) {
      return [browser, name(in: systems)].compactMap(\.self).joined(separator: " · ")
    }
    let product = agent.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return String(product.prefix(40))
  }
}
