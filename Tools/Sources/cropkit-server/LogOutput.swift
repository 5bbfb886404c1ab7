import Dispatch
import Glibc
import Synchronization

/// Standard error for a program that must not wait for the reader.
///
/// A separate thread writes the lines. While nothing reads them, some are kept and the rest
/// dropped; the next line that is kept reports how many.
final class LogOutput: TextOutputStream, Sendable {
  private struct State {
    var text: [UInt8] = []
    var dropped = 0
    var isWriting = false
  }

  private let file: Int32
  private let capacity: Int
  private let state = Mutex(State())
  // A serial queue, so that it does not block other work.
  private let queue = DispatchQueue(label: "cropkit.log")

  /// The standard error of this program.
  static let standardError = LogOutput(file: STDERR_FILENO)

  /// A log to an open file that buffers about `capacity` bytes while nothing reads it.
  init(file: Int32, capacity: Int = 256 << 10) {
    self.file = file
    self.capacity = capacity
  }

  /// Adds a line, including its line break. Never blocks.
  func write(_ line: String) {
    let isFirst = state.withLock { state in
      guard state.text.count + line.utf8.count <= capacity else {
        state.dropped += 1
        return false
      }
      if state.dropped > 0 {
        let notice = "cropkit: log lines dropped because nothing reads the log: \(state.dropped)\n"
        state.text += notice.utf8
        state.dropped = 0
      }
      state.text += line.utf8
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { queue.async { self.writeAll() } }
  }

  /// Waits until everything is written, but at most a second, since the reader may be stuck. False
  /// on timeout.
  @discardableResult
  func flush() -> Bool {
    let group = DispatchGroup()
    queue.async(group: group) {}
    return group.wait(timeout: .now() + 1) == .success
  }

  private func writeAll() {
    while true {
      let text = state.withLock { state in
        defer { state.text = [] }
        if state.text.isEmpty { state.isWriting = false }
        return state.text
      }
      if text.isEmpty { return }
      writeWhole(text)
    }
  }

  private func writeWhole(_ text: [UInt8]) {
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var entry = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      } else if errno != EINTR {
        // The reader is gone, so nothing can read it.
        return
      }
    }
  }
}
