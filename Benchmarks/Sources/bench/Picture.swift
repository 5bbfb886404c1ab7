import Glibc

/// An image with the statistics of a photo, generated from a seed: overlapping discs of all sizes (dead
/// leaves), a texture whose power falls with the square of the frequency, and sensor noise.
struct Picture {
  private let width: Int
  private let height: Int
  private var discs: [Disc] = []
  private var random: UInt64 = 0x2545_F491_4F6C_DD1D

  private struct Disc {
    var x: Float
    var y: Float
    var radius: Float
    var color: SIMD4<Float>
  }

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // The same density for all sizes.
    for _ in 0..<width * height / 6000 {
      let u = uniform()
      discs.append(
        Disc(
          x: uniform() * Float(width), y: uniform() * Float(height),
          radius: 12 / (0.02 + 0.98 * u * u),
          color: SIMD4(uniform(), uniform(), uniform(), 0) * 190 + 30))
    }
  }

  private mutating func next() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random
  }

  private mutating func uniform() -> Float { Float(next() >> 40) / Float(1 << 24) }

  /// A fixed number from −1 to 1 for each point of a grid.
  private static func grain(_ x: Int, _ y: Int, _ octave: Int) -> Float {
    var h = UInt32(
      truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263 &+ octave &* 974_634_777)
    h = (h ^ h >> 13) &* 1_274_126_177
    return Float(Int32(bitPattern: h ^ h >> 16)) / Float(Int32.max)
  }

  /// Adds octaves of smoothed grain to a row, each with half the amplitude at twice the frequency.
  private static func addTexture(_ row: inout [Float], y: Int) {
    for octave in 0..<7 {
      let step = 2 << octave
      let amplitude = 0.55 * Float(step).squareRoot()
      let gy = y / step
      let fy = Float(y % step) / Float(step)
      var left = Float(0)
      var right = grain(0, gy, octave) * (1 - fy) + grain(0, gy + 1, octave) * fy
      for x in row.indices {
        let offset = x % step
        if offset == 0 {
          left = right
          let gx = x / step + 1
          right = grain(gx, gy, octave) * (1 - fy) + grain(gx, gy + 1, octave) * fy
        }
        let fx = Float(offset) / Float(step)
        row[x] += amplitude * (left * (1 - fx) + right * fx)
      }
    }
  }

  /// Writes the image as PPM; false if that fails.
  mutating func write(to path: String) -> Bool {
    guard let file = fopen(path, "wb") else { return false }
    defer { fclose(file) }
    fputs("P6 \(width) \(height) 255\n", file)
    var bytes = [UInt8](repeating: 0, count: width * 3)
    var texture = [Float](repeating: 0, count: width)
    var colors = [SIMD4<Float>](repeating: SIMD4(), count: width)
    // Discs are filtered by bands, so that each row only checks a few; later discs cover earlier ones.
    let band = 64
    for y in 0..<height {
      if y % band == 0 {
        active = discs.filter { abs($0.y - Float(y + band / 2)) <= $0.radius + Float(band) }
      }
      for x in 0..<width { colors[x] = SIMD4(repeating: 120) }
      for disc in active {
        let dy = Float(y) - disc.y
        let square = disc.radius * disc.radius - dy * dy
        guard square > 0 else { continue }
        let half = square.squareRoot()
        let from = max(0, Int(disc.x - half))
        let to = min(width, Int(disc.x + half))
        if from < to { for x in from..<to { colors[x] = disc.color } }
      }
      for x in 0..<width { texture[x] = 0 }
      Self.addTexture(&texture, y: y)
      for x in 0..<width {
        let bits = next()
        for channel in 0..<3 {
          // The sum of four bytes is close to normal, with a spread of 148.
          let part = bits >> UInt64(channel * 20)
          let sum = (part & 255) + (part >> 5 & 255) + (part >> 10 & 255) + (part >> 12 & 255)
          let noise = (Float(sum) - 510) * 0.043
          let value = colors[x][channel] + texture[x] * 2.4 + noise
          bytes[x * 3 + channel] = UInt8(max(0, min(255, value)))
        }
      }
      guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { return false }
    }
    return true
  }

  private var active: [Disc] = []
}
