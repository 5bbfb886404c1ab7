import CropCore

/// What was seen of the animation in a PNG (APNG) so far.
struct PNGAnimation {
  /// The size that every frame lies inside.
  let canvas: BitmapSize
  /// The frames that the file announces; nil for a still picture.
  var announced: Int?
  /// The frames there are.
  var found = 0
  /// The number of the next chunk: frame headers and frame data are counted together.
  var sequence = 0

  /// How long each frame shows, in milliseconds.
  var durations: [Int] = []
  /// How many times the animation plays, 0 for ever.
  var playCount: Int?

  init(canvas: BitmapSize) { self.canvas = canvas }
}

extension Inspection {
  /// Reads a chunk that only an animation has. Without the announcement, which comes before the picture
  /// data, decoders pass all of them over.
  mutating func frameChunk(
    _ name: String, at start: Int, length: Int, hasData: Bool, _ animation: inout PNGAnimation
  ) throws(CropError) {
    if name == "acTL" {
      guard !hasData, animation.announced == nil, length >= 8 else { return }
      animation.announced = try need(reader.big32(start), "the frame count")
      animation.playCount = try reader.big32(start + 4)
      return
    }
    guard animation.announced != nil else { return }
    guard try reader.big32(start) == animation.sequence else {
      throw corrupt("its frames are out of order")
    }
    animation.sequence += 1
    guard name == "fcTL" else { return }
    animation.found += 1
    guard length >= 26, let width = try reader.big32(start + 4),
      let height = try reader.big32(start + 8), let x = try reader.big32(start + 12),
      let y = try reader.big32(start + 16)
    else { throw corrupt("a frame header is cut short") }
    let (part, whole) = (try reader.big16(start + 20) ?? 0, try reader.big16(start + 22) ?? 0)
    let second = whole == 0 ? 100 : whole
    animation.durations.append((part * 2000 + second) / (2 * second))
    guard width > 0, height > 0, x + width <= animation.canvas.width,
      y + height <= animation.canvas.height
    else { throw corrupt("a frame is larger than the canvas") }
  }

  /// The frames of the animation, 1 for a still picture.
  mutating func frameCount(_ animation: PNGAnimation) throws(CropError) -> Int {
    guard let announced = animation.announced else { return 1 }
    if announced != animation.found {
      let words = "it announces \(announced) frames and has \(animation.found)"
      guard isLenient else { throw corrupt(words) }
      warn(.truncated(words))
    }
    return max(1, min(announced, animation.found))
  }
}
