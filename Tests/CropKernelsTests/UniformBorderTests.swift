import CropCore
import CropKernels
import TestMaterial
import Testing

@Suite struct `Uniform borders` {
  /// The area inside the border of the image in `samples`.
  private func inside(
    _ samples: [UInt8], width: Int, bands: Int = 3, tolerance: Int = 0
  ) -> ImageRect? {
    samples.withUnsafeBufferPointer {
      BorderedPixels($0, width: width, height: samples.count / width / bands, bands: bands)?
        .inside(tolerance: tolerance)
    }
  }

  /// A gray image from a text: each word is a row, `.` is white.
  private func inside(_ rows: String, tolerance: Int = 0) -> ImageRect? {
    let lines = rows.split(separator: " ")
    let samples = lines.flatMap { $0.utf8.map { $0 == UInt8(ascii: ".") ? 255 : $0 } }
    return inside(samples, width: lines[0].utf8.count, bands: 1, tolerance: tolerance)
  }

  @Test func `the inside is found to the pixel`() {
    #expect(
      inside("...... ..ab.. ...... ...c.. ......") == ImageRect(x: 2, y: 1, width: 2, height: 3))
  }

  @Test func `a corner that differs is inside`() {
    #expect(inside("..... ..... ....a") == ImageRect(x: 4, y: 2, width: 1, height: 1))
  }

  @Test func `a border on one side is found by the two corners of it`() {
    #expect(inside("...... ...... abcdef bcdefa") == ImageRect(x: 0, y: 2, width: 6, height: 2))
  }

  @Test func `where no two corners agree there is no border`() {
    #expect(inside("a..b .... c..d") == ImageRect(x: 0, y: 0, width: 4, height: 3))
  }

  @Test func `a picture of one color has nothing inside, whatever its size`() {
    #expect(inside(".... ....") == nil)
    #expect(inside(".") == nil)
    #expect(inside(". .") == nil)
  }

  @Test func `the tolerance is the most by which a channel may differ`() {
    var samples = [UInt8](repeating: 100, count: 5 * 5 * 3)
    samples[(2 * 5 + 3) * 3 + 1] = 110
    #expect(inside(samples, width: 5, tolerance: 9) == ImageRect(x: 3, y: 2, width: 1, height: 1))
    #expect(inside(samples, width: 5, tolerance: 10) == nil)
  }

  @Test func `transparent pixels are the same whatever color they hide`() {
    var random = Seeded(seed: 0xC20B_0091)
    var samples: [UInt8] = []
    for _ in 0..<36 {
      samples += (0..<3).map { _ in UInt8(random.int(0...255)) } + [0]
    }
    samples[(2 * 6 + 4) * 4 + 3] = 1
    #expect(inside(samples, width: 6, bands: 4) == ImageRect(x: 4, y: 2, width: 1, height: 1))
  }

  @Test func `a wrong number of samples is rejected`() {
    let samples = [UInt8](repeating: 0, count: 12)
    samples.withUnsafeBufferPointer {
      #expect(BorderedPixels($0, width: 3, height: 2, bands: 3) == nil)
      #expect(BorderedPixels($0, width: 0, height: 2, bands: 3) == nil)
      #expect(BorderedPixels($0, width: 2, height: 2, bands: 5) == nil)
      #expect(BorderedPixels($0, width: .max, height: 4, bands: 4) == nil)
      #expect(BorderedPixels($0, width: 2, height: 2, bands: 3) != nil)
    }
  }

  @Test func `made pictures are trimmed as by looking at every pixel`() throws {
    var random = Seeded(seed: 0xC20B_0090)
    for _ in 0..<Thorough.count(2000) {
      let bands = random.int(1...4)
      let (width, height) = (random.int(1...24), random.int(1...24))
      let tolerance = random.element([0, 0, 3, 24, 60])
      let border = (0..<bands).map { _ in UInt8(random.int(0...255)) }
      let noise = random.int(0...tolerance / 2)
      var samples: [UInt8] = []
      for _ in 0..<width * height {
        samples += border.map { UInt8(clamping: Int($0) + random.int(-noise...noise)) }
      }
      // Some content, which may reach the edges, equal the border, or be empty.
      for _ in 0..<random.int(0...4) {
        let (x, y) = (random.int(0...width - 1), random.int(0...height - 1))
        let (right, bottom) = (random.int(x...width - 1), random.int(y...height - 1))
        for row in y...bottom {
          for column in x...right {
            for band in 0..<bands {
              samples[(row * width + column) * bands + band] = UInt8(random.int(0...255))
            }
          }
        }
      }
      let found = inside(samples, width: width, bands: bands, tolerance: tolerance)
      let wanted = PlainBorder(samples, width, height, bands).inside(tolerance)
      try #require(found == wanted, "\(random.comment)")
    }
  }
}

/// The definition of a border, implemented literally.
private struct PlainBorder {
  private let pixels: [[Int]]
  private let width: Int
  private let height: Int

  init(_ samples: [UInt8], _ width: Int, _ height: Int, _ bands: Int) {
    self.width = width
    self.height = height
    pixels = (0..<width * height).map { index in
      let own = samples[index * bands..<(index + 1) * bands].map(Int.init)
      let hasAlpha = bands == 2 || bands == 4
      let alpha = hasAlpha ? own[bands - 1] : 255
      let colors = hasAlpha ? own.dropLast() : own[...]
      return colors.map { Int((Double($0 * alpha) / 255).rounded()) } + [alpha]
    }
  }

  private func isLike(_ one: [Int], _ other: [Int], _ tolerance: Int) -> Bool {
    zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }
  }

  func inside(_ tolerance: Int) -> ImageRect? {
    let whole = ImageRect(x: 0, y: 0, width: width, height: height)
    let corners = [0, width - 1, (height - 1) * width, height * width - 1].map { pixels[$0] }
    let votes = corners.map { one in corners.count { isLike(one, $0, tolerance) } }
    guard let most = votes.max(), most > 1, let winner = votes.firstIndex(of: most) else {
      return whole
    }
    var edge: [[Int]] = []
    for y in 0..<height {
      for x in 0..<width {
        // A corner is on two edges, a line of one pixel on both sides.
        let count = [x == 0, x == width - 1, y == 0, y == height - 1].count { $0 }
        for _ in 0..<count { edge.append(pixels[y * width + x]) }
      }
    }
    edge = edge.filter { isLike(corners[winner], $0, tolerance) }
    let color = corners[winner].indices.map { channel in
      edge.map { $0[channel] }.sorted()[(edge.count - 1) / 2]
    }
    let others = pixels.indices.filter { !isLike(color, pixels[$0], tolerance) }
    let (xs, ys) = (others.map { $0 % width }, others.map { $0 / width })
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    return ImageRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
