import Dispatch
import Glibc

/// The service manager that started the program, if one did. Implements systemd's protocols without
/// its library.
enum ServiceManager {
  /// Reports the program's state (sd_notify(3)), such as `READY=1`.
  static func notify(_ state: String) {
    guard let name = getenv("NOTIFY_SOCKET") else { return }
    let path = String(cString: name).utf8
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path)
      // An abstract address starts with a zero.
      if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Self.closeOnExec, 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let text = Array(state.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let length = socklen_t(start + path.count)
        _ = sendto(socket, text, text.count, Int32(bitPattern: UInt32(MSG_NOSIGNAL)), $0, length)
      }
    }
  }

  private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)

  /// Whether a descriptor is the journal's, identified by its device and inode.
  static func isJournal(_ file: Int32) -> Bool {
    var status = stat()
    guard let named = getenv("JOURNAL_STREAM"), fstat(file, &status) == 0 else { return false }
    return String(cString: named) == "\(status.st_dev):\(status.st_ino)"
  }
}

/// Reloads the settings at SIGHUP, as daemons usually do.
struct Reloading {
  private let source: any DispatchSourceSignal

  /// Calls `action` at each SIGHUP, one call after the other. The signal is otherwise ignored.
  init(_ action: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeSignalSource(
      signal: SIGHUP, queue: DispatchQueue(label: "cropkit.reloading"))
    source.setEventHandler(handler: action)
    source.resume()
  }

  /// Stops the calls.
  func end() { source.cancel() }
}
