import CropImaging
import Glibc

/// An animated line on the terminal while a single image takes long, with the elapsed time.
///
///     [    ######          ] photo.heic, 3 s
final class WaitingLine: @unchecked Sendable {
  private let name: String
  private let start = ContinuousClock.now
  private let lock = Monitor()
  private var isOver = false
  private var isShown = false
  private var thread: WorkThread?

  /// Shorter work shows no line.
  private static let patience = Duration.seconds(1)

  /// Nil if standard error is not a terminal.
  init?(_ name: String) {
    guard Terminal.isAttached else { return nil }
    self.name = name.onOneLine
    thread = WorkThread { [weak self] in self?.work() }
  }

  /// Removes the line permanently.
  func end() {
    lock.withLock {
      isOver = true
      if isShown { Terminal.draw("\r\u{1B}[K") }
      isShown = false
      lock.broadcast()
    }
    thread?.join()
    thread = nil
  }

  private func work() {
    lock.withLock {
      while !isOver {
        let past = ContinuousClock.now - start
        if past >= Self.patience {
          isShown = true
          Terminal.draw("\r\(Self.text(name, after: past))\u{1B}[K")
        }
        lock.wait(atMost: 200)
      }
    }
  }

  /// The line's text, with a bar that moves back and forth twice in about seven seconds.
  static func text(_ name: String, after past: Duration) -> String {
    let (width, piece) = (20, 6)
    let room = width - piece
    let step = Int(past / .milliseconds(250)) % (2 * room)
    let before = step < room ? step : 2 * room - step
    let bar =
      String(repeating: " ", count: before) + String(repeating: "#", count: piece)
      + String(repeating: " ", count: room - before)
    return "[\(bar)] \(name), \(Int(past / .seconds(1))) s"
  }
}
