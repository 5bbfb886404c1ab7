import CropImaging
import FoundationEssentials

/// Encodes the frames of an animation, one after the other.
protocol AnimationCoder {
  /// Adds the next frame with its duration.
  mutating func add(_ frame: FrameRaster) throws
  /// Whether every pixel so far was encoded exactly.
  var isExact: Bool { get }
  /// The number of bytes of the file so far.
  var byteCount: Int { get }
  /// Completes the file and returns it.
  mutating func finish() throws -> Data
}

/// An animation has too many colors for an encoder; another one must be used.
struct TooManyColors: Error {}

/// The duration of a frame, as a fraction of a second.
struct FrameDelay: Equatable {
  var numerator: Int
  var denominator: Int

  /// The duration in milliseconds, rounded.
  var milliseconds: Int { (numerator * 2000 + denominator) / (2 * denominator) }

  /// A duration in milliseconds.
  init(milliseconds: Int) { self.init(numerator: milliseconds, denominator: 1000) }

  init(numerator: Int, denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// The durations of the frames of an animation, and how many times it plays.
struct AnimationTiming {
  var delays: [FrameDelay]
  /// How many times the animation plays, 0 for endlessly.
  let plays: Int

  /// The timing in the header.
  init(_ info: ImageInfo) {
    delays = info.frameDurations.map(FrameDelay.init(milliseconds:))
    plays = info.playCount ?? 1
  }

  /// The duration of frame `index`, from 0; a tenth of a second if the file does not state it.
  func delay(_ index: Int) -> FrameDelay {
    delays.indices.contains(index) ? delays[index] : FrameDelay(milliseconds: 100)
  }

  /// The delay of frame `index` in hundredths of a second. Delays are rounded so that the rounding
  /// errors do not accumulate, and the animation lasts as long as before.
  func centiseconds(_ index: Int, after earlier: inout (wanted: Double, given: Int)) -> Int {
    let delay = delay(index)
    earlier.wanted += Double(delay.numerator) / Double(delay.denominator) * 100
    let end = Int(min(earlier.wanted, 1e15).rounded(.toNearestOrAwayFromZero))
    let given = min(max(end - earlier.given, 0), 65_535)
    earlier.given = end
    return given
  }
}
