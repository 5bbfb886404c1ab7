import CVips
import CropCore
import CropImaging

extension ImageInfo {
  /// The number of pixels that are kept in memory to read all frames: libvips reads a WebP's only
  /// together, at once.
  var pixelsOfRoll: Int {
    let (pixels, overflow) = (stored.width * stored.height)
      .multipliedReportingOverflow(by: frameCount)
    return format == .webp ? overflow ? .max / 64 : min(pixels, .max / 64) : 0
  }
}

/// The displayed frames of an animation, one after the other.
struct AnimationFrames {
  private(set) var count: Int
  private(set) var timing: AnimationTiming
  private let frames: Source
  private var next = 0

  private enum Source {
    /// All frames stacked vertically, as libvips does.
    case roll(Picture, frameHeight: Int)
    case composed(APNGBox)
  }

  /// Stores the state of an APNG's canvas, which copies of the frames share.
  private final class APNGBox {
    var canvas: APNGCanvas
    init(_ canvas: APNGCanvas) { self.canvas = canvas }
  }

  /// Opens all frames; decodes nothing.
  init(
    _ reader: SourceReader, source: ImageSource, info: ImageInfo, isLenient: Bool
  ) throws {
    timing = AnimationTiming(info)
    if info.format == .png {
      let found = try APNGFrames(source, canvas: info.stored)
      count = min(info.frameCount, found.frames.count)
      timing.delays = found.frames.map(\.delay)
      frames = .composed(APNGBox(APNGCanvas(found, isLenient: isLenient)))
      return
    }
    let rows = info.stored.height.multipliedReportingOverflow(by: info.frameCount)
    guard !rows.overflow, rows.partialValue < Self.mostRows else {
      throw CropError.unsupportedFeature(
        file: source.name, feature: "an animation of \(info.frameCount) frames of this size")
    }
    let roll = try Picture.opened(
      try reader.vipsSource(), as: info.format, LoadOptions(hasAllPages: true, isLenient: isLenient)
    )
    let height = roll.number(Field.pageHeight) ?? roll.height
    let found = roll.height / max(height, 1)
    guard found == info.frameCount || isLenient else {
      throw CropError.corrupt(
        file: source.name, detail: "it announces \(info.frameCount) frames and has \(found)")
    }
    count = min(found, info.frameCount)
    frames = .roll(roll, frameHeight: height)
  }

  /// The largest number of rows of a libvips image.
  private static let mostRows = 10_000_000

  /// Frame `index` of an animated PNG, from 0; nil if it is what programs without support for
  /// animations show.
  static func still(
    _ index: Int, of source: ImageSource, info: ImageInfo, isLenient: Bool
  ) throws -> Picture? {
    guard info.format == .png, info.frameCount > 1 else { return nil }
    let found = try APNGFrames(source, canvas: info.stored)
    if index == 0, found.startsWithStill { return nil }
    var canvas = APNGCanvas(found, isLenient: isLenient)
    for _ in 0..<min(index, found.frames.count - 1) { _ = try canvas.advance() }
    return try canvas.advance()
  }

  /// Removes all frames except these, counted from 1. Earlier frames are still composed if later
  /// ones are drawn on them.
  mutating func keep(_ range: ClosedRange<Int>) throws {
    let skipped = min(range.lowerBound - 1, count)
    count = min(range.upperBound, count) - skipped
    timing.delays = Array(timing.delays.dropFirst(skipped).prefix(count))
    switch frames {
    case .composed(let box): for _ in 0..<skipped { _ = try box.canvas.advance() }
    case .roll: next = skipped
    }
  }

  /// The next frame as a complete image, to be computed before the following one is requested.
  mutating func advance() throws -> Picture {
    defer { next += 1 }
    switch frames {
    case .composed(let box): return try box.canvas.advance()
    case .roll(let roll, let height):
      return try roll.cut(
        to: BitmapRect(x: 0, y: next * height, width: roll.width, height: height))
    }
  }
}
