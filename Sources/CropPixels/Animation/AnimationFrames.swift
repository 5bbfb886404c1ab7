import CVips
import CropCore
import CropImaging

/// The frames of an animation as they show, one after the other.
struct AnimationFrames {
  /// How many there are.
  let count: Int
  /// When they show.
  private(set) var timing: AnimationTiming
  private let frames: Source
  private var next = 0

  private enum Source {
    /// All frames below each other, as libvips lays them down.
    case roll(Picture, frameHeight: Int)
    case composed(APNGBox)
  }

  /// Keeps the state of an APNG's canvas where a copy shares it.
  private final class APNGBox {
    var canvas: APNGCanvas
    init(_ canvas: APNGCanvas) { self.canvas = canvas }
  }

  /// Opens all frames; decodes nothing.
  init(
    _ reader: SourceReader, source: PictureSource, info: ImageInfo, isLenient: Bool
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

  /// The most rows of a picture of libvips.
  private static let mostRows = 10_000_000

  /// Frame `index` of an animated PNG, from 0; nil where a program that knows no animation sees the same.
  static func still(
    _ index: Int, of source: PictureSource, info: ImageInfo, isLenient: Bool
  ) throws -> Picture? {
    guard info.format == .png, info.frameCount > 1 else { return nil }
    let found = try APNGFrames(source, canvas: info.stored)
    if index == 0, found.startsWithStill { return nil }
    var canvas = APNGCanvas(found, isLenient: isLenient)
    for _ in 0..<min(index, found.frames.count - 1) { _ = try canvas.advance() }
    return try canvas.advance()
  }

  /// The next frame as a whole picture, to be computed before the one after it is asked for.
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
