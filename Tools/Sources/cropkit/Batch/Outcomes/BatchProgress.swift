import FoundationEssentials
import Glibc

/// A line on the terminal that shows the progress of a batch.
///
///     [######              ] 3100 of 10000, 54/s, 2:08 left, 12 failed
struct BatchProgress {
  private let total: Int
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant?
  private let isOn: Bool

  /// Shows nothing if standard error is not a terminal, or with `--quiet`.
  init(total: Int, isQuiet: Bool = false) {
    self.total = total
    isOn = !isQuiet && Terminal.isAttached
  }

  /// Draws the line, at most ten times a second.
  mutating func show(_ tally: BatchTally) {
    guard isOn else { return }
    let now = ContinuousClock.now
    if let shown, now - shown < .milliseconds(100) { return }
    shown = now
    let text = Self.text(tally, total: total, seconds: (now - start) / .seconds(1))
    Terminal.draw("\r\(text)\u{1B}[K")
  }

  /// Removes the line.
  mutating func clear() {
    guard isOn, shown != nil else { return }
    shown = nil
    Terminal.draw("\r\u{1B}[K")
  }

  /// The line's text.
  static func text(_ tally: BatchTally, total: Int, seconds: Double) -> String {
    let width = 20
    let filled = total > 0 ? min(width, tally.finished * width / total) : width
    let bar =
      String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
    var text = "[\(bar)] \(tally.finished) of \(total)"
    let worked = tally.finished - tally.skipped
    if worked > 0, seconds > 0 {
      let rate = Double(worked) / seconds
      text += rate >= 10 ? ", \(Int(rate))/s" : ", \(Double(Int(rate * 10)) / 10)/s"
      let left = Double(total - tally.finished) / rate
      if left < 360_000 { text += ", \(Self.clock(Int(left.rounded(.up)))) left" }
    }
    if tally.failed > 0 { text += ", \(tally.failed) failed" }
    return text
  }

  /// Seconds as `m:ss` or `h:mm:ss`.
  private static func clock(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60
    return minutes < 60
      ? "\(minutes):\(two(seconds % 60))"
      : "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
  }
}

/// The number of lines by outcome.
struct BatchTally: Equatable {
  var finished = 0
  var failed = 0
  var skipped = 0
  /// How many JPEGs could not be copied.
  var reencoded = 0

  mutating func count(_ outcome: BatchOutcome) {
    finished += 1
    switch outcome.result {
    case .success(let done):
      if done.isSkipped { skipped += 1 }
      if let obstacle = done.report?.obstacle, obstacle != .newPixels { reencoded += 1 }
    case .failure: failed += 1
    }
  }
}

extension Terminal {
  /// Whether standard error is a terminal.
  static var isAttached: Bool { isatty(STDERR_FILENO) != 0 }

  /// Writes text to standard error without changes.
  static func draw(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
