import CropImaging
import Glibc

/// The kernel's events about changes in folders (inotify).
final class Inotify: Sendable {
  /// One event.
  struct Notice {
    /// The watched folder; -1 if events were lost.
    let watch: Int32
    private let mask: UInt32
    /// The name of what changed in the folder; empty for the folder itself.
    let name: PathBytes

    init(watch: Int32, mask: UInt32, name: PathBytes) {
      self.watch = watch
      self.mask = mask
      self.name = name
    }

    private func holds(_ flags: Int...) -> Bool {
      flags.contains { mask & UInt32(truncatingIfNeeded: $0) != 0 }
    }

    var isOverflow: Bool { holds(Int(IN_Q_OVERFLOW)) }
    /// The watch has ended: the folder was removed, or its watch was.
    var isEnd: Bool { holds(Int(IN_IGNORED)) }
    var isFolder: Bool { holds(Int(IN_ISDIR)) }
    /// A new file that may still be written to.
    var isBeginning: Bool { holds(Int(IN_CREATE)) }
    /// A name that no longer exists.
    var isDeparture: Bool { holds(Int(IN_MOVED_FROM), Int(IN_DELETE)) }
  }

  private let descriptor: Int32

  /// Nil if the kernel provides no more instances.
  init?() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  private static let wanted = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB)

  /// Watches the files directly in a folder; nil if no more folders can be watched.
  func watch(_ folder: ConfinedFolder) -> Int32? {
    // By its descriptor, since its path might lead elsewhere by now.
    let path = "/proc/self/fd/\(folder.descriptor)"
    let number = inotify_add_watch(
      descriptor, path, Self.wanted | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK))
    return number >= 0 ? number : nil
  }

  func end(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// The pending events, after waiting at most `milliseconds` for one.
  func notices(waiting milliseconds: Int32) -> [Notice] {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return [] }
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return [] }
      return Self.notices(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Parses events: four 32-bit numbers (watch, mask, cookie, length) and a name padded with zeros.
  private static func notices(in bytes: UnsafeRawBufferPointer) -> [Notice] {
    var notices: [Notice] = []
    var at = 0
    while at + 16 <= bytes.count {
      let length = Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
      guard length <= bytes.count - at - 16 else { break }
      let name = bytes[(at + 16)..<(at + 16 + length)].prefix { $0 != 0 }
      notices.append(
        Notice(
          watch: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self),
          mask: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self),
          name: PathBytes(Array(name))))
      at += 16 + length
    }
    return notices
  }
}
