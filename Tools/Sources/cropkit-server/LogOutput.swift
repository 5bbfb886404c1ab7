import Dispatch
import Glibc
import Synchronization

/// Standard error for a program that must not wait for whoever reads it.
///
/// Lines are written by a thread of their own. While nobody reads, some are kept and the rest dropped; how
/// many were is said before the next line that is kept.
final class LogOutput: TextOutputStream, Sendable {
  private struct State {
    var text: [UInt8] = []
    var dropped = 0
    var isWriting = false
  }

  private let file: Int32
  private let capacity: Int
  private let state = Mutex(State())
  // A serial queue: what blocks there blocks nothing else.
  private let queue = DispatchQueue(label: "cropkit.log")

  /// The standard error of this program.
  static let standardError = LogOutput(file: STDERR_FILENO)

  /// A log in an open file that keeps at most about `capacity` bytes while nobody reads.
  init(file: Int32, capacity: Int = 256 << 10) {
    self.file = file
    self.capacity = capacity
  }

  /// Takes a line with its end. Never blocks.
  func write(_ line: String) {
    let isFirst = state.withLock { state in
      guard state.text.count + line.utf8.count <= capacity else {
        state.dropped += 1
        return false
      }
      if state.dropped > 0 {
        let told = "cropkit: lines of the log dropped, as nobody read it: \(state.dropped)\n"
        state.text += told.utf8
        state.dropped = 0
      }
      state.text += line.utf8
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { queue.async { self.writeAll() } }
  }

  /// Waits until all was written, for a second at most: whoever reads may be stuck. False if it was not.
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
        // Nobody will ever read it.
        return
      }
    }
  }
}
