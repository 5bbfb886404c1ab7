import CropCore

/// The state while reading the animation of a PNG (APNG).
struct PNGAnimation {
  /// The canvas, which contains every frame.
  let canvas: BitmapSize
  /// The number of frames that the file announces; nil for a still image.
  var announced: Int?
  /// The number of frames found.
  var found = 0
  /// The number of the next chunk: frame headers and frame data are counted together.
  var sequence = 0

  /// The duration of each frame, in milliseconds.
  var durations: [Int] = []
  /// How many times the animation plays, 0 for endlessly.
  var playCount: Int?

  init(canvas: BitmapSize) { self.canvas = canvas }
}

extension PNGHeaderReader {
  /// Reads a chunk that only animations have. Decoders ignore all of them without `acTL`, which
  /// comes before the image data.
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
    // The main image is a frame only if a frame header is in front of it.
    if animation.found == 0, hasData { file.kinds.insert(.multiPicture) }
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

  /// The number of frames of the animation, 1 for a still image.
  mutating func frameCount(_ animation: PNGAnimation) throws(CropError) -> Int {
    guard let announced = animation.announced else { return 1 }
    if announced != animation.found {
      let words = "it announces \(announced) frames and has \(animation.found)"
      guard file.isLenient else { throw corrupt(words) }
      file.warn(.truncated(words))
    }
    return max(1, min(announced, animation.found))
  }
}
