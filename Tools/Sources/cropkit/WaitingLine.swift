import CropImaging
import Glibc

/// A line on the terminal while a single picture takes long: it says for how long, and moves.
///
///     [    ######          ] photo.heic, 3 s
final class WaitingLine: @unchecked Sendable {
  private let name: String
  private let start = ContinuousClock.now
  private let lock = Condition()
  private var isOver = false
  private var isShown = false
  private var thread: WorkThread?

  /// What is over sooner needs no line.
  private static let patience = Duration.seconds(1)

  /// Nil where standard error is no terminal.
  init?(_ name: String) {
    guard Terminal.isThere else { return nil }
    self.name = name.onOneLine
    thread = WorkThread { [weak self] in self?.work() }
  }

  /// Takes the line away, once and for all.
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
        lock.wait()
      }
    }
  }

  /// The line's text: a piece that walks to and fro twice in about seven seconds.
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
