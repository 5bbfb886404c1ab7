import CropImaging

/// How long a frame stays, as a fraction of a second.
struct FrameDelay: Equatable {
  var numerator: Int
  var denominator: Int

  /// In thousandths of a second.
  var milliseconds: Int { (numerator * 2000 + denominator) / (2 * denominator) }

  /// So many thousandths of a second.
  init(milliseconds: Int) { self.init(numerator: milliseconds, denominator: 1000) }

  init(numerator: Int, denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// When the frames of an animation show.
struct AnimationTiming {
  var delays: [FrameDelay]
  /// How many times all frames show; 0 is for ever.
  let plays: Int

  /// What the header says.
  init(_ info: ImageInfo) {
    delays = info.frameDurations.map(FrameDelay.init(milliseconds:))
    plays = info.playCount ?? 1
  }

  /// The delay of frame `index`, from 0; a tenth of a second where the file has none.
  func delay(_ index: Int) -> FrameDelay {
    delays.indices.contains(index) ? delays[index] : FrameDelay(milliseconds: 100)
  }

  /// The delay of frame `index` in hundredths of a second: where they are not whole, the frame ends
  /// at the nearest one, so that the animation as a whole lasts as long as before.
  func centiseconds(_ index: Int, after earlier: inout (wanted: Double, given: Int)) -> Int {
    let delay = delay(index)
    earlier.wanted += Double(delay.numerator) / Double(delay.denominator) * 100
    let end = Int(min(earlier.wanted, 1e15).rounded(.toNearestOrAwayFromZero))
    let given = min(max(end - earlier.given, 0), 65_535)
    earlier.given = end
    return given
  }
}
